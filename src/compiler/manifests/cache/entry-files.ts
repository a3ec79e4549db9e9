import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../../../base/util/fs.ts';

/** Entries that are kept; those used longest ago go first. */
const maxEntries = 64;
/** Bytes of all entries together. */
const maxBytes = 256 * 1024 * 1024;
/** Milliseconds after which a half-written file is left over from a process that died. */
const abandonedAfter = 60 * 60 * 1000;
/** Milliseconds between two notes that an entry is in use. */
const noteEvery = 60 * 60 * 1000;

/** The text of an entry; undefined if there is none, or none that can be read. */
export function readEntryFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return ignoreSystem(error);
  }
}

/**
 * Writes an entry, whole or not at all, and drops old ones. A folder that cannot be written to, or a full disk, means that
 * nothing is remembered; the work that was asked for is done.
 */
export async function writeEntryFile(folder: string, name: string, text: string): Promise<void> {
  const draft = join(folder, `${name}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await mkdir(folder, { recursive: true });
    try {
      await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
      await rename(draft, join(folder, name));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    await dropOld(folder, name);
  } catch (error) {
    ignoreSystem(error);
  }
}

/** Notes that an entry is in use, so that it is not among the first to go. */
export async function noteUse(file: string): Promise<void> {
  try {
    const now = new Date();
    if (now.getTime() - (await stat(file)).mtimeMs > noteEvery) await utimes(file, now, now);
  } catch (error) {
    ignoreSystem(error);
  }
}

async function dropOld(folder: string, kept: string): Promise<void> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      // Another process may have dropped it meanwhile.
      const stats = await stat(path).catch(ignoreSystem);
      return { name, path, size: stats?.size ?? 0, time: stats?.mtimeMs ?? 0 };
    }),
  );
  const now = Date.now();
  const abandoned = files.filter(({ name, time }) => name.endsWith('.tmp') && now - time > abandonedAfter);
  const entries = files
    .filter(({ name }) => name.endsWith('.entry'))
    .sort((a, b) => Number(b.name === kept) - Number(a.name === kept) || b.time - a.time);
  let bytes = 0;
  const surplus = entries.filter(({ size }, index) => {
    bytes += size;
    return index > 0 && (index >= maxEntries || bytes > maxBytes);
  });
  await Promise.all([...abandoned, ...surplus].map(({ path }) => rm(path, { force: true })));
}

/** Errors of the system disable the cache; any other error is a bug of ours and is thrown. */
function ignoreSystem(error: unknown): undefined {
  if (errnoOf(error) === undefined) throw error;
  return undefined;
}
