// `npm test`: everything a change must pass, from a fresh clone on. Ends in one line: N passed, N failed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { packPackage } from './lib/nginx-project.mjs';
import { nodeBinary, supportedNodes } from './lib/nodes.mjs';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { root } from './lib/run.mjs';
import { createTally } from './lib/tally.mjs';

const tally = createTally({ atOnce: true });
const bin = (name) => join(root, 'node_modules', '.bin', name);
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-package-'));

try {
  await ensureDependencies();
  await ensureBuild();
  const assets = await ensureControlPlane();
  const nodes = await nodesToTestOn();
  const env = { KUBEBUILDER_ASSETS: assets, OP_SDK_TEST_TARBALL: await packPackage(scratch) };
  // One lane computes, the other waits much of its time: for servers that were killed, for npm, for operators. Two processors
  // have enough to do with both of them.
  await Promise.all([computingLane(nodes), waitingLane(nodes, env)]);
} catch (error) {
  tally.fail(error.message);
}
rmSync(scratch, { recursive: true, force: true });
tally.close();

async function computingLane(nodes) {
  await tally.check('types', bin('tsc'), ['--noEmit']);
  await tally.check('lint', bin('eslint'), ['.']);
  await tally.check('format', bin('prettier'), ['--check', '--log-level=warn', '.']);
  const rooms = ['src', '--config', '.dependency-cruiser.cjs', '--output-type', 'err'];
  await tally.check('rooms', bin('depcruise'), rooms);
  await tally.check('dead code', bin('knip'), ['--no-progress']);
  await tally.check('package shape', bin('publint'), ['--strict']);
  for (const { node, label } of nodes) await tally.rungs(['unit', 'golden'], { node, label, workers: 1 });
}

async function waitingLane(nodes, env) {
  await tally.rungs(['control-plane'], { env, workers: 4 });
  await tally.rungs(['e2e'], { env });
  for (const { node, label } of nodes) {
    const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
    await tally.check(`quickstart on node ${label}`, node, ['scripts/quickstart.mjs'], {
      env: { ...process.env, ...env, PATH: path },
    });
  }
}

/** The supported versions, where they can be had; else the Node that runs this, and a visible skip for each of them. */
async function nodesToTestOn() {
  const nodes = [];
  for (const label of supportedNodes) {
    const node = await nodeBinary(label);
    if (node === undefined) tally.skip(`node ${label}: its package is for linux on x64 only`);
    else nodes.push({ node, label });
  }
  return nodes.length > 0 ? nodes : [{ node: process.execPath, label: process.version }];
}
