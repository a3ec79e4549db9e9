import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { renderKustomization } from '../../kubernetes/kustomize/index.ts';
import { changeFor } from '../../project/scaffold/index.ts';
import { toYaml } from '../../kubernetes/yaml/index.ts';
import type { Action } from '../command.ts';
import type { command } from '../commands/kustomize-build.ts';
import { planAndCarryOut } from './files/apply-plan.ts';
import { invalidFlag } from './input/flag-values.ts';

/** `op-sdk kustomize build`. */
export const run: Action<typeof command> = async (context, options, [folder = '.']) => {
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
};

async function targetOf(
  cwd: string,
  file: string | undefined,
): Promise<{ readonly root: string; readonly path: string } | undefined> {
  if (file === undefined) return undefined;
  const whole = resolve(cwd, file);
  const flag = '--output-file';
  const fix = 'name a file in a folder that exists';
  if (file === '' || (await isFolder(whole)))
    throw new OpSdkError(invalidFlag(flag, `'${file}' is a folder`, fix));
  if (!(await isFolder(dirname(whole))))
    throw new OpSdkError(invalidFlag(flag, `the folder of '${file}' does not exist`, fix));
  return { root: dirname(whole), path: basename(whole) };
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
