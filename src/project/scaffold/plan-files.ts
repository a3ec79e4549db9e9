import { join } from 'node:path';
import { FindingList } from '../../base/errors/index.ts';
import { readFileOf } from '../project/index.ts';
import { pathExists } from '../../base/util/fs.ts';
import type { FileChange, FilePlan } from './plan.ts';

/** A file as a command wants it to be. */
export interface WantedFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

export interface PlanFilesOptions {
  /** Files that must not be there yet. */
  readonly fresh: readonly WantedFile[];
  /** Files that the command maintains: edited or generated. They may be there with any content. */
  readonly maintained?: readonly WantedFile[];
  /** Overwrite what is there. */
  readonly force?: boolean;
}

/**
 * Compares what a command wants with what is there.
 * @throws OpSdkError `scaffold/file-exists` for every fresh file that is there with other content, unless `force`
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
 * The change that gives a file its content. Line ends alone are no difference: git may check files out with those of
 * Windows.
 */
export async function changeFor(root: string, { path, content }: WantedFile): Promise<FileChange> {
  if (typeof content !== 'string') {
    // A packed archive has its version in its name: the same name is the same archive.
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
