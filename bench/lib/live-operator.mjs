// Started by bench/live.mjs: an operator that reconciles 100 ConfigMaps once a second without doing anything. After a line on standard input
// it prints, as JSON, the milliseconds of CPU and the runs since the line before.
import { createInterface } from 'node:readline';
import { createManager, defineController, every } from '../../dist/index.js';
import { ConfigMap } from '../../dist/sdk/k8s/generated/core/v1.js';

const [, , kubeconfig, namespace] = process.argv;
const keys = Array.from({ length: 100 }, (_, index) => ({ namespace, name: `map-${index}` }));
let runs = 0;
const manager = await createManager({
  name: 'bench',
  kubeconfig,
  namespaces: [namespace],
  health: '0',
  logLevel: 'fatal',
});
manager.add(
  defineController({
    for: ConfigMap,
    watches: [every('1s', () => keys)],
    reconcile: () => void (runs += 1),
  }),
);
const stop = new AbortController();
const running = manager.run({ signal: stop.signal });
let before = process.cpuUsage();
for await (const _line of createInterface({ input: process.stdin })) {
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ cpu: (user + system) / 1000, runs }));
  before = process.cpuUsage();
  runs = 0;
}
stop.abort();
await running;
