// One replica of the soak's operator. Its parent says `block` (the next reconcile blocks the process for that many milliseconds) and
// `measure` (answer with memory and open resources after garbage collection).
import {
  conditionsOf,
  createManager,
  defineController,
  externalResource,
  operatorMain,
  ownedBy,
} from '../../dist/index.js';
import { ConfigMap } from '../../dist/sdk/k8s/generated/core/v1.js';

const Site = externalResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Site',
  plural: 'sites',
  scope: 'Namespaced',
});
let block = 0;
let reconciles = 0;

process.on('message', (message) => {
  if (message.block !== undefined) block = message.block;
  if (message.measure !== true) return;
  globalThis.gc();
  globalThis.gc();
  const resources = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  const { heapUsed, rss } = process.memoryUsage();
  process.send({ heapUsed, rss, resources, reconciles });
});
// The channel alone must not keep a replica alive that has stopped.
process.channel.unref();
process.on('warning', ({ name, message }) => process.send({ warning: `${name}: ${message}` }));

const controller = defineController({
  for: Site,
  owns: [ConfigMap],
  concurrency: 4,
  async reconcile(site, { client, key }) {
    reconciles += 1;
    if (block > 0) {
      const until = performance.now() + block;
      block = 0;
      while (performance.now() < until);
    }
    const { name, namespace } = site.metadata;
    await client.apply(ConfigMap, {
      metadata: { name, namespace, ...ownedBy(site) },
      data: { value: String(site.spec?.value ?? '') },
    });
    const conditions = conditionsOf(site, ['Ready']).true('Ready', 'ConfigMapReady', 'ok').toJSON();
    await client.applyStatus(Site, key, { conditions });
  },
});

await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'soak',
    ...flags,
    leaderElection: { id: 'soak.example.com', namespace: 'default' },
  });
  manager.add(controller);
  await manager.run({ signal });
});
