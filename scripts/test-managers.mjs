// `npm run test:managers`: the first minutes of a project with each package manager, on each Node, and its operator on Bun and Deno. Two
// package managers and the runtimes; with TEST_THOROUGH=1, all of them. Ends in one line: N passed, N failed.
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { createTally } from './lib/tally.mjs';

const tally = createTally();
try {
  await ensureDependencies();
  await ensureBuild();
  const env = { KUBEBUILDER_ASSETS: await ensureControlPlane() };
  await tally.rungs(['managers'], { env });
} catch (error) {
  tally.fail(error.message);
}
tally.close();
