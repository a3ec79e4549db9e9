import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';

/** Returns true if a path that exists is inside a folder once every link is followed. */
export async function leadsInside(root: string, path: string): Promise<boolean> {
  return (await realpath(path)).startsWith((await realpath(root)) + sep);
}
