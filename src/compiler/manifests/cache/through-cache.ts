import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { FileView } from '../../../base/util/file-view.ts';
import { observe, stillHolds } from '../../../base/util/observe-files.ts';
import { readEntry, writeEntry } from './entry.ts';
import { noteUse, readEntryFile, writeEntryFile } from './entry-files.ts';
import { packageIdentity } from './package-identity.ts';

export interface CacheRequest<T> {
  /** Where entries are kept. */
  readonly folder: string;
  /** Everything that decides on the outcome beside the files and the generator: the folder of the project and all options. Plain JSON. */
  readonly key: unknown;
  /** Makes the outcome, which must be plain JSON. It may look at the file system only through `files`. */
  readonly make: (files: FileView) => Promise<T>;
  /** Default: that of the running package. */
  readonly identity?: string;
}

/**
 * The outcome of a former run, if the generator, the options and everything that run saw of the file system are the same; else a
 * new one, which is remembered. A run that fails is not.
 *
 * Several processes may do this at once: an entry appears whole, and the last one stays.
 *
 * @throws what `make` throws
 */
export async function throughCache<T>(request: CacheRequest<T>): Promise<T> {
  const { folder } = request;
  const key = JSON.stringify(request.key);
  const identity = request.identity ?? packageIdentity();
  const name = `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.entry`;
  const file = join(folder, name);
  const entry = readEntry(readEntryFile(file) ?? '');
  if (entry?.identity === identity && entry.key === key && stillHolds(entry.observations)) {
    await noteUse(file);
    return entry.value as T;
  }
  const observed = observe();
  const value = await request.make(observed.view);
  const seen = observed.observations();
  if (seen !== undefined) {
    await writeEntryFile(folder, name, writeEntry({ identity, key, observations: seen, value }));
  }
  return value;
}
