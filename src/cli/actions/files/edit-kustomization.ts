import { stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { OpSdkError } from '../../../base/errors/index.ts';
import { findKustomization } from '../../../kubernetes/kustomize/index.ts';
import { readFileOf } from '../../../project/project/index.ts';
import { changeFor } from '../../../project/scaffold/plan-files.ts';
import type { CliContext, CommandOutcome } from '../../command.ts';
import type { EditOptions } from '../../flags/edit-flags.ts';
import { carryOut } from './apply-plan.ts';
import { invalidFlag } from '../input/flag-values.ts';

/** The folder of the kustomization, absolute. */
export async function folderOf({ cwd }: CliContext, { dir = '.' }: EditOptions): Promise<string> {
  const folder = resolve(cwd, dir);
  const stats = await stat(folder).catch(() => undefined);
  if (dir !== '' && stats?.isDirectory() === true) return folder;
  throw new OpSdkError(
    invalidFlag(
      '--dir',
      stats === undefined ? `the folder ${dir} does not exist` : `'${dir}' is not a folder`,
      'name the folder of a kustomization',
    ),
  );
}

/**
 * Edits the kustomization of a folder.
 *
 * @param edit gives the new text; `file` is the name for findings
 */
export async function editKustomization(
  context: CliContext,
  options: EditOptions,
  edit: (text: string, file: string) => string,
): Promise<CommandOutcome> {
  const root = await folderOf(context, options);
  const path = await findKustomization(root, options.dir ?? '.');
  const shown = relative(context.cwd, join(root, path)).split(sep).join('/');
  const content = edit((await readFileOf(root, path)) ?? '', shown);
  const plan = { root, changes: [await changeFor(root, { path, content })] };
  return { result: await carryOut(context, plan, { dryRun: options.dryRun === true }) };
}
