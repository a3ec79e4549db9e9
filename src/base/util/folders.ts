import { realpath, readdir, rm } from 'node:fs/promises';
import { sep, basename, dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';

/** Returns true if an existing path is inside a folder after all links are resolved. */
export async function leadsInside(root: string, path: string): Promise<boolean> {
  return (await realpath(path)).startsWith((await realpath(root)) + sep);
}

/** Name of the folder in which op-sdk keeps its own files: the lock and the journal of commands that write, image stores, templates. */
const ownFolder = '.op-sdk';

/** Returns a random part for the names of temporary files: 12 hexadecimal digits. */
export function newTemporaryId(): string {
  return randomBytes(6).toString('hex');
}

/**
 * Returns the path of a temporary file in the folder of `target`. The temporary file holds the new or the old content of `target` while
 * `target` is replaced.
 */
export function temporaryPath(target: string, id: string, kind: 'new' | 'old'): string {
  return join(dirname(target), `.${basename(target)}.${id}.${kind}`);
}

/**
 * Returns true if a name belongs to op-sdk: the name of its folder, or of a temporary file that a killed command left behind. Code that
 * reads every file of a folder (catalogues, bundles) must skip such names.
 */
export function isLeftover(name: string): boolean {
  return name === ownFolder || /^\..+\.[0-9a-f]{12}\.(?:new|old)$/.test(name);
}

/**
 * Removes the temporary files of killed processes.
 * @param isTarget receives the name of the file that a temporary file was to replace; returns true to remove the temporary file
 */
export async function removeTemporaries(folder: string, isTarget: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const target = /^\.(.+)\.[0-9a-f]{12}\.(?:new|old)$/.exec(name)?.[1];
    if (target !== undefined && isTarget(target)) await rm(join(folder, name), { force: true });
  }
}
