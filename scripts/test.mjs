// `npm test`: the tests and the type check that a change must pass, from a fresh clone on, on the Node that runs this. Ends in one line:
// N passed, N failed. Long-running commands, and what users install, are tested by `npm run test:nodes`; `npm run lint` looks at the sources.
import { join } from 'node:path';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { root } from './lib/run.mjs';
import { createTally } from './lib/tally.mjs';

const tally = createTally({ atOnce: true });
const bin = (name) => join(root, 'node_modules', '.bin', name);
const cache = join(root, 'node_modules', '.cache');

try {
  await ensureDependencies();
  await ensureBuild();
  const assets = await ensureControlPlane();
  // What it remembers depends on the contents of files only.
  const remembered = ['--incremental', '--tsBuildInfoFile', join(cache, 'types.tsbuildinfo')];
  // One lane computes, the other waits much of its time, for servers that were killed or for a watch: two processors have enough to do
  // with both of them. The first one is longer, and has both processors once the other has ended.
  await Promise.all([
    tally
      .rungs(['unit', 'golden'], { workers: 2 })
      .then(() => tally.check('types', bin('tsc'), ['--noEmit', ...remembered])),
    tally.rungs(['control-plane'], { env: { KUBEBUILDER_ASSETS: assets }, workers: 4 }),
  ]);
} catch (error) {
  tally.fail(error.message);
}
tally.close();
