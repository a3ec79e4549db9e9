// `npm run bench:nodes`: memory and CPU of the process of a test whose control plane has a node with many Pods, while nothing changes.
//   npm run bench:nodes -- --pods 500 --seconds 20
// The API server, etcd and the controller manager do not count. Run with --expose-gc, which the script of package.json gives.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureBuild, ensureControlPlane, ensureDependencies } from '../scripts/lib/provision.mjs';
import { machine } from './lib/measure.mjs';

const { values: flags } = parseArgs({
  options: { pods: { type: 'string', default: '500' }, seconds: { type: 'string', default: '20' } },
});
const pods = Number(flags.pods);
const targets = { memory: 150, cpu: 3 };

await ensureDependencies();
await ensureBuild();
process.env.KUBEBUILDER_ASSETS = await ensureControlPlane();
const { startControlPlane } = await import('../dist/testing/index.js');
const { createClusterClient, loadCluster } = await import('../dist/index.js');
const { Deployment } = await import('../dist/sdk/k8s/generated/apps/v1.js');

const mebibytes = () => {
  globalThis.gc?.();
  return process.memoryUsage().rss / 2 ** 20;
};

const plane = await startControlPlane({ nodes: { count: 1, allocatable: { pods: String(pods + 10) } } });
const client = createClusterClient({
  cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
  fieldManager: 'bench',
});
const before = mebibytes();
const key = { name: 'many', namespace: 'default' };
const began = performance.now();
await client.apply(Deployment, {
  metadata: key,
  spec: {
    replicas: pods,
    selector: { matchLabels: { app: 'many' } },
    template: {
      metadata: { labels: { app: 'many' } },
      spec: { containers: [{ name: 'main', image: 'registry.example.com/app:v1' }] },
    },
  },
});
const ready = async () => (await client.get(Deployment, key)).status?.readyReplicas ?? 0;
for (let count = 0; count < pods; count = await ready()) {
  console.error(`${count} of ${pods} Pods are ready`);
  await sleep(1000);
}
const seconds = (performance.now() - began) / 1000;
// The last Events are written.
await sleep(10_000);
const memory = mebibytes();
const used = process.cpuUsage();
await sleep(Number(flags.seconds) * 1000);
const { user, system } = process.cpuUsage(used);
const cpu = ((user + system) / 1e6 / Number(flags.seconds)) * 100;
await client.close();
await plane.stop();

console.log(`\n${machine()}, ${pods} Pods on one node, ready after ${seconds.toFixed(0)} s\n`);
console.log(
  `memory of the process: ${memory.toFixed(0)} MiB, ${before.toFixed(0)} before (target ${targets.memory})`,
);
console.log(`CPU while nothing changes: ${cpu.toFixed(2)} % of a core (target ${targets.cpu})`);
