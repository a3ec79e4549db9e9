// `npm test`: everything a change must pass, from a fresh clone on, on the Node that runs this. Ends in one line: N passed, N failed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackage } from './lib/nginx-project.mjs';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { root } from './lib/run.mjs';
import { createTally } from './lib/tally.mjs';

const tally = createTally({ atOnce: true });
const bin = (name) => join(root, 'node_modules', '.bin', name);
const cache = join(root, 'node_modules', '.cache');
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-package-'));

try {
  await ensureDependencies();
  await ensureBuild();
  const assets = await ensureControlPlane();
  const env = { KUBEBUILDER_ASSETS: assets, OP_SDK_TEST_TARBALL: await packPackage(scratch) };
  // One lane computes, the other waits much of its time: for servers that were killed, for npm, for operators. Two processors
  // have enough to do with both of them.
  await Promise.all([computingLane(), waitingLane(env)]);
} catch (error) {
  tally.fail(error.message);
}
rmSync(scratch, { recursive: true, force: true });
tally.close();

async function computingLane() {
  await tally.rungs(['unit', 'golden'], { workers: 1 });
  // What these two remember depends on the contents of files only. ESLint's rules look into other files: it starts from scratch.
  const types = ['--noEmit', '--incremental', '--tsBuildInfoFile', join(cache, 'types.tsbuildinfo')];
  await tally.check('types', bin('tsc'), types);
  const format = ['--cache', '--cache-strategy=content', '--cache-location', join(cache, 'format')];
  await tally.check('format', bin('prettier'), ['--check', '--log-level=warn', ...format, '.']);
  await tally.check('lint', bin('eslint'), ['.']);
  const rooms = ['src', '--config', '.dependency-cruiser.cjs', '--output-type', 'err'];
  await tally.check('rooms', bin('depcruise'), rooms);
  await tally.check('dead code', bin('knip'), ['--no-progress']);
  await tally.check('package shape', bin('publint'), ['--strict']);
}

async function waitingLane(env) {
  await tally.rungs(['control-plane'], { env, workers: 4 });
  await tally.rungs(['e2e'], { env });
}
