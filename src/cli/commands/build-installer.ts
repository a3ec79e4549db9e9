import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { imageFlag } from '../flags/registry-flags.ts';
import { dirname, relative, resolve, sep } from 'node:path';
import { defaultImageWarnings } from '../../cluster/index.ts';
import { type Finding, OpSdkError } from '../../base/errors/index.ts';
import { statsAt } from '../../base/util/fs.ts';
import { changeFor } from '../../project/scaffold/index.ts';
import { toYaml } from '../../kubernetes/yaml/index.ts';
import { inProjectLock } from '../project-lock.ts';
import { withManagerImage } from '../actions/cluster/manager-image.ts';
import { planAndCarryOut } from '../actions/files/apply-plan.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';
import { deployedFolder, manifestInput } from '../actions/input/manifests.ts';

export const command = defineCommand({
  locksProject: 'project',
  flags: {
    dir: flag.text('folder', 'the kustomization to render (default: config/default)'),
    ...imageFlag,
    'output-file': flag.text('file', 'the manifest (default: dist/install.yaml)'),
    ...dryRunFlag,
  },
  help: `
Writes all objects that op-sdk deploy applies into one manifest, which kubectl can apply:
  kubectl apply --server-side -f install.yaml

Generated files must be up to date: run op-sdk generate manifests first, or make build-installer.`,
  async run(context, options) {
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
  },
});

/**
 * Returns the location of the file that a flag names: an existing root folder, and the path below this folder. Intermediate folders need
 * not exist.
 *
 * @throws OpSdkError `cli/invalid-value` if the value cannot be a file
 */
export async function outputFile(
  cwd: string,
  flag: string,
  file: string,
): Promise<{ readonly root: string; readonly path: string }> {
  const whole = resolve(cwd, file);
  const fix = 'name a file';
  if (file === '' || (await statsAt(whole))?.isDirectory() === true)
    throw new OpSdkError(invalidFlag(flag, `${flag} '${file}' is a folder`, fix));
  let root = dirname(whole);
  for (;;) {
    // If a folder cannot be reached, writing fails too, and the writer reports the error.
    const found = await statsAt(root);
    if (found?.isDirectory() === true) break;
    if (found !== undefined)
      throw new OpSdkError(
        invalidFlag(flag, `${flag} '${file}' cannot be written: ${relative(cwd, root)} is a file`, fix),
      );
    root = dirname(root);
  }
  // Paths in a plan are shown to the user, so they are relative to the working directory if possible.
  const from = root === cwd || root.startsWith(cwd + sep) ? cwd : root;
  return { root: from, path: relative(from, whole).split(sep).join('/') };
}
