import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import { errnoOf } from '../../base/util/fs.ts';
import { temporaryPath } from '../../base/util/leftovers.ts';
import { list, mapped, number, object, oneOf, string } from '../../base/util/json-reader.ts';
import { invalid, readJson, type JsonReader } from '../../base/util/read-json.ts';
import type { FileOps } from './file-ops.ts';

/** Where the journal of a project lies, and who writes it. */
export interface JournalPlace {
  /** The folder that paths in the journal are relative to; absolute. */
  readonly root: string;
  /** Absolute. */
  readonly file: string;
  /** The file for messages. */
  readonly shown: string;
  /** For those who find it: `op-sdk create api`. */
  readonly command: string;
  /** Identifies the command with its flags and arguments, so that its repetition is recognized. */
  readonly request?: string | undefined;
}

/**
 * Record of the changes that a command is about to make to several files, so that another one can finish or undo them.
 *
 * `prepare`: the new contents are being written beside the files, none of which has changed yet.
 * `commit`: they are being renamed into place.
 * `undo`: something failed; the former contents are being renamed back.
 */
export interface Journal {
  readonly phase: 'prepare' | 'commit' | 'undo';
  readonly command: string;
  /** See {@link JournalPlace}. */
  readonly request?: string | undefined;
  readonly pid: number;
  readonly files: readonly JournalFile[];
  /** Folders that did not exist before, outer ones first. */
  readonly folders: readonly string[];
}

/** Paths are relative to the root, with forward slashes. */
export interface JournalFile {
  readonly path: string;
  /** Names the copies beside the file, see {@link copiesOf}. */
  readonly id: string;
  /** SHA-256 of the former content; null if the file did not exist. */
  readonly before: string | null;
  /** SHA-256 of the new content; null if the file is deleted. */
  readonly after: string | null;
}

/** Where the new and the former content of a file lie while it is being replaced: beside it, on the same file system. */
export function copiesOf(target: string, id: string): { readonly fresh: string; readonly backup: string } {
  return { fresh: temporaryPath(target, id, 'new'), backup: temporaryPath(target, id, 'old') };
}

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The hash of a file; null if it does not exist. */
export async function hashOfFile(path: string): Promise<string | null> {
  try {
    return hashOf(await readFile(path));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return null;
    throw error;
  }
}

/** Where a journal lies until it is whole. */
export function draftOf(file: string): string {
  return `${file}.new`;
}

/** Writes the journal in one step, in place of a former one. */
export async function writeJournal(ops: FileOps, { file }: JournalPlace, journal: Journal): Promise<void> {
  const draft = draftOf(file);
  try {
    // One of a process that was killed; only the holder of the lock writes here.
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
 * @returns undefined if no command was interrupted
 * @throws OpSdkError `scaffold/interrupted-write` if it is not a journal
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
    // It becomes part of a file name.
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
  } satisfies Record<keyof Journal, JsonReader<unknown>>,
  {
    required: { phase: missing, command: missing, pid: missing, files: missing, folders: missing },
    others: 'ignore',
  },
);
