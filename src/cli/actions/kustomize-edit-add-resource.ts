import { join } from 'node:path';
import { FindingList } from '../../base/errors/index.ts';
import { addResources } from '../../kubernetes/kustomize/index.ts';
import { pathExists } from '../../base/util/fs.ts';
import type { Action } from '../command.ts';
import type { command } from '../commands/kustomize-edit-add-resource.ts';
import { editKustomization, folderOf } from './files/apply-plan.ts';
import { invalidFlag } from './input/flag-values.ts';

/** `op-sdk kustomize edit add resource`. */
export const run: Action<typeof command> = async (context, options, paths) => {
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
