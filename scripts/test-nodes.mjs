// `npm run test:nodes`: long-running commands, the packed package as users install it and the example of two versions, on the Node that runs
// this; the unit tests of what Node does and the quickstart on every supported Node; a minute of the soak. Ends in one line: N passed, N failed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { packPackage } from './lib/nginx-project.mjs';
import { nodesToTestOn } from './lib/nodes.mjs';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { createTally } from './lib/tally.mjs';

/**
 * Tests of what Node does for us: sockets, TLS, streams, files, processes, compression, modules, code that is bundled. The others
 * compute, with what all supported versions have in common; `npm run test:long` runs them, too, on every version.
 */
const ofNode = ['base', 'compiler/build', 'images', 'sdk'];

const tally = createTally({ atOnce: true });
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-package-'));

try {
  await ensureDependencies();
  await ensureBuild();
  const assets = await ensureControlPlane();
  const env = { KUBEBUILDER_ASSETS: assets, OP_SDK_TEST_TARBALL: await packPackage(scratch) };
  const nodes = await nodesToTestOn(tally);
  await Promise.all([packageLane(env), nodesLane(nodes, env)]);
} catch (error) {
  tally.fail(error.message);
}
rmSync(scratch, { recursive: true, force: true });
tally.close();

/** Long-running commands, and the package as users install it. */
async function packageLane(env) {
  await tally.rungs(['sessions'], { env });
  await tally.rungs(['e2e'], { env });
}

async function nodesLane(nodes, env) {
  const folders = ofNode.map((folder) => `test/unit/${folder}/`);
  for (const { node, label } of nodes)
    await tally.rungs(['unit', 'slow'], { node, label: `node ${label}`, folders, workers: 1 });
  for (const { node, label } of nodes) {
    const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
    await tally.check(`quickstart on node ${label}`, node, ['scripts/quickstart.mjs'], {
      env: { ...process.env, ...env, PATH: path },
      limit: 600,
    });
  }
  await tally.check('example of two versions', process.execPath, ['scripts/example-two-versions.mjs'], {
    env: { ...process.env, ...env },
    limit: 600,
  });
  await tally.rungs(['soak'], { env: { ...env, SOAK_SECONDS: '60' }, workers: 1 });
}
