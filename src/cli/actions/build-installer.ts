import { defaultImageWarnings } from '../../cluster/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import { changeFor } from '../../project/scaffold/plan-files.ts';
import { toYaml } from '../../kubernetes/yaml/to-yaml.ts';
import type { Action } from '../command.ts';
import { inProjectLock } from '../project-lock.ts';
import { withManagerImage } from './cluster/manager-image.ts';
import { planAndCarryOut } from './files/apply-plan.ts';
import { outputFile } from './files/output-file.ts';
import { deployedFolder } from './input/deployed-folder.ts';
import { manifestInput } from './input/manifest-input.ts';

interface Options {
  readonly dir?: string;
  readonly image?: string;
  readonly outputFile?: string;
  readonly dryRun?: boolean;
}

/** `op-sdk build-installer`. */
export const run: Action = async (context, parsed) => {
  const options = parsed as Options;
  const { root, path } = await outputFile(
    context.cwd,
    '--output-file',
    options.outputFile ?? 'dist/install.yaml',
  );
  const folder = await deployedFolder(context, options);
  const dryRun = options.dryRun === true;
  return inProjectLock(context, { writes: !dryRun }, async (locked) => {
    const warnings: Finding[] = [];
    const onWarning = (warning: Finding): number => warnings.push(warning);
    const { objects, files } = await withManagerImage(locked, options, () =>
      manifestInput(locked, {}, { folder, pipeInto: `tee ${path}`, onWarning }),
    );
    const content = objects.map(({ object }) => toYaml(object)).join('---\n');
    const plan = async () => ({ root, changes: [await changeFor(root, { path, content })] });
    const result = await planAndCarryOut(locked, root, { dryRun }, plan);
    return {
      result: { ...result, files: [...files, ...result.files] },
      warnings: [...warnings, ...defaultImageWarnings(objects)],
    };
  });
};
