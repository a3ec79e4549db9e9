import { join } from 'node:path';
import { FindingList } from '../../base/errors/index.ts';
import { isLeftOut, layout, readFileOf, recordCommand, type RecordedCommand } from '../project/index.ts';
import { pathExists } from '../../base/util/fs.ts';
import { createHash } from 'node:crypto';

/** A file with the content that a command wants to write. */
export interface WantedFile {
  /** Path relative to the project folder, with forward slashes. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

interface PlanFilesOptions {
  /** Files that must not exist yet. */
  readonly fresh: readonly WantedFile[];
  /** Files that the command edits or generates. They may already exist, with any content. */
  readonly maintained?: readonly WantedFile[];
  /** True to overwrite existing files. */
  readonly force?: boolean;
}

/**
 * Compares the wanted files with the existing ones.
 * @throws OpSdkError `scaffold/file-exists` for every file of `fresh` that exists with other content, unless `force` is true
 */
export async function planFiles(root: string, options: PlanFilesOptions): Promise<FilePlan> {
  const findings = new FindingList();
  const changes: FileChange[] = [];
  for (const file of options.fresh) {
    const change = await changeFor(root, file);
    if (change.action === 'update' && options.force !== true) {
      findings.add({
        code: 'scaffold/file-exists',
        message: `${file.path} exists already and would be overwritten`,
        where: { file: file.path },
        fix: ['move it elsewhere', 'overwrite it with --force'],
      });
    }
    changes.push(change);
  }
  findings.throwIfAny();
  for (const file of options.maintained ?? []) changes.push(await changeFor(root, file));
  return { root, changes: changes.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

/**
 * Returns the change that gives a file its content. Differences in line endings are ignored, because git may check files out with Windows
 * line endings.
 */
export async function changeFor(root: string, { path, content }: WantedFile): Promise<FileChange> {
  if (typeof content !== 'string') {
    // The name of the packed op-sdk contains a hash of its content, so an existing file of that name has the same content.
    return (await pathExists(join(root, path)))
      ? { action: 'unchanged', path }
      : { action: 'create', path, content };
  }
  const before = await readFileOf(root, path);
  if (before === undefined) return { action: 'create', path, content };
  return isSameText(before, content)
    ? { action: 'unchanged', path }
    : { action: 'update', path, content, before };
}

/** Returns true if two texts are equal, apart from their line ends. */
export function isSameText(a: string, b: string): boolean {
  return a === b || a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');
}

/** A change of one file that a command wants to make. Paths are relative to the plan's root, with forward slashes. */
export type FileChange =
  | {
      readonly action: 'create';
      readonly path: string;
      /** Text, or bytes for files that are not text. */
      readonly content: string | Uint8Array;
      readonly executable?: boolean;
    }
  | {
      readonly action: 'update';
      readonly path: string;
      readonly content: string | Uint8Array;
      /** Content of the file, read as UTF-8, when the plan was made. The writer refuses the change if the file has changed since. */
      readonly before: string;
    }
  | { readonly action: 'delete'; readonly path: string; readonly before: string }
  | { readonly action: 'unchanged'; readonly path: string };

/** Description of the file changes of a command. `applyPlan` performs these changes; `--dry-run` prints them. */
export interface FilePlan {
  /** Absolute path of the folder to which the paths in `changes` are relative. */
  readonly root: string;
  readonly changes: readonly FileChange[];
  /** True to remove folders that become empty when files are deleted. Default: false. */
  readonly removesEmptyFolders?: boolean;
}

/** Returns a plan that leaves PROJECT alone if its record of the run would be the only change. */
export function withoutIdleRecord(plan: FilePlan, run: RecordedCommand): FilePlan {
  const isIdle = plan.changes.every(
    (change) =>
      change.action === 'unchanged' ||
      (change.action === 'update' &&
        change.path === layout.projectFile &&
        change.content === recordCommand(change.before, run) &&
        !isLeftOut(change.before, run)),
  );
  return isIdle
    ? { ...plan, changes: plan.changes.map(({ path }) => ({ action: 'unchanged', path })) }
    : plan;
}

/** A plan that copies files with people's edits before it overwrites them, and the paths of these files and of the copies. */
interface KeptEdits {
  readonly plan: FilePlan;
  /** The edited files that the plan overwrites. */
  readonly edited: readonly string[];
  /** The paths of the copies of the edited files. */
  readonly copies: readonly string[];
}

/**
 * Extends a plan that overwrites scaffolded files. For each file that was edited since it was scaffolded, adds a copy `<file>.orig`, the
 * name used by patch and git's merge tools. If that name exists, a number is appended.
 *
 * @param paths the files that are overwritten completely
 * @param recorded the hashes of files as they were scaffolded
 */
export async function keepEdited(
  plan: FilePlan,
  paths: ReadonlySet<string>,
  recorded: Readonly<Record<string, unknown>>,
): Promise<KeptEdits> {
  const copies: FileChange[] = [];
  const edited: string[] = [];
  for (const change of plan.changes) {
    if (change.action !== 'update' || !paths.has(change.path)) continue;
    if (recorded[change.path] === contentHash(change.before)) continue;
    edited.push(change.path);
    copies.push({ action: 'create', path: await freeName(plan.root, change.path), content: change.before });
  }
  const changes = [...plan.changes, ...copies].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { plan: { ...plan, changes }, edited, copies: copies.map(({ path }) => path) };
}

async function freeName(root: string, path: string): Promise<string> {
  for (let number = 0; ; number++) {
    const name = `${path}.orig${number === 0 ? '' : `.${number}`}`;
    if (!(await pathExists(join(root, name)))) return name;
  }
}

/**
 * Returns the hash of a rendered template. PROJECT records it to detect later edits of the file. Line endings are normalised, because git
 * may change them.
 */
export function contentHash(content: string): string {
  return createHash('sha256').update(content.replaceAll('\r\n', '\n')).digest('hex').slice(0, 16);
}
