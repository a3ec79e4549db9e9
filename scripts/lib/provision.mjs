// What a fresh clone lacks, made in order: dependencies, dist/, the binaries of the test control plane.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBuilt } from './build-record.mjs';
import { must, root, since } from './run.mjs';

/** Says what happens, and how long the step before took. */
export async function step(title, action) {
  const start = performance.now();
  console.log(`==> ${title}`);
  const result = await action();
  console.log(`    ${since(start)} s`);
  return result;
}

/** `npm ci`, only when the lock file is not the one that was installed. */
export async function ensureDependencies() {
  const stamp = join(root, 'node_modules', '.lock-hash');
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  await step('npm ci', () => must('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']));
  writeFileSync(stamp, hash);
}

/** Compiles src/ to dist/, unless dist/ was compiled from what is there now. */
export async function ensureBuild() {
  if (isBuilt()) return;
  await step('build dist/', () => must(process.execPath, ['scripts/build.mjs']));
}

/**
 * The binaries of the test control plane, by default of the newest supported release: taken from KUBEBUILDER_ASSETS or the cache, else downloaded or built with Go (about four minutes).
 * @returns {Promise<string>} the folder that holds them
 */
export async function ensureControlPlane(release) {
  const opSdk = join(root, 'bin', 'op-sdk.js');
  const version = release === undefined ? [] : ['--version', release];
  // The variable names the folder of one release, the default.
  const env = { ...process.env, ...(release === undefined ? {} : { KUBEBUILDER_ASSETS: '' }) };
  return step(`test control plane${release === undefined ? '' : ` of Kubernetes ${release}`}`, async () => {
    if ((env.KUBEBUILDER_ASSETS ?? '') === '')
      await must(process.execPath, [opSdk, 'testenv', 'install', ...version], { env });
    return (
      await must(process.execPath, [opSdk, 'testenv', 'path', ...version], { capture: true, env })
    ).trim();
  });
}
