// `npm run test:cluster`: operators as real Pods on a Kubernetes of one node (test/cluster). Ends in one line: N passed, N failed.
// Needs root on Linux with cgroup v1; elsewhere it is one visible skip.
import { installDebianTools } from './lib/debian-packages.mjs';
import { ensureNodeBinaries } from './lib/node-binaries.mjs';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { whyNoSandbox, withSandbox } from './lib/sandbox.mjs';
import { createTally } from './lib/tally.mjs';
import { ensureCoreDns, ensureSoftware, reasonOf } from './lib/test-programs.mjs';

/** The programs of a node, its registry and its images, and the packages that bring them. */
const tools = {
  containerd: 'containerd',
  runc: 'runc',
  '/usr/lib/cni/bridge': 'containernetworking-plugins',
  nft: 'nftables',
  'docker-registry': 'docker-registry',
  busybox: 'busybox-static',
  ip: 'iproute2',
};
/** Without it only its own tests are skipped. */
const optionalTools = { prometheus: 'prometheus' };

const tally = createTally();
try {
  const reason = await runTests();
  if (reason !== undefined) tally.skip(`the cluster tests: ${reason}`);
} catch (error) {
  tally.fail(error.message);
}
tally.close();

/** @returns {Promise<string | undefined>} why they cannot be run here */
async function runTests() {
  if (process.platform !== 'linux') return whyNoSandbox();
  const missing = await installDebianTools({ ...tools, ...optionalTools });
  const needed = missing.filter((command) => Object.hasOwn(tools, command));
  if (needed.length > 0) return `not installed: ${needed.map((command) => tools[command]).join(', ')}`;
  const reason = await whyNoSandbox();
  if (reason !== undefined) return reason;
  await ensureDependencies();
  await ensureBuild();
  const controlPlane = await ensureControlPlane();
  const node = await ensureNodeBinaries();
  if (node.reason !== undefined) return node.reason;
  // From here on nothing can be downloaded.
  const nameServer = await reasonOf(ensureCoreDns());
  if (nameServer !== undefined) return nameServer;
  await ensureSoftware(tally);
  await withSandbox(({ folder, temporary, name, inside }) =>
    tally.rungs(['cluster'], {
      inside,
      workers: 1,
      // One file after the other, beside what CI runs meanwhile.
      limit: 2700,
      env: {
        // What tests that are killed leave there is removed with the folder.
        TMPDIR: temporary,
        KUBEBUILDER_ASSETS: controlPlane,
        OP_SDK_CLUSTER_NODE_ASSETS: node.folder,
        OP_SDK_CLUSTER_FOLDER: folder,
        OP_SDK_CLUSTER_NAME: name,
      },
    }),
  );
  return undefined;
}
