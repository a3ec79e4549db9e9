import { rm } from 'node:fs/promises';
import { testenvFolder, listAssets, versionFolder, type Env } from './cache.ts';
import { lockFile } from './lock-file.ts';
import { withLock } from '../../base/util/with-lock.ts';
import { parseVersion } from './version.ts';

/**
 * Removes a version from the cache; an installation that is under way is waited for.
 * @param env default: that of the process
 * @returns false if it was not there
 * @throws OpSdkError testenv/invalid-version
 */
export async function removeAssets(version: string, env: Env = process.env): Promise<boolean> {
  const wanted = parseVersion(version);
  if (!(await listAssets(env)).some((entry) => entry.version === wanted)) return false;
  await withLock(lockFile(testenvFolder(env), wanted), {}, () =>
    rm(versionFolder(env, wanted), { recursive: true, force: true }),
  );
  return true;
}
