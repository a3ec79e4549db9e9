import { realpath } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { FindingList, type Finding } from '../../base/errors/index.ts';
import {
  copiesOf,
  hashOfFile,
  readJournal,
  type Journal,
  type JournalFile,
  fileOps,
  removeEmptyFolders,
  type FileOps,
  resolveInside,
} from './journal.ts';

/** Result of the recovery from a command that was interrupted while it wrote files. */
export interface Recovery {
  readonly outcome: 'finished' | 'undone';
  /** The command that was interrupted. */
  readonly command: string;
  /** Files changed by this recovery, relative to the root. */
  readonly files: readonly string[];
  /** All changes of the interrupted command, relative to the root. */
  readonly changes: readonly { readonly action: 'create' | 'update' | 'delete'; readonly path: string }[];
  /** True if the command that is about to run repeats the interrupted command with the same flags and arguments. */
  readonly isRepeated: boolean;
}

/** A file of the journal and its state on disk. */
interface Found extends JournalFile {
  /** Absolute path of the file. */
  readonly target: string;
  /** The hash of the current content; null if the file does not exist. */
  readonly now: string | null;
  /**
   * Absolute path of the copy with the new content (`fresh`) or the former content (`backup`); undefined if the copy is missing or differs
   * from the journal.
   */
  readonly fresh: string | undefined;
  readonly backup: string | undefined;
}

/**
 * Finishes or undoes the changes of a command that was killed while writing. Only the holder of the project's lock may call this function.
 * Later edits by people are kept.
 *
 * If the interrupted command itself is repeated, its changes are undone if possible, so that it starts from the original files. Otherwise,
 * the repeated command would find the files that it wrote before and refuse to overwrite them.
 *
 * @param root base of the paths in the journal; nothing outside of it is touched
 * @param request identifies the command that is about to run, see {@link Journal}
 * @returns undefined if there was nothing to do
 * @throws OpSdkError `scaffold/interrupted-write` for each file that can be neither finished nor undone; all other files are finished or
 * undone, and the next call finds nothing more to do
 */
export async function recover(
  root: string,
  journalFile: string,
  request?: string,
  ops: FileOps = fileOps,
): Promise<Recovery | undefined> {
  const journal = await readJournal(journalFile);
  if (journal === undefined) return undefined;
  const files = await look(root, journal);
  const isRepeated = request !== undefined && journal.request === request;
  const finishes = canFinish(journal, files) && !(isRepeated && canUndo(files));
  const outcome = finishes ? ('finished' as const) : ('undone' as const);
  const findings = new FindingList();
  const changed: string[] = [];
  const kept = new Set<string>();
  for (const file of files) {
    if (journal.phase === 'prepare') continue;
    const settled = outcome === 'finished' ? await finish(file, ops) : await undo(file, ops);
    if (settled === 'changed') changed.push(file.path);
    if (typeof settled !== 'object') continue;
    if (settled.keep !== undefined) kept.add(settled.keep);
    findings.add(unsettled(journal, file, settled));
  }
  for (const { target, id } of files) {
    const { fresh, backup } = copiesOf(target, id);
    for (const copy of [fresh, backup]) if (!kept.has(copy)) await ops.remove(copy);
  }
  if (outcome === 'undone') await removeFolders(root, journal, ops);
  else if (journal.removesEmptyFolders === true)
    await removeEmptyFolders(
      files.filter(({ after }) => after === null).map(({ target }) => target),
      await realpath(root),
      ops,
    );
  await ops.remove(journalFile);
  findings.throwIfAny();
  const changes = files.map(({ path, before, after }) => ({
    action:
      before === null ? ('create' as const) : after === null ? ('delete' as const) : ('update' as const),
    path,
  }));
  return { outcome, command: journal.command, files: changed, changes, isRepeated };
}

/**
 * Compares the files of a journal with the disk.
 * @throws OpSdkError `scaffold/outside-project` if the journal was manipulated or a folder was replaced by a link
 */
async function look(root: string, journal: Journal): Promise<readonly Found[]> {
  const findings = new FindingList();
  const found: Found[] = [];
  for (const file of journal.files) {
    const resolved = await resolveInside(root, file.path);
    if ('finding' in resolved) {
      findings.add(resolved.finding);
      continue;
    }
    const { target } = resolved;
    const { fresh, backup } = copiesOf(target, file.id);
    const [now, freshHash, backupHash] = await Promise.all([target, fresh, backup].map(hashOfFile));
    found.push({
      ...file,
      target,
      now: now ?? null,
      fresh: freshHash != null && freshHash === file.after ? fresh : undefined,
      backup: backupHash != null && backupHash === file.before ? backup : undefined,
    });
  }
  findings.throwIfAny();
  return found;
}

/**
 * Returns true if the changes can be finished. If no file was renamed yet and a copy of new content is missing (`git clean` removes such
 * copies), the changes can only be undone.
 */
function canFinish({ phase }: Journal, files: readonly Found[]): boolean {
  if (phase !== 'commit') return false;
  const isUntouched = files.every(({ now, before }) => now === before);
  return !isUntouched || files.every(({ after, fresh }) => after === null || fresh !== undefined);
}

/**
 * Returns true if every file can be restored. Each file must be unedited since the command wrote it, and the copy of its former content
 * must exist.
 */
function canUndo(files: readonly Found[]): boolean {
  return files.every(
    ({ now, before, after, backup }) =>
      now === before || (now === after && (before === null || backup !== undefined)),
  );
}

/** The reason why a file is left unchanged, and a fix for the user. */
interface Unsettled {
  readonly reason: string;
  readonly fix: string;
  /** Path of a copy that is kept, because the person who edited the file needs the content of the copy. */
  readonly keep?: string;
}

type Settled = 'as-wanted' | 'changed' | Unsettled;

async function finish({ now, before, after, target, fresh }: Found, ops: FileOps): Promise<Settled> {
  if (now === after) return 'as-wanted';
  if (now !== before) {
    // If the copy of the new content is missing, it was already renamed to the file, and the file was edited after that.
    return fresh === undefined
      ? 'as-wanted'
      : {
          reason: 'it was edited since and is kept',
          fix: 'merge the new content',
          keep: fresh,
        };
  }
  if (after === null) await ops.remove(target);
  else if (fresh !== undefined) await ops.rename(fresh, target);
  else return { reason: 'the new content of the file is missing', fix: 'run the interrupted command again' };
  return 'changed';
}

async function undo({ now, before, after, target, backup }: Found, ops: FileOps): Promise<Settled> {
  if (now === before) return 'as-wanted';
  if (now !== after) {
    return backup === undefined
      ? 'as-wanted'
      : {
          reason: 'it was edited since and is kept',
          fix: 'compare it with the former content',
          keep: backup,
        };
  }
  if (before === null) await ops.remove(target);
  else if (backup !== undefined) await ops.rename(backup, target);
  else
    return {
      reason: 'the former content of the file is missing',
      fix: 'restore it, for example with git checkout',
    };
  return 'changed';
}

function unsettled({ command }: Journal, { path, target }: Found, why: Unsettled): Finding {
  const beside = why.keep === undefined ? '' : ` in ${besideOf(path, target, why.keep)}`;
  return {
    code: 'scaffold/interrupted-write',
    message: `\`${command}\` was interrupted while it wrote ${path}: ${why.reason}`,
    where: { file: path },
    fix: [`${why.fix}${beside}`, 'then run this command again'],
  };
}

/**
 * Returns the path of a copy relative to the root. The copy is shown in the folder of `path` as written, even if that path leads through a
 * symbolic link.
 */
function besideOf(path: string, target: string, copy: string): string {
  const name = relative(dirname(target), copy);
  const folder = path.split('/').slice(0, -1).join('/');
  return folder === '' ? name : `${folder}/${name}`.split(sep).join('/');
}

async function removeFolders(root: string, { folders }: Journal, ops: FileOps): Promise<void> {
  for (const folder of folders.toReversed()) {
    const resolved = await resolveInside(root, folder);
    if ('finding' in resolved) continue;
    // The folder may contain other files by now, so an error is ignored.
    await ops.rmdir(resolved.target).catch(() => undefined);
  }
}
