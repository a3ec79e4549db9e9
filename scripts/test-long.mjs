// `npm run test:long`: the long part of tests that `npm test` and CI run in short: commands that are killed a hundred times each, each
// example from the packed tarball and its story, a project of an old op-sdk that is upgraded (test/long), all cases of tests that look at a fifth of them elsewhere, and all unit and golden tests on every supported Node.
// Ends in one line: N passed, N failed.
import { nodesToTestOn } from './lib/nodes.mjs';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { createTally } from './lib/tally.mjs';

const tally = createTally();
try {
  await ensureDependencies();
  await ensureBuild();
  const assets = await ensureControlPlane();
  await tally.rungs(['long'], { folders: ['test/long/killed-writes'], workers: 1 });
  const examples = { env: { KUBEBUILDER_ASSETS: assets }, folders: ['test/long/example'], workers: 1 };
  await tally.rungs(['long'], { ...examples, label: 'every example' });
  await tally.rungs(['long'], { folders: ['test/long/old-package'], workers: 1, label: 'an old project' });
  const env = { KUBEBUILDER_ASSETS: assets, TEST_THOROUGH: '1' };
  // One after the other: together they take longer than a run of tests may.
  for (const rungs of [['unit', 'golden', 'slow'], ['control-plane'], ['slow-control-plane'], ['e2e']])
    await tally.rungs(rungs, { env });
  await tally.rungs(['peers'], {
    env,
    folders: ['test/peers/helm/random-values'],
    label: 'values of charts',
  });
  await tally.rungs(['managers'], { env, workers: 1 });
  for (const { node, label } of await nodesToTestOn(tally))
    await tally.rungs(['unit', 'golden', 'slow'], { node, label: `node ${label}` });
} catch (error) {
  tally.fail(error.message);
}
tally.close();
