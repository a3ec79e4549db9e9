// `npm test`: everything a change must pass, from a fresh clone on. Ends in one line: N passed, N failed.
import { delimiter, dirname, join } from 'node:path';
import { nodeBinary, supportedNodes } from './lib/nodes.mjs';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { root } from './lib/run.mjs';
import { createTally } from './lib/tally.mjs';

const tally = createTally();
const bin = (name) => join(root, 'node_modules', '.bin', name);

try {
  await ensureDependencies();
  await ensureBuild();
  await tally.check('types', bin('tsc'), ['--noEmit']);
  await tally.check('lint', bin('eslint'), ['.']);
  await tally.check('format', bin('prettier'), ['--check', '--log-level=warn', '.']);
  await tally.check('rooms', bin('depcruise'), [
    'src',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err',
  ]);
  await tally.check('dead code', bin('knip'), ['--no-progress']);
  await tally.check('package shape', bin('publint'), ['--strict']);
  const nodes = await nodesToTestOn();
  for (const { node, label } of nodes) {
    await tally.rung('unit', { node, label });
    await tally.rung('golden', { node, label });
  }
  const env = { KUBEBUILDER_ASSETS: await ensureControlPlane() };
  // Much of their time they wait for a server that was killed: more workers than there are processors.
  await tally.rung('control-plane', { env, workers: 4 });
  await tally.rung('e2e', { env });
  for (const { node, label } of nodes) {
    const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
    await tally.check(`quickstart on node ${label}`, node, ['scripts/quickstart.mjs'], {
      env: { ...process.env, ...env, PATH: path },
    });
  }
} catch (error) {
  tally.fail(error.message);
}
tally.close();

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
