import { isUtf8 } from 'node:buffer';
import { lstat, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FindingList } from '../../base/errors/index.ts';
import { errnoOf, errnoText } from '../../base/util/fs.ts';
import { resolveInside } from '../scaffold/index.ts';

/** A file whose text can be merged. */
export interface TextEntry {
  readonly kind: 'text';
  readonly text: string;
  /** Identity of the file on its disk, which is the same for all names of a file. */
  readonly id: string;
  /** True if the path is, or passes through, a symbolic link. */
  readonly isLinked: boolean;
  readonly isExecutable: boolean;
}

/** Entry at a path of a project. */
export type ProjectEntry =
  | TextEntry
  | { readonly kind: 'absent' }
  /**
   * The path, or a part of it, is something that cannot be merged. The reason continues a sentence that begins with the path: `is a
   * folder`.
   */
  | { readonly kind: 'obstacle'; readonly reason: string };

/**
 * Reads the entry at a path of a project. A missing or unsuitable entry is not an error.
 * @param root absolute path of the project
 * @param path path relative to `root`, with forward slashes
 */
export async function projectEntry(root: string, path: string): Promise<ProjectEntry> {
  try {
    return await entryAt(root, path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return { kind: 'absent' };
    if (errnoOf(error) === undefined) throw error;
    return obstacle(`cannot be read (${errnoText(error)})`);
  }
}

async function entryAt(root: string, path: string): Promise<ProjectEntry> {
  const resolved = await resolveInside(root, path);
  if ('finding' in resolved)
    return obstacle('is or passes through a symbolic link that leads to nothing in the project');
  let isLinked = false;
  const steps = path.split('/');
  for (const [index] of steps.entries()) {
    const part = steps.slice(0, index + 1).join('/');
    const isLink = (await lstat(join(root, part))).isSymbolicLink();
    isLinked ||= isLink;
    if (index < steps.length - 1 && !(await stat(join(root, part))).isDirectory())
      return obstacle(`has no folder, because ${part} is a file`);
  }
  const { target } = resolved;
  const stats = await stat(target, { bigint: true });
  if (stats.isDirectory()) return obstacle('is a folder');
  // Reading a pipe would block, and reading a device might never end.
  if (!stats.isFile()) return obstacle('is not a regular file');
  const bytes = await readFile(target);
  if (!isUtf8(bytes)) return obstacle('is not text in UTF-8');
  const isExecutable = (stats.mode & 0o111n) !== 0n;
  return {
    kind: 'text',
    text: bytes.toString('utf8'),
    id: `${stats.dev}:${stats.ino}`,
    isLinked,
    isExecutable,
  };
}

function obstacle(reason: string): ProjectEntry {
  return { kind: 'obstacle', reason };
}

/**
 * Refuses a project whose own files cannot be edited.
 * @param paths files that every upgrade edits, if they exist
 * @throws OpSdkError `upgrade/cannot-merge`
 */
export async function expectTextFiles(root: string, paths: readonly string[]): Promise<void> {
  const findings = new FindingList();
  for (const path of paths) {
    const entry = await projectEntry(root, path);
    if (entry.kind !== 'obstacle') continue;
    findings.add({
      code: 'upgrade/cannot-merge',
      message: `${path} ${entry.reason}, so that the project cannot be upgraded: expected a text file of the project`,
      where: { file: path },
      fix: ['replace it by such a file, in UTF-8, and run the command again'],
    });
  }
  findings.throwIfAny();
}
