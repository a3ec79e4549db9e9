import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from './store-error.ts';

/** Keys of a Secret with their text. A Secret is mounted into the Pod as a folder with a file for each key. */
export type SecretData = Readonly<Record<string, string>>;

/** Reads the given keys of a mounted Secret; those that it lacks are left out. */
export async function readSecret(folder: string, keys: readonly string[]): Promise<SecretData> {
  const entries = await Promise.all(
    keys.map(async (key) => {
      try {
        return [[key, await readFile(join(folder, key), 'utf8')]];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    }),
  );
  return Object.fromEntries(entries.flat()) as SecretData;
}

/** Returns the error for a Secret that cannot be used. It names keys, never values. */
export function invalidSecret(message: string, cause?: unknown): StoreError {
  return new StoreError('CredentialsInvalid', message, { cause });
}
