import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Guardian } from './guardian.ts';

/** A temporary folder for secrets: a guardian removes it when this process ends, however rudely. */
export interface GuardedFolder {
  /** Absolute. */
  readonly path: string;
  /** Removes it with all that is in it. */
  readonly remove: () => Promise<void>;
}

/**
 * Makes a temporary folder that does not outlive this process.
 * @param prefix of its name
 */
export async function guardedFolder(prefix: string): Promise<GuardedFolder> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  const guardian = new Guardian({ folders: [path] });
  return { path, remove: () => guardian.stop() };
}
