import { realpath, readdir, rm } from 'node:fs/promises';
import { sep, basename, dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';

/** Returns true if a path that exists is inside a folder once every link is followed. */
export async function leadsInside(root: string, path: string): Promise<boolean> {
  return (await realpath(path)).startsWith((await realpath(root)) + sep);
}

/** The folder in which op-sdk keeps its own files: the lock and the journal of commands that write, image stores, templates. */
const ownFolder = '.op-sdk';

/** Returns a random part of the names of temporary files: 12 hexadecimal digits. */
export function newTemporaryId(): string {
  return randomBytes(6).toString('hex');
}

/** Returns the path, in the same folder, of a temporary file that holds the new or the old content of `target` while it is replaced. */
export function temporaryPath(target: string, id: string, kind: 'new' | 'old'): string {
  return join(dirname(target), `.${basename(target)}.${id}.${kind}`);
}

/**
 * Returns true if a name is one of op-sdk's own: its folder, or a temporary file that a killed command left behind. Code that reads every
 * file of a folder (catalogues, bundles) must skip them.
 */
export function isLeftover(name: string): boolean {
  return name === ownFolder || /^\..+\.[0-9a-f]{12}\.(?:new|old)$/.test(name);
}

/**
 * Removes the temporary files of killed processes.
 * @param isTarget selects files by the name of the target that was to be replaced
 */
export async function removeTemporaries(folder: string, isTarget: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const target = /^\.(.+)\.[0-9a-f]{12}\.(?:new|old)$/.exec(name)?.[1];
    if (target !== undefined && isTarget(target)) await rm(join(folder, name), { force: true });
  }
}
