// `npm run test:nodes`: long-running commands, the packed package as users install it and the example of two versions, on the Node that runs
// this; the unit and golden tests and the quickstart on every supported Node; a minute of the soak. Ends in one line: N passed, N failed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { packPackage } from './lib/nginx-project.mjs';
import { nodeBinary, supportedNodes } from './lib/nodes.mjs';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { createTally } from './lib/tally.mjs';

const tally = createTally({ atOnce: true });
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-package-'));

try {
  await ensureDependencies();
  await ensureBuild();
  const assets = await ensureControlPlane();
  const env = { KUBEBUILDER_ASSETS: assets, OP_SDK_TEST_TARBALL: await packPackage(scratch) };
  const nodes = await nodesToTestOn();
  await Promise.all([testsLane(nodes), packageLane(nodes, env)]);
} catch (error) {
  tally.fail(error.message);
}
rmSync(scratch, { recursive: true, force: true });
tally.close();

async function testsLane(nodes) {
  for (const { node, label } of nodes) await tally.rungs(['unit', 'golden'], { node, label, workers: 1 });
}

async function packageLane(nodes, env) {
  await tally.rungs(['sessions'], { env });
  await tally.rungs(['e2e'], { env });
  await tally.check('example of two versions', process.execPath, ['scripts/example-two-versions.mjs'], {
    env: { ...process.env, ...env },
    limit: 600,
  });
  await tally.rungs(['soak'], { env: { ...env, SOAK_SECONDS: '60' }, workers: 1 });
  for (const { node, label } of nodes) {
    const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
    await tally.check(`quickstart on node ${label}`, node, ['scripts/quickstart.mjs'], {
      env: { ...process.env, ...env, PATH: path },
      limit: 600,
    });
  }
}

/** The supported versions, where they are available; a visible skip for each of the others. */
async function nodesToTestOn() {
  const nodes = [];
  for (const label of supportedNodes) {
    const node = await nodeBinary(label);
    if (node === undefined) tally.skip(`node ${label}: its package is for linux on x64 only`);
    else nodes.push({ node, label });
  }
  return nodes;
}
