import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { basename, dirname, resolve } from 'node:path';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { statsAt } from '../../base/util/fs.ts';
import { renderKustomization } from '../../kubernetes/kustomize/index.ts';
import { changeFor } from '../../project/scaffold/index.ts';
import { toYaml } from '../../kubernetes/yaml/index.ts';
import { planAndCarryOut } from '../actions/files/apply-plan.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';

export const command = defineCommand({
  arguments: [['[folder]', 'the folder of the kustomization (default: the current folder)']],
  flags: {
    'output-file': flag.text('file', 'write the objects into a file instead of printing them'),
    ...dryRunFlag,
  },
  help: `
Renders a kustomization as kustomize 5 does, without kustomize: resources, components, namespace,
names, labels, annotations, images, replicas, patches and replacements. What it does not support,
such as generators, is refused; then use kustomize itself: every command that takes objects reads
its output with -f -.`,
  async run(context, options, [folder = '.']) {
    const target = await targetOf(context.cwd, options.outputFile);
    const render = async () => {
      const warnings: Finding[] = [];
      const rendered = await renderKustomization(folder, {
        cwd: context.cwd,
        onWarning: (warning) => warnings.push(warning),
      });
      const objects = rendered.map(({ object }) => object);
      return { objects, warnings, text: objects.map((object) => toYaml(object)).join('---\n') };
    };
    if (target === undefined) {
      const { objects, warnings, text } = await render();
      return { result: { objects }, text, warnings };
    }
    const { root, path } = target;
    let built: Awaited<ReturnType<typeof render>> | undefined;
    const written = await planAndCarryOut(context, root, { dryRun: options.dryRun === true }, async () => {
      built = await render();
      return { root, changes: [await changeFor(root, { path, content: built.text })] };
    });
    return { result: { objects: built?.objects ?? [], ...written }, warnings: built?.warnings ?? [] };
  },
});

async function targetOf(
  cwd: string,
  file: string | undefined,
): Promise<{ readonly root: string; readonly path: string } | undefined> {
  if (file === undefined) return undefined;
  const whole = resolve(cwd, file);
  const flag = '--output-file';
  const fix = 'name a file in a folder that exists';
  if (file === '' || (await statsAt(whole))?.isDirectory() === true)
    throw new OpSdkError(invalidFlag(flag, `'${file}' is a folder`, fix));
  if ((await statsAt(dirname(whole)))?.isDirectory() !== true)
    throw new OpSdkError(invalidFlag(flag, `the folder of '${file}' does not exist`, fix));
  return { root: dirname(whole), path: basename(whole) };
}
