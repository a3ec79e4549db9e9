// `npm run test:peers`: op-sdk beside the tools it must agree with. A peer that cannot be had is a visible skip.
import { ensureBuild, ensureDependencies } from './lib/provision.mjs';
import { createTally } from './lib/tally.mjs';

const tally = createTally();
try {
  await ensureDependencies();
  await ensureBuild();
  await tally.rung('peers');
} catch (error) {
  tally.fail(error.message);
}
tally.close();
