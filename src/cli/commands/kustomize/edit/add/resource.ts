import { join } from 'node:path';
import { OpSdkError, type Finding } from '../../../../../errors/index.ts';
import { pathExists } from '../../../../../util/fs.ts';
import type { CommandModule } from '../../../../command.ts';
import { editFlags, editKustomization, folderOf, type EditOptions } from '../shared/edit-kustomization.ts';

/** `op-sdk kustomize edit add resource`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('<path...>', 'files, or folders with a kustomization, relative to the kustomization');
    editFlags(command);
  },
  async run(context, given, paths) {
    const options = given as EditOptions;
    const { addResources } = await import('../../../../../kustomize/index.ts');
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
  },
};
