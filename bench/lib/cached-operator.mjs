// Started by bench/cache.mjs: an operator that caches ConfigMaps and reconciles each once without doing anything. Prints its figures as JSON.
import { createManager, defineController } from '../../dist/index.js';
import { ConfigMap } from '../../dist/sdk/k8s/generated/core/v1.js';

const [, , kubeconfig, namespace, count] = process.argv;

/** CPU of turns of the event loop, since the last `take`: that of all, and of the longest. Wall time would measure the neighbours. */
function watchTurns(onTick) {
  let longest = 0;
  let total = 0;
  let before = process.cpuUsage();
  const tick = () => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    const milliseconds = (user + system) / 1000;
    total += milliseconds;
    longest = Math.max(longest, milliseconds);
    onTick();
    setImmediate(tick).unref();
  };
  // Immediates alone would keep the loop from waiting for its sockets.
  setInterval(() => undefined, 1).unref();
  setImmediate(tick).unref();
  return {
    take() {
      const figures = { turn: longest, cpu: total };
      longest = total = 0;
      return figures;
    },
  };
}

let hasBegun = false;
let sync;
// The turn of the first reconcile is the one in which the list was taken over.
const turns = watchTurns(() => {
  if (hasBegun) sync ??= turns.take();
});
const stop = new AbortController();
const manager = await createManager({
  name: 'bench',
  kubeconfig,
  namespaces: [namespace],
  health: '0',
  logLevel: 'fatal',
});
let left = Number(count);
manager.add(
  defineController({
    for: ConfigMap,
    reconcile() {
      hasBegun = true;
      if (--left === 0) stop.abort();
    },
  }),
);
await manager.run({ signal: stop.signal });
const reconcile = turns.take();
globalThis.gc();
const megabytes = (bytes) => bytes / 1e6;
console.log(
  JSON.stringify({
    sync,
    reconcile,
    rss: megabytes(process.memoryUsage.rss()),
    peak: megabytes(process.resourceUsage().maxRSS * 1024),
  }),
);
