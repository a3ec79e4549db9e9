import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Guardian } from './guardian.ts';

/** A temporary folder for secrets: a guardian process removes it when this process ends, even by SIGKILL. */
export interface GuardedFolder {
  /** Absolute path of the folder. */
  readonly path: string;
  /** Removes the folder with its contents. */
  readonly remove: () => Promise<void>;
}

/**
 * Creates a temporary folder that is removed when this process ends.
 * @param prefix first part of the folder name
 */
export async function guardedFolder(prefix: string): Promise<GuardedFolder> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  const guardian = new Guardian({ folders: [path] });
  return { path, remove: () => guardian.stop() };
}
