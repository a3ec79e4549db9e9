import { join } from 'node:path';
import { FindingList } from '../../base/errors/index.ts';
import { addResources } from '../../kubernetes/kustomize/index.ts';
import { pathExists } from '../../base/util/fs.ts';
import type { Action } from '../command.ts';
import type { EditOptions } from '../flags/edit-flags.ts';
import { editKustomization, folderOf } from './files/edit-kustomization.ts';
import { invalidFlag } from './input/flag-values.ts';

/** `op-sdk kustomize edit add resource`. */
export const run: Action = async (context, parsed, paths) => {
  const options = parsed as EditOptions;
  const folder = await folderOf(context, options);
  const findings = new FindingList();
  for (const path of paths) {
    if (path !== '' && (await pathExists(join(folder, path)))) continue;
    findings.add(
      invalidFlag(
        '<path>',
        `'${path}' does not exist in ${options.dir ?? 'this folder'}`,
        'name files and folders relative to the folder of the kustomization',
      ),
    );
  }
  findings.throwIfAny();
  return editKustomization(context, options, (text, file) => addResources(text, file, paths));
};
