import { createHash } from 'node:crypto';
import {
  readFile,
  chmod,
  copyFile,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  writeFile,
  lstat,
  realpath,
} from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { errnoOf } from '../../base/util/fs.ts';
import { temporaryPath } from '../../base/util/folders.ts';
import { bool, list, mapped, number, object, oneOf, string } from '../../base/util/json-reader.ts';
import { invalid, readJson, type JsonReader } from '../../base/util/read-json.ts';

/** Location of a project's journal, and the command that writes it. */
export interface JournalPlace {
  /** Absolute path of the folder to which paths in the journal are relative. */
  readonly root: string;
  /** The absolute path of the journal. */
  readonly file: string;
  /** The journal's file name, as shown in messages. */
  readonly shown: string;
  /** The command that wrote the journal: `op-sdk create api`. Messages show it if the journal is found later. */
  readonly command: string;
  /** Identifies the command with its flags and arguments, so that a repetition of the command is recognized. */
  readonly request?: string | undefined;
}

/**
 * Record of the changes that a command is about to make to several files, so that another command can finish or undo them. The phases are:
 * - `prepare`: the new contents are being written to copies beside the files; no file has changed yet.
 * - `commit`: the copies are being renamed to the files.
 * - `undo`: something failed, and the former contents are being renamed back.
 */
export interface Journal {
  readonly phase: 'prepare' | 'commit' | 'undo';
  readonly command: string;
  /** Identifies the command with its flags and arguments, see {@link JournalPlace}. */
  readonly request?: string | undefined;
  readonly pid: number;
  readonly files: readonly JournalFile[];
  /** Folders that did not exist before the command, outer ones first. */
  readonly folders: readonly string[];
  /** True if the folders of deleted files are removed when they are empty. */
  readonly removesEmptyFolders?: boolean | undefined;
}

/** A file that the command changes. Paths are relative to the root, with forward slashes. */
export interface JournalFile {
  readonly path: string;
  /** Part of the names of the file's temporary copies, which are in the same folder, see {@link copiesOf}. */
  readonly id: string;
  /** SHA-256 of the former content; null if the file did not exist. */
  readonly before: string | null;
  /** SHA-256 of the new content; null if the file is deleted. */
  readonly after: string | null;
}

/**
 * Returns the paths of two copies of a file, with its new and its former content, that exist while the file is replaced. Both copies are
 * beside the file, so that they are on the same file system.
 */
export function copiesOf(target: string, id: string): { readonly fresh: string; readonly backup: string } {
  return { fresh: temporaryPath(target, id, 'new'), backup: temporaryPath(target, id, 'old') };
}

export function bytesHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Returns the hash of a file; null if the file does not exist. */
export async function hashOfFile(path: string): Promise<string | null> {
  try {
    return bytesHash(await readFile(path));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return null;
    throw error;
  }
}

/** Returns the path of the temporary file to which a journal is written first. */
export function draftOf(file: string): string {
  return `${file}.new`;
}

/** Writes the journal atomically, replacing a former one. */
export async function writeJournal(ops: FileOps, { file }: JournalPlace, journal: Journal): Promise<void> {
  const draft = draftOf(file);
  try {
    // Remove a draft that a killed process left. Only the holder of the lock writes drafts, so no running process uses it.
    await ops.remove(draft);
    await ops.create(draft, `${JSON.stringify(journal, null, 2)}\n`, 0o666);
    await ops.flush(draft);
    await ops.rename(draft, file);
  } catch (error) {
    await ops.remove(draft).catch(() => undefined);
    throw error;
  }
  await ops.flush(dirname(file));
}

/**
 * Reads a journal.
 * @returns undefined if no command was interrupted
 * @throws OpSdkError `scaffold/interrupted-write` if the file is not a journal
 */
export async function readJournal(file: string): Promise<Journal | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
  const journal = parse(text);
  if (journal !== undefined) return journal;
  throw new OpSdkError({
    code: 'scaffold/interrupted-write',
    message: 'invalid journal of an interrupted command: expected JSON as op-sdk writes it',
    where: { file },
    fix: ['check the project with git status, then delete the file'],
  });
}

function parse(text: string): Journal | undefined {
  try {
    const journal: unknown = JSON.parse(text);
    const { problems } = readJson(journalReader, journal, 'the journal');
    return problems.length === 0 ? (journal as Journal) : undefined;
  } catch {
    return undefined;
  }
}

function matching(pattern: RegExp, expected: string): JsonReader<string> {
  return mapped(string, (text, place) =>
    pattern.test(text) ? text : invalid(place, `expected ${expected}`, missing),
  );
}

const missing = 'delete the journal';
const hash = matching(/^[0-9a-f]{64}$/, 'a SHA-256');
const hashOrNull: JsonReader<string | null> = (value, place) => (value === null ? null : hash(value, place));

const fileReader = object(
  {
    path: string,
    // The id becomes part of a file name, so its form is checked.
    id: matching(/^[0-9a-f]{12}$/, '12 hexadecimal digits'),
    before: hashOrNull,
    after: hashOrNull,
  } satisfies Record<keyof JournalFile, JsonReader<unknown>>,
  { required: { path: missing, id: missing, before: missing, after: missing }, others: 'ignore' },
);

const journalReader = object(
  {
    phase: oneOf('prepare', 'commit', 'undo'),
    command: string,
    request: string,
    pid: number,
    files: list(fileReader),
    folders: list(string),
    removesEmptyFolders: bool,
  } satisfies Record<keyof Journal, JsonReader<unknown>>,
  {
    required: { phase: missing, command: missing, pid: missing, files: missing, folders: missing },
    others: 'ignore',
  },
);

/** All file system operations of a plan's executor. Each makes one change, so that tests can interrupt the executor after any of them. */
export interface FileOps {
  /** Creates a file with its complete content; the file must not exist. */
  create(path: string, content: string | Uint8Array, mode: number): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Deletes a file; a missing file is not an error. */
  remove(path: string): Promise<void>;
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  /** Flushes a file or folder to disk, so that its content survives a power failure. */
  flush(path: string): Promise<void>;
}

export const fileOps: FileOps = {
  create: (path, content, mode) => writeFile(path, content, { flag: 'wx', mode }),
  copy: (from, to) => copyFile(from, to),
  chmod: (path, mode) => chmod(path, mode),
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
  mkdir: async (path) => {
    await mkdir(path);
  },
  rmdir: (path) => rmdir(path),
  async flush(path) {
    try {
      const handle = await open(path, 'r');
      await handle.sync().finally(() => handle.close());
    } catch {
      // Not all systems can flush folders, or files that are open for reading; then it is up to them.
    }
  },
};

/**
 * Removes the folders of deleted files, and their parents, if they are empty.
 * @param deleted absolute paths of the files
 * @param root absolute path, without links, of a folder that stays
 */
export async function removeEmptyFolders(
  deleted: readonly string[],
  root: string,
  ops: FileOps,
): Promise<void> {
  for (const target of deleted) {
    for (
      let folder = dirname(target);
      folder !== root && folder !== dirname(folder);
      folder = dirname(folder)
    ) {
      // A folder that is missing may have a parent that is empty: the process was killed between the two.
      if ((await readdir(folder).catch(() => [])).length > 0) break;
      // If several deleted files were in the folder, it may have been removed already, so an error is ignored.
      await ops.rmdir(folder).catch(() => undefined);
    }
  }
}

/**
 * Resolves a path of a plan, following symbolic links that stay inside `root`.
 * @param root absolute path of the project
 * @param path path relative to `root`, with forward slashes
 * @returns the absolute path of the file to write, or a finding if the path leads out of `root`
 */
export async function resolveInside(
  root: string,
  path: string,
): Promise<{ target: string } | { finding: Finding }> {
  const outside = (message: string): { finding: Finding } => ({
    finding: {
      code: 'scaffold/outside-project',
      message,
      where: { file: path },
      fix: ['replace the link by a file or folder of the project'],
    },
  });
  const steps = path.split('/');
  if (isAbsolute(path) || steps.some((step) => step === '' || step === '.' || step === '..')) {
    return outside(`${JSON.stringify(path)} is not a path inside the project`);
  }
  const realRoot = await realpath(root);
  const wanted = join(realRoot, ...steps);
  const existing = await deepestExisting(wanted);
  let real: string;
  try {
    real = await realpath(existing);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    return outside(`${path} is or passes through a symbolic link to nothing`);
  }
  if (real !== realRoot && !real.startsWith(realRoot + sep)) {
    return outside(`${path} passes through a symbolic link that leads out of the project`);
  }
  return { target: join(real, relative(existing, wanted)) };
}

async function deepestExisting(path: string): Promise<string> {
  try {
    await lstat(path);
    return path;
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) throw error;
    return deepestExisting(dirname(path));
  }
}
