import { join } from 'node:path';
import { OpSdkError, type Finding } from '../../errors/index.ts';
import { addResources } from '../../kustomize/index.ts';
import { pathExists } from '../../util/fs.ts';
import type { Action } from '../command.ts';
import type { EditOptions } from '../flags/edit-flags.ts';
import { editKustomization, folderOf } from './files/edit-kustomization.ts';

/** `op-sdk kustomize edit add resource`. */
export const run: Action = async (context, given, paths) => {
  const options = given as EditOptions;
  const folder = await folderOf(context, options);
  const findings: Finding[] = [];
  for (const path of paths) {
    if (path !== '' && (await pathExists(join(folder, path)))) continue;
    findings.push({
      code: 'cli/invalid-value',
      message: `'${path}' does not exist in ${options.dir ?? 'this folder'}`,
      where: { flag: '<path>' },
      fix: ['name files and folders relative to the folder of the kustomization'],
    });
  }
  if (findings.length > 0) throw new OpSdkError(findings);
  return editKustomization(context, options, (text, file) => addResources(text, file, paths));
};
