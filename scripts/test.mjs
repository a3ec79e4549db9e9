// `npm test`: the tests and the type check that a change must pass, from a fresh clone on, on the Node that runs this. Ends in one line:
// N passed, N failed. `npm run test:slow` has the tests that take longer; long-running commands, and what users install, are tested by
// `npm run test:nodes`; `npm run lint` looks at the sources.
import { join } from 'node:path';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { root } from './lib/run.mjs';
import { createTally } from './lib/tally.mjs';
import { runTwoLanes } from './lib/two-lanes.mjs';

const tally = createTally({ atOnce: true });
const bin = (name) => join(root, 'node_modules', '.bin', name);
const cache = join(root, 'node_modules', '.cache');

try {
  await ensureDependencies();
  await ensureBuild();
  const assets = await ensureControlPlane();
  // What it remembers depends on the contents of files only.
  const remembered = ['--incremental', '--tsBuildInfoFile', join(cache, 'types.tsbuildinfo')];
  const checkTypes = () => tally.check('types', bin('tsc'), ['--noEmit', ...remembered]);
  const waiting = ['control-plane'];
  // Three times what it takes on a busy machine.
  await runTwoLanes(tally, { computing: ['unit', 'golden'], waiting, assets, limit: 1200, then: checkTypes });
} catch (error) {
  tally.fail(error.message);
}
tally.close();
