// `npm run bench:cache`: what it costs an operator to know 50,000 ConfigMaps of 1 kB on a real API server, and to reconcile each once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ensureBuild, ensureControlPlane, ensureDependencies, step } from '../scripts/lib/provision.mjs';
import { createConfigMaps } from './lib/config-maps.mjs';
import { machine, row } from './lib/measure.mjs';

const count = Number(process.env.COUNT ?? 50_000);
const targets = { turn: 100, rss: 220 };
const namespace = 'default';
const operator = fileURLToPath(new URL('lib/cached-operator.mjs', import.meta.url));

await ensureDependencies();
await ensureBuild();
process.env.KUBEBUILDER_ASSETS = await ensureControlPlane();
const { startControlPlane } = await import('../dist/testing/index.js');

/** Runs the operator until it has reconciled all objects, with the flags of the scaffolded Deployment. @returns its figures */
async function measure(kubeconfig) {
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--max-semi-space-size=4', operator, kubeconfig, namespace, String(count)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw new Error(`the operator ended with ${code}:\n${output}`);
  return JSON.parse(output);
}

console.log(`before: ${machine()}`);
for (const watchList of [true, false]) {
  const name = watchList ? 'WatchList' : 'LIST';
  const plane = await step(`start a control plane (${name})`, () =>
    startControlPlane({ featureGates: { WatchList: watchList } }),
  );
  try {
    await step(`create ${count} ConfigMaps`, () => createConfigMaps(plane.kubeconfig, namespace, count));
    const figures = await measure(plane.kubeconfig);
    // What is only reported has no target.
    const { turn, rss } = watchList ? targets : {};
    console.log(`\n${count} ConfigMaps by ${name}`);
    row('longest turn of the event loop until synced', figures.sync.turn, 'ms CPU', turn);
    row('longest turn while each is reconciled once', figures.reconcile.turn, 'ms CPU', turn);
    row('CPU until synced', figures.sync.cpu, 'ms');
    row('CPU while each is reconciled once', figures.reconcile.cpu, 'ms');
    row('RSS after garbage collection', figures.rss, 'MB', rss);
    row('peak of RSS', figures.peak, 'MB');
    console.log('');
  } finally {
    await plane.stop();
  }
}
console.log(`after:  ${machine()}`);
