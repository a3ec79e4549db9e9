// `npm run test:kubernetes`: what depends on the release of Kubernetes, on older supported releases: the release before the newest, and the
// oldest (`-- --oldest`: that one alone, as in CI). Their control planes are installed or built once per machine. Ends in one line:
// N passed, N failed.
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { createTally } from './lib/tally.mjs';

/** A patch release of each; the newest release is the one of all other tests. */
const all = ['1.36.3', '1.33.13'];
const releases = process.argv.includes('--oldest') ? all.slice(-1) : all;

/**
 * CRDs and what is generated from types, server-side apply, webhooks, and the control plane itself; the others depend on op-sdk alone. The
 * API server in memory is not among them: it answers as the newest release.
 */
const folders = [
  ...['cluster/apply-objects', 'cluster/client-side-apply', 'compiler', 'kubernetes', 'project'],
  ...['testing/api-server', 'testing/control-plane', 'testing/etcd', 'testing/start', 'testing/webhooks'],
].map((path) => `test/control-plane/${path}`);

const tally = createTally();
try {
  await ensureDependencies();
  await ensureBuild();
  for (const release of releases) {
    const env = { KUBEBUILDER_ASSETS: await ensureControlPlane(release) };
    await tally.rungs(['control-plane', 'slow-control-plane'], {
      label: `Kubernetes ${release}`,
      folders,
      env,
    });
  }
} catch (error) {
  tally.fail(error.message);
}
tally.close();
