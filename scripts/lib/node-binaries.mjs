// The programs of a node, for test/cluster: built as `op-sdk testenv install` builds the API server, so that Go has compiled most of them.
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { step } from './provision.mjs';

const programs = ['kubelet', 'kube-scheduler', 'kube-proxy'];

/** Milliseconds, the time included that another run needs which builds them already: five times that of a build on an idle machine. */
const limit = 25 * 60_000;

/**
 * Builds what the cache lacks: about five minutes of CPU time when Go's own cache has the API server. Needs dist/.
 * @returns {Promise<{ folder: string } | { reason: string }>} the folder that holds them, or why they cannot be built here
 */
export async function ensureNodeBinaries() {
  // Compiled after this file is loaded.
  const dist = (path) => import(`../../dist/${path}`);
  const { testenvFolder } = await dist('testing/assets/cache.js');
  const { missingBinaries } = await dist('testing/assets/binaries.js');
  const { defaultVersion } = await dist('testing/assets/version.js');
  const { buildWithGo } = await dist('testing/assets/go-build.js');
  const { WayFailed } = await dist('testing/assets/way.js');
  const { Guardian } = await dist('base/process/guardian.js');
  const { withLock } = await dist('base/util/with-lock.js');

  const cache = testenvFolder(process.env);
  const folder = join(cache, `${defaultVersion}-node`);
  if ((await missingBinaries(folder, programs)).length === 0) return { folder };
  await mkdir(folder, { recursive: true });
  const signal = AbortSignal.timeout(limit);
  return step(`build ${programs.join(', ')}`, async () => {
    try {
      await withLock(join(cache, `${defaultVersion}-node.lock`), { signal }, build);
      return { folder };
    } catch (error) {
      if (signal.aborted)
        return { reason: `${programs.join(', ')} were not built within ${limit / 60_000} min` };
      if (error instanceof WayFailed)
        return { reason: `${programs.join(', ')} cannot be built: ${error.message}` };
      throw error;
    }
  });

  async function build() {
    const work = await mkdtemp(join(folder, '.partial-'));
    const target = join(work, 'binaries');
    await mkdir(target);
    const guardian = new Guardian({ folders: [work] });
    const progress = (line) => console.log(`    ${line}`);
    try {
      // Whoever held the lock before us may have built them.
      const binaries = await missingBinaries(folder, programs);
      const env = { GOGC: '400', ...process.env };
      if (binaries.length > 0)
        await buildWithGo({
          version: defaultVersion,
          target,
          work,
          binaries,
          guardian,
          progress,
          env,
          signal,
        });
      for (const name of binaries) await rename(join(target, name), join(folder, name));
    } finally {
      await guardian.stop();
      await rm(work, { recursive: true, force: true });
    }
  }
}
