import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { OpSdkError } from '../../../errors/index.ts';
import type { CommandModule } from '../../command.ts';
import { dryRunFlag } from '../../flags.ts';

interface Options {
  readonly outputFile?: string;
  readonly dryRun?: boolean;
}

/** `op-sdk kustomize build`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('[folder]', 'the folder of the kustomization (default: the current folder)');
    command.option('--output-file <file>', 'write the objects into a file instead of printing them');
    dryRunFlag(command);
    command.addHelpText(
      'after',
      `
Renders a kustomization as kustomize 5 does, without kustomize: resources, components, namespace,
names, labels, annotations, images, replicas, patches and replacements. What it does not render,
such as generators, is refused; then use kustomize itself, whose output every command of op-sdk
that takes objects reads with -f -.`,
    );
  },
  async run(context, given, [folder = '.']) {
    const options = given as Options;
    const target = await targetOf(context.cwd, options.outputFile);
    const { renderKustomization } = await import('../../../kustomize/index.ts');
    const { toYaml } = await import('../../../yaml/to-yaml.ts');
    const rendered = await renderKustomization(folder, { cwd: context.cwd });
    const objects = rendered.map(({ object }) => object);
    const text = objects.map((object) => toYaml(object)).join('---\n');
    if (target === undefined) return { result: { objects }, text };
    const { changeFor } = await import('../../../scaffold/plan-files.ts');
    const { carryOut } = await import('../../apply-plan.ts');
    const { root, path } = target;
    const plan = { root, changes: [await changeFor(root, { path, content: text })] };
    return { result: { objects, ...(await carryOut(context, plan, { dryRun: options.dryRun === true })) } };
  },
};

async function targetOf(
  cwd: string,
  file: string | undefined,
): Promise<{ readonly root: string; readonly path: string } | undefined> {
  if (file === undefined) return undefined;
  const whole = resolve(cwd, file);
  const invalid = (message: string): OpSdkError =>
    new OpSdkError({
      code: 'cli/invalid-value',
      message,
      where: { flag: '--output-file' },
      fix: ['name a file in a folder that exists'],
    });
  if (file === '' || (await isFolder(whole))) throw invalid(`'${file}' is a folder`);
  if (!(await isFolder(dirname(whole)))) throw invalid(`the folder of '${file}' does not exist`);
  return { root: dirname(whole), path: basename(whole) };
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
