import { join, relative, sep, resolve } from 'node:path';
import {
  type FilePlan,
  keepEdited,
  type WantedFile,
  changeFor,
  type FileChange,
} from '../../../project/scaffold/index.ts';
import type { CliContext, CommandOutcome } from '../../command.ts';
import { applyInLock, inProjectLock } from '../../project-lock.ts';
import { readFileOf } from '../../../project/project/index.ts';
import { Interrupted } from '../../ui/interrupted.ts';
import { askYesOrNo } from '../../ui/prompts.ts';
import type { OperatorBundle } from '../../../compiler/build/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import { statsAt } from '../../../base/util/fs.ts';
import { findKustomization } from '../../../kubernetes/kustomize/index.ts';
import type { EditOptions } from '../../flags/project-flags.ts';
import { invalidFlag } from '../input/flag-values.ts';

/** File changes that a command made, or would make in a dry run. Every command that writes files prints them as its JSON result. */
export interface PlanResult {
  readonly dryRun: boolean;
  readonly files: readonly { readonly action: string; readonly path: string }[];
}

/**
 * Calls `plan` and carries out the returned plan while holding the folder's lock, so that no other command writes to the folder in the
 * meantime. The folder may belong to a project other than that of the working directory, or to none. If an interrupted command left
 * unfinished writes, they are completed or undone before `plan` is called.
 * @param folder absolute path; the folder need not exist
 * @throws OpSdkError like {@link carryOut}
 */
export async function planAndCarryOut(
  context: CliContext,
  folder: string,
  options: { readonly dryRun: boolean },
  plan: (context: CliContext) => Promise<FilePlan>,
): Promise<PlanResult> {
  return inProjectLock(context, { folder, writes: !options.dryRun }, async (locked) =>
    carryOut(locked, await plan(locked), options),
  );
}

/**
 * Carries out a plan and lists the changed files on stderr. A dry run only lists the files.
 * @throws OpSdkError `io/cannot-write`; in this case, no file has been changed
 */
export async function carryOut(
  context: CliContext,
  plan: FilePlan,
  options: { readonly dryRun: boolean },
): Promise<PlanResult> {
  if (!options.dryRun) await applyInLock(context, plan);
  const { report } = context;
  for (const { action, path } of plan.changes) {
    if (action === 'unchanged') continue;
    const shown = relative(context.cwd, join(plan.root, path)).split(sep).join('/');
    report.info(`${report.paint(action === 'delete' ? 'warning' : 'good', action.padEnd(6))}  ${shown}`);
  }
  const unchanged = plan.changes.filter((change) => change.action === 'unchanged').length;
  if (unchanged > 0) report.info(report.paint('dim', `${unchanged} unchanged`));
  if (options.dryRun) report.info('dry run: nothing was written');
  return { dryRun: options.dryRun, files: plan.changes.map(({ action, path }) => ({ action, path })) };
}

/**
 * Protects edited files from `--force`. Asks before overwriting files that differ from their scaffolded version, and keeps a copy beside
 * each of them.
 */
export async function keepEdits(
  context: CliContext,
  plan: FilePlan,
  {
    fresh,
    recorded,
    dryRun,
  }: {
    readonly fresh: readonly Pick<WantedFile, 'path'>[];
    /** Hashes of the files as op-sdk has written them, by path. */
    readonly recorded: Readonly<Record<string, unknown>>;
    readonly dryRun: boolean;
  },
): Promise<FilePlan> {
  const paths = new Set(fresh.map(({ path }) => path));
  const kept = await keepEdited(plan, paths, recorded);
  if (kept.edited.length === 0) return plan;
  const message = `Overwrite ${kept.edited.join(', ')}? Your version is kept as ${kept.copies.join(', ')}.`;
  if (!dryRun && (await askYesOrNo(context, message, false)) === false) throw new Interrupted();
  for (const [index, path] of kept.edited.entries())
    context.report.info(`${path} was edited: that version is kept as ${kept.copies[index] ?? ''}`);
  return kept.plan;
}

/** Returns the file changes that write a bundle. Chunks from earlier builds that no file loads any more are deleted. */
export async function bundleChanges(
  root: string,
  bundle: Pick<OperatorBundle, 'files' | 'staleChunks'>,
): Promise<readonly FileChange[]> {
  const written = await Promise.all(bundle.files.map((file) => changeFor(root, file)));
  const stale = await Promise.all(
    bundle.staleChunks.map(async (path): Promise<FileChange> => ({
      action: 'delete',
      path,
      before: (await readFileOf(root, path)) ?? '',
    })),
  );
  return [...written, ...stale];
}

/**
 * Writes the files of a bundle while holding the project's lock. If this command is killed, the next command completes or undoes its
 * writes.
 */
export async function writeBundle(
  context: CliContext,
  bundle: Pick<OperatorBundle, 'files' | 'staleChunks'>,
): Promise<void> {
  const root = context.cwd;
  await inProjectLock(context, { writes: true }, async (locked) =>
    applyInLock(locked, { root, changes: await bundleChanges(root, bundle) }),
  );
}

/** Returns the absolute path of the kustomization's folder, which `--dir` names. Default: the working directory. */
export async function folderOf({ cwd }: CliContext, { dir = '.' }: EditOptions): Promise<string> {
  const folder = resolve(cwd, dir);
  const stats = await statsAt(folder);
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
 * Edits the kustomization in a folder.
 * @param edit returns the new text of the kustomization; `file` is the name of the kustomization in findings
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
