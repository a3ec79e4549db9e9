// `npm run bench:live`: what the page of `op-sdk dev --ui` costs at 100 reconciles a second, in the operator and in op-sdk, and how late a
// reconcile gets there. Beside the same operator without the page, and without a page that is open.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensureBuild, ensureControlPlane, ensureDependencies, step } from '../scripts/lib/provision.mjs';
import { createConfigMaps } from './lib/config-maps.mjs';
import { machine, row } from './lib/measure.mjs';

const seconds = Number(process.env.SECONDS_EACH ?? 20);
const targets = { cpu: 5, late: 500 };
const namespace = 'default';
const operator = fileURLToPath(new URL('lib/live-operator.mjs', import.meta.url));

await ensureDependencies();
await ensureBuild();
process.env.KUBEBUILDER_ASSETS = await ensureControlPlane();
const { startControlPlane } = await import('../dist/testing/index.js');
const { LiveSession } = await import('../dist/cluster/live/live-session.js');
const { createClusterClient, loadCluster } = await import('../dist/index.js');

/** Per cent of a core that the operator needs, and what a second of this process costs beside it. */
async function measure(kubeconfig, settings) {
  const child = spawn(process.execPath, [...settings.nodeFlags, operator, kubeconfig, namespace], {
    env: { ...process.env, ...settings.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const ask = async () => {
    child.stdin.write('\n');
    const [line] = await once(lines, 'line');
    return JSON.parse(line);
  };
  await sleep(5_000);
  await ask();
  const before = process.cpuUsage();
  await sleep(seconds * 1_000);
  const { cpu, runs } = await ask();
  const { user, system } = process.cpuUsage(before);
  child.stdin.end();
  await once(child, 'exit');
  const percent = (milliseconds) => milliseconds / (10 * seconds);
  return { operator: percent(cpu), opSdk: percent((user + system) / 1000), runs: runs / seconds };
}

console.log(`before: ${machine()}`);
const plane = await step('start a control plane', () => startControlPlane());
try {
  await step('create 100 ConfigMaps', () => createConfigMaps(plane.kubeconfig, namespace, 100));
  const client = createClusterClient({ cluster: await loadCluster({ kubeconfig: plane.kubeconfig }) });
  const session = await LiveSession.open('bench', client);
  const plain = await step('without --ui', () => measure(plane.kubeconfig, { nodeFlags: [], env: {} }));
  const idle = await step('--ui, no page open', () => measure(plane.kubeconfig, session.operatorSettings));
  const late = [];
  let bytes = 0;
  const leave = session.join((news) => {
    bytes += JSON.stringify(news).length;
    for (const { start, duration } of news.runs ?? []) late.push(Date.now() - start - duration);
  });
  const open = await step('--ui, a page open', () => measure(plane.kubeconfig, session.operatorSettings));
  leave();
  await session.close();
  await client.close();
  late.sort((a, b) => a - b);
  console.log(
    `\n${open.runs.toFixed(0)} reconciles a second, ${(bytes / 1000 / seconds).toFixed(0)} kB/s for the page`,
  );
  row('operator without --ui', plain.operator, '% of a core', undefined, 1);
  row('more with --ui, no page open', idle.operator - plain.operator, '% of a core', undefined, 1);
  row('more with --ui, a page open', open.operator - plain.operator, '% of a core', targets.cpu, 1);
  row('op-sdk, no page open', idle.opSdk, '% of a core', undefined, 1);
  row('op-sdk, a page open', open.opSdk, '% of a core', targets.cpu, 1);
  row(
    'from the end of a reconcile to the page, 99 %',
    late[Math.floor(late.length * 0.99)],
    'ms',
    targets.late,
  );
} finally {
  await plane.stop();
}
console.log(`after:  ${machine()}`);
