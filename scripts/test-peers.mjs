// `npm run test:peers`: op-sdk beside the tools it must agree with. A peer that is unavailable is a visible skip.
import { ensureDebianTools } from './lib/debian-packages.mjs';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { createTally } from './lib/tally.mjs';

const tally = createTally();
try {
  await ensureDependencies();
  await ensureBuild();
  await ensureDebianTools(tally);
  const env = { KUBEBUILDER_ASSETS: await ensureControlPlane() };
  await tally.rungs(['peers'], { env });
} catch (error) {
  tally.fail(error.message);
}
tally.close();
