// `npm run test:long`: the long part of tests that `npm test` and CI run in short: commands that are killed a hundred times each
// (test/long). Ends in one line: N passed, N failed.
import { ensureBuild, ensureDependencies } from './lib/provision.mjs';
import { createTally } from './lib/tally.mjs';

const tally = createTally();
try {
  await ensureDependencies();
  await ensureBuild();
  await tally.rungs(['long'], { workers: 1 });
} catch (error) {
  tally.fail(error.message);
}
tally.close();
