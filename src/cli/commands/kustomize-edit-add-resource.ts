import { defineCommand } from '../command.ts';
import { editFlags } from '../flags/project-flags.ts';
import { join } from 'node:path';
import { FindingList } from '../../base/errors/index.ts';
import { addResources } from '../../kubernetes/kustomize/index.ts';
import { pathExists } from '../../base/util/fs.ts';
import { editKustomization, folderOf } from '../actions/files/apply-plan.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';

export const command = defineCommand({
  locksProject: 'project',
  arguments: [['<path...>', 'files, or folders with a kustomization, relative to the kustomization']],
  flags: {
    ...editFlags,
  },
  async run(context, options, paths) {
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
  },
});
