import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../../base/util/fs.ts';
import { executable } from './binaries.ts';

/** Origin of a binary: the published archive for tests, the server archive of the release of Kubernetes, or a build from Go modules. */
export type AssetSource = 'archive' | 'release' | 'go';

/** A Kubernetes version whose binaries are in the cache. */
export interface CachedAssets {
  /** Kubernetes version, such as `1.36.3`. */
  readonly version: string;
  /** Absolute path of the folder with the binaries. */
  readonly folder: string;
  /** The programs in the folder, each with its origin. */
  readonly binaries: Readonly<Record<string, AssetSource>>;
}

/** Environment variables by name, as `process.env` has them. */
export type Env = Readonly<Record<string, string | undefined>>;

/**
 * The folder that contains a folder for each installed version: `$XDG_CACHE_HOME/op-sdk/testenv`, or `~/.cache/op-sdk/testenv` if the
 * variable is not set.
 */
export function testenvFolder(env: Env): string {
  return cacheFolder(env, 'testenv');
}

/** Returns the folder with the binaries of a version. It is created atomically, and every program in it is complete. */
export function versionFolder(env: Env, version: string): string {
  return join(testenvFolder(env), version);
}

const recordName = 'assets.json';

/** Reads the record that lists the binaries of a folder and their origins; returns undefined if the folder has none. */
export async function readRecord(folder: string): Promise<CachedAssets['binaries'] | undefined> {
  try {
    return (JSON.parse(await readFile(join(folder, recordName), 'utf8')) as Pick<CachedAssets, 'binaries'>)
      .binaries;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the record that lists the binaries of a folder and their origins. */
export async function writeRecord(folder: string, binaries: CachedAssets['binaries']): Promise<void> {
  await writeFile(join(folder, recordName), `${JSON.stringify({ binaries }, null, 2)}\n`);
}

/** Returns the installed versions, oldest Kubernetes version first. @param env default: the environment of the process */
export async function listAssets(env: Env = process.env): Promise<readonly CachedAssets[]> {
  const names = await readdir(testenvFolder(env)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found: CachedAssets[] = [];
  for (const version of names.filter((name) => /^\d+\.\d+\.\d+$/.test(name)).sort(compareVersions)) {
    const folder = versionFolder(env, version);
    const binaries = await readRecord(folder);
    if (binaries !== undefined) found.push({ version, folder, binaries });
  }
  return found;
}

function compareVersions(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true });
}

/** Path of a program in a folder of binaries. */
export function binaryPath(folder: string, binary: string): string {
  return join(folder, executable(binary));
}
