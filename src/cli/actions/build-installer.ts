import { defaultImageWarnings } from '../../cluster/index.ts';
import type { Finding } from '../../errors/index.ts';
import { changeFor } from '../../scaffold/plan-files.ts';
import { toYaml } from '../../yaml/to-yaml.ts';
import type { Action } from '../command.ts';
import { withManagerImage } from './cluster/manager-image.ts';
import { carryOut } from './files/apply-plan.ts';
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
  const warnings: Finding[] = [];
  const onWarning = (warning: Finding): number => warnings.push(warning);
  const { objects, files } = await withManagerImage(context, options, () =>
    manifestInput(context, {}, { folder, pipeInto: `tee ${path}`, onWarning }),
  );
  const content = objects.map(({ object }) => toYaml(object)).join('---\n');
  const plan = { root, changes: [await changeFor(root, { path, content })] };
  const result = await carryOut(context, plan, { dryRun: options.dryRun === true });
  return {
    result: { ...result, files: [...files, ...result.files] },
    warnings: [...warnings, ...defaultImageWarnings(objects)],
  };
};
