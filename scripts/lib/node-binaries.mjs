// The programs of a node, for test/cluster: built as `op-sdk testenv install` builds the API server, so that Go has compiled most of them.
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { step } from './provision.mjs';

const programs = ['kubelet', 'kube-scheduler', 'kube-proxy'];

/**
 * Builds what the cache lacks: about five minutes of CPU time when Go's own cache has the API server. Needs dist/.
 * @returns {Promise<string>} the folder that holds them
 */
export async function ensureNodeBinaries() {
  // Compiled after this file is loaded.
  const dist = (path) => import(`../../dist/${path}`);
  const { testenvFolder } = await dist('testing/assets/cache.js');
  const { missingBinaries } = await dist('testing/assets/binaries.js');
  const { defaultVersion } = await dist('testing/assets/version.js');
  const { buildWithGo } = await dist('testing/assets/go-build.js');
  const { Guardian } = await dist('process/guardian.js');
  const { withLock } = await dist('util/with-lock.js');

  const cache = testenvFolder(process.env);
  const folder = join(cache, `${defaultVersion}-node`);
  if ((await missingBinaries(folder, programs)).length === 0) return folder;
  await mkdir(folder, { recursive: true });
  return step(`build ${programs.join(', ')}`, () =>
    withLock(join(cache, `${defaultVersion}-node.lock`), {}, async () => {
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
          await buildWithGo({ version: defaultVersion, target, work, binaries, guardian, progress, env });
        for (const name of binaries) await rename(join(target, name), join(folder, name));
      } finally {
        await guardian.stop();
        await rm(work, { recursive: true, force: true });
      }
      return folder;
    }),
  );
}
