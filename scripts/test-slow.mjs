// `npm run test:slow`: the tests that `npm test` leaves out because they take long: whole commands in projects, sandboxes under attack,
// servers that are killed, elections (`*.slow.test.ts`). Ends in one line: N passed, N failed.
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { createTally } from './lib/tally.mjs';
import { ensureSoftware } from './lib/test-programs.mjs';
import { runTwoLanes } from './lib/two-lanes.mjs';

const tally = createTally({ atOnce: true });

try {
  await ensureDependencies();
  await ensureBuild();
  const assets = await ensureControlPlane();
  await ensureSoftware(tally);
  await runTwoLanes(tally, { computing: ['slow'], waiting: ['slow-control-plane'], assets });
} catch (error) {
  tally.fail(error.message);
}
tally.close();
