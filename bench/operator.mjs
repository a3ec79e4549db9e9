// `npm run bench:operator`: an operator of ours beside one of controller-runtime, on the same control plane, in turn.
//   npm run bench:operator -- -n 10000 --rounds 3 --workers 10 --modes burst,cold --operators create-patch,apply,controller-runtime
// NODE_FLAGS goes to ours, such as --cpu-prof.
// The driver and the peer are Go modules: `driver`, `controller-runtime` and `crd.yaml` in the folder OPERATOR_BENCH, by default
// ../shared/bench/operator. Without them it is skipped.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { freePort } from '../scripts/lib/free-port.mjs';
import { ensureBuild, ensureControlPlane, ensureDependencies } from '../scripts/lib/provision.mjs';
import { root, run } from '../scripts/lib/run.mjs';
import { buildGo, cache } from './lib/programs.mjs';
import { machine, median } from './lib/measure.mjs';
import { bundleOperators, variants } from './operator/bundle.mjs';

const { values: flags } = parseArgs({
  options: {
    n: { type: 'string', short: 'n', default: '2000' },
    rounds: { type: 'string', default: process.env.ROUNDS ?? '3' },
    workers: { type: 'string', default: process.env.WORKERS ?? '10' },
    modes: { type: 'string', default: 'burst,cold' },
    operators: { type: 'string' },
  },
});
const count = Number(flags.n);
const rounds = Number(flags.rounds);
const source = process.env.OPERATOR_BENCH ?? join(root, '..', 'shared', 'bench', 'operator');
const peer = 'controller-runtime';
const operators = flags.operators?.split(',') ?? [...variants, peer];
const token = 'operator-bench';
const namespace = 'bench';

/** Requests about the benchmark's kinds so far, by verb, resource and code. */
async function requestCounts(server) {
  const options = { rejectUnauthorized: false, headers: { authorization: `Bearer ${token}` } };
  const metrics = await new Promise((resolve, reject) => {
    request(`${server}/metrics`, options, (response) => text(response).then(resolve, reject))
      .on('error', reject)
      .end();
  });
  const counts = new Map();
  for (const [, labels, value] of metrics.matchAll(/^apiserver_request_total\{(.*)\} (\S+)$/gm)) {
    const of = Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, label]) => [name, label]),
    );
    if (!['benches', 'configmaps'].includes(of.resource) || of.verb === 'DELETECOLLECTION') continue;
    const key = `${of.verb} ${of.resource} ${of.code}`;
    counts.set(key, (counts.get(key) ?? 0) + Number(value));
  }
  return counts;
}

/** What the operator asked for; the driver created each object, listed once and watched once. */
function requestsOfOperator(before, after) {
  let total = -count - 2;
  let conflicts = 0;
  for (const [key, value] of after) {
    const more = value - (before.get(key) ?? 0);
    total += more;
    if (key.endsWith(' 409')) conflicts += more;
  }
  return { perObject: total / count, conflicts };
}

/** One run of the driver with an operator. @returns the driver's figures, and the requests of the operator */
async function measure(plane, operator, mode) {
  const metrics = `127.0.0.1:${await freePort()}`;
  const env = { ...process.env, KUBECONFIG: plane.kubeconfig, WORKERS: flags.workers, METRICS: metrics };
  const command =
    operator === peer
      ? [join(cache, peer), '-workers', flags.workers, '-qps', '-1', '-metrics', metrics]
      : [join(root, 'bench', 'operator', 'run')];
  const log = join(scratch, `${operator}-${mode}.log`);
  const before = await requestCounts(plane.url);
  const { code, output } = await run(
    join(cache, 'driver'),
    [
      ...['-server', plane.url, '-token', token, '-n', String(count), '-mode', mode, '-ns', namespace],
      ...['-oplog', log, '--', ...command],
    ],
    { env: { ...env, VARIANT: operator }, capture: true },
  );
  const figures = code === 0 ? JSON.parse(output) : { ok: false };
  if (!figures.ok) throw new Error(`${operator} did not make ${count} objects ready (${mode}): see ${log}`);
  return { ...figures, ...requestsOfOperator(before, await requestCounts(plane.url)) };
}

function report(mode, samples) {
  const medians = new Map(
    [...samples].map(([operator, list]) => [operator, (name) => median(list.map((sample) => sample[name]))]),
  );
  const theirs = medians.get(peer);
  console.log(`\n${mode}, ${count} objects, ${flags.workers} workers (medians of ${rounds})`);
  const columns = [
    'CPU ms/object',
    'objects/s',
    'p99 ms',
    'peak MiB',
    'idle MiB',
    'requests/object',
    'conflicts',
  ];
  console.log(`  ${''.padEnd(20)}${columns.map((name) => name.padStart(16)).join('')}`);
  for (const [operator, of] of medians) {
    const cells = [
      ((of('op_cpu_s') * 1000) / count).toFixed(3),
      of('throughput_per_s').toFixed(1),
      of('p99_ms').toFixed(0),
      of('op_hwm_mb').toFixed(0),
      mode === 'burst' ? of('op_rss_idle_mb').toFixed(0) : '',
      of('perObject').toFixed(3),
      String(of('conflicts')),
    ];
    console.log(`  ${operator.padEnd(20)}${cells.map((cell) => cell.padStart(16)).join('')}`);
  }
  if (theirs === undefined) return;
  for (const [operator, ours] of medians) {
    if (operator === peer) continue;
    const ratio = (name) => (ours(name) / theirs(name)).toFixed(2);
    console.log(
      `  ${operator} / ${peer}: CPU ${ratio('op_cpu_s')}, throughput ${ratio('throughput_per_s')}, p99 ${ratio('p99_ms')}, peak memory ${ratio('op_hwm_mb')}`,
    );
  }
}

if (!existsSync(join(source, 'driver', 'go.mod'))) {
  console.log(`skipped: the driver and the peer are not in ${source} (OPERATOR_BENCH names another folder)`);
  process.exit(0);
}
await ensureDependencies();
await ensureBuild();
const assets = await ensureControlPlane();
for (const name of ['driver', peer]) await buildGo(join(source, name), name);
await bundleOperators();

const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-bench-operator-'));
const tokens = join(scratch, 'tokens.csv');
writeFileSync(tokens, `${token},driver,driver,system:masters\n`);
const { startControlPlane } = await import('../dist/testing/index.js');
const plane = await startControlPlane({
  assets,
  apiServerFlags: [`--token-auth-file=${tokens}`],
  crds: [join(source, 'crd.yaml')],
});
let isDone = false;
try {
  console.log(`before: ${machine()}`);
  for (const mode of flags.modes.split(',')) {
    const samples = new Map(operators.map((operator) => [operator, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const [operator, list] of samples) list.push(await measure(plane, operator, mode));
    report(mode, samples);
  }
  console.log(`\nafter:  ${machine()}`);
  isDone = true;
} finally {
  await plane.stop();
  // The operators' logs stay if one of them failed.
  if (isDone) rmSync(scratch, { recursive: true, force: true });
}
