// `npm run soak -- --minutes 20`: an operator of three replicas under faults, on a real API server (test/soak). Ends in one line: N passed, N failed.
//   --seconds 60 --objects 2000 --seed 1
import { parseArgs } from 'node:util';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { createTally } from './lib/tally.mjs';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seconds: { type: 'string' },
    objects: { type: 'string' },
    seed: { type: 'string' },
  },
});
const seconds = flags.seconds ?? String(Number(flags.minutes ?? 20) * 60);

const tally = createTally();
try {
  await ensureDependencies();
  await ensureBuild();
  const env = { KUBEBUILDER_ASSETS: await ensureControlPlane(), SOAK_SECONDS: seconds };
  if (flags.objects !== undefined) env.SOAK_OBJECTS = flags.objects;
  if (flags.seed !== undefined) env.SOAK_SEED = flags.seed;
  await tally.rungs(['soak'], { env, workers: 1 });
} catch (error) {
  tally.fail(error.message);
}
tally.close();
