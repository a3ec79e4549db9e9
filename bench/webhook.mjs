// `npm run bench:webhook`: the webhooks of an operator of ours beside those of one of controller-runtime, which do the same, on the same control
// plane, in turn.
//   npm run bench:webhook -- --rounds 1 --parts size,cpu,latency,conversion,cache
// NODE_FLAGS goes to ours, such as --cpu-prof. Without Go it is skipped. Reads /proc, so Linux only.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuild, ensureControlPlane, ensureDependencies, step } from '../scripts/lib/provision.mjs';
import { createConfigMaps } from './lib/config-maps.mjs';
import { machine, median, row } from './lib/measure.mjs';
import { buildGo, bundleOperator, installed } from './lib/programs.mjs';
import { drive, namespace, startOperator } from './webhook/operators.mjs';
import { admissionReview, conversionReview, olderSite, paths, site, sizes } from './webhook/reviews.mjs';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: process.env.ROUNDS ?? '7' },
    parts: { type: 'string', default: 'size,cpu,latency,conversion,cache' },
    n: { type: 'string', short: 'n', default: '2000' },
    seconds: { type: 'string', default: '10' },
    objects: { type: 'string', default: '50000' },
  },
});
const rounds = Number(flags.rounds);
const targets = { cpu: { small: 1.0, large: 0.5 }, latency: 1.5, cached: 300 };
/** Requests a second where latency is measured. */
const rate = 200;
const peer = 'controller-runtime';
const names = ['op-sdk', peer];
const folder = join(dirname(fileURLToPath(import.meta.url)), 'webhook');

if (!installed('go')) {
  console.log('skipped: no go to build the peer and the driver with');
  process.exit(0);
}
await ensureDependencies();
await ensureBuild();
process.env.KUBEBUILDER_ASSETS = await ensureControlPlane();
const { makeServingCertificate } = await import('../dist/testing/webhooks/serving-certificate.js');
const { startControlPlane } = await import('../dist/testing/index.js');
const { checkSameAnswers } = await import('./webhook/same-answers.mjs');

const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-bench-webhook-'));
const [theirs, driver] = await step('build the peer and the driver', async () => [
  await buildGo(join(folder, peer), `webhook-${peer}`),
  await buildGo(join(folder, 'driver'), 'webhook-driver'),
]);
const ours = await bundleOperator(folder, 'with-webhooks');
const bare = await bundleOperator(folder, 'without-webhooks');
const { files, caCertificate } = await makeServingCertificate(join(scratch, 'certificates'), '127.0.0.1');
const authority = join(scratch, 'ca.crt');
writeFileSync(authority, caCertificate);

/** A file of requests for the driver, several so that nothing is learned by heart. @returns its path */
function requestsFile(name, requests) {
  const file = join(scratch, `${name}.jsonl`);
  const lines = requests.map(({ path, review }) => JSON.stringify({ path, body: JSON.stringify(review) }));
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const reviewsOf = (webhook, size) =>
  Array.from({ length: 32 }, (_, index) => ({
    path: paths[webhook],
    review: admissionReview(site(index, sizes[size])),
  }));

/** Each round asks one operator after the other; the first warms up and is not counted. @returns samples by the operator's name */
async function inTurn(operators, requests, args) {
  const samples = new Map(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const operator of operators) {
      const figures = await drive(operator, { driver, authority, requests, args });
      if (round > 0) samples.get(operator.name).push({ cpu: figures.cpu, ...figures.phases[0] });
    }
  }
  return samples;
}

/** The median of a figure for ours and theirs, and of the ratio of each round. */
function compare(samples, figure) {
  const [left, right] = names.map((name) => samples.get(name).map((sample) => sample[figure]));
  const ratio = median(left.map((value, round) => value / right[round]));
  return { ours: median(left), theirs: median(right), ratio };
}

function reportCompared(title, { ours: left, theirs: right, ratio }, unit, digits, target) {
  console.log(
    `  ${title.padEnd(44)} ${left.toFixed(digits).padStart(9)}${right.toFixed(digits).padStart(9)} ${unit}`,
  );
  row('  ratio', ratio, '×', target, 2);
}

const kilobytes = (object) => `${(JSON.stringify(object).length / 1000).toFixed(1)} kB`;

async function reportCpu(operators) {
  console.log(`\nCPU a request, op-sdk and ${peer} (medians of ${rounds} rounds of ${flags.n} requests)`);
  for (const size of Object.keys(sizes))
    for (const webhook of ['default', 'validate']) {
      const requests = requestsFile(`${webhook}-${size}`, reviewsOf(webhook, size));
      const samples = await inTurn(operators, requests, ['-n', flags.n, '-warmup', '500']);
      const { ours: left, theirs: right, ratio } = compare(samples, 'cpu');
      const title = `${webhook}, ${kilobytes(site(0, sizes[size]))}`;
      reportCompared(title, { ours: left * 1e6, theirs: right * 1e6, ratio }, 'µs', 0, targets.cpu[size]);
    }
}

async function reportLatency(operators) {
  console.log(`\nlatency at ${rate} requests/s (medians of ${rounds} rounds of ${flags.seconds} s)`);
  const requests = requestsFile('mixed', [
    ...reviewsOf('default', 'small'),
    ...reviewsOf('validate', 'small'),
  ]);
  const count = rate * Number(flags.seconds);
  const samples = await inTurn(operators, requests, ['-rate', rate, '-n', count, '-warmup', '500']);
  reportCompared('p50', compare(samples, 'p50'), 'ms', 2);
  reportCompared('p99', compare(samples, 'p99'), 'ms', 2, targets.latency);
  const { ours: left, theirs: right, ratio } = compare(samples, 'cpu');
  reportCompared('CPU a request', { ours: left * 1e6, theirs: right * 1e6, ratio }, 'µs', 0);
}

async function reportConversion(operators) {
  const objects = Array.from({ length: 500 }, (_, index) => olderSite(index, sizes.small));
  const requests = requestsFile('convert', [{ path: paths.convert, review: conversionReview(objects) }]);
  const samples = await inTurn(operators, requests, ['-n', '40', '-warmup', '5', '-connections', '1']);
  console.log(
    `\nconversion of ${objects.length} objects of ${kilobytes(objects[0])} (medians of ${rounds} rounds)`,
  );
  const { ours: left, theirs: right, ratio } = compare(samples, 'cpu');
  reportCompared('CPU a review', { ours: left * 1e3, theirs: right * 1e3, ratio }, 'ms', 1);
}

/** One operator from its start: asked until its cache is filled, and until it has reconciled each object once. @returns figures of the two phases */
async function askWhileCaching(name, setup, requests) {
  const operator = await startOperator(name, { ...setup, objects: Number(flags.objects) });
  try {
    const { phases } = await drive(operator, {
      ...{ driver, authority, requests, args: ['-rate', rate] },
      control: async (phase) => {
        phase('cache');
        await operator.said('Starting workers');
        phase('reconcile');
        await operator.said('reconciled all');
      },
    });
    return phases;
  } finally {
    await operator.stop();
  }
}

async function reportWhileCaching(setup) {
  const requests = requestsFile('mixed', [
    ...reviewsOf('default', 'small'),
    ...reviewsOf('validate', 'small'),
  ]);
  const samples = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, list] of samples) list.push(...(await askWhileCaching(name, setup, requests)));
  console.log(
    `\np99 at ${rate} requests/s from the start of an operator with ${flags.objects} objects to cache (medians of ${rounds} rounds)`,
  );
  for (const [name, list] of samples)
    for (const [phase, title] of [
      ['cache', 'until all are cached'],
      ['reconcile', 'until each is reconciled'],
    ]) {
      const figures = list.filter((each) => each.phase === phase).map(({ p99 }) => p99);
      row(`${name}, ${title}`, median(figures), 'ms', name === peer ? undefined : targets.cached);
    }
}

const parts = new Set(flags.parts.split(','));
const namespaceManifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
const plane = await step('start a control plane', () => startControlPlane());
try {
  console.log(`before: ${machine()}`);
  if (parts.has('size')) {
    console.log('\nbytes of the bundle that are loaded at the start');
    row('without webhooks', bare.size.hot, 'B');
    row('with webhooks and a conversion', ours.size.hot, 'B');
    row('all chunks, with webhooks and a conversion', ours.size.total, 'B');
  }
  const { apiOf } = await import('../scripts/lib/api.mjs');
  await apiOf(plane).apply(namespaceManifest);
  const setup = {
    programs: { 'op-sdk': ours.entry, [peer]: theirs },
    kubeconfig: plane.kubeconfig,
    certificates: files.folder,
  };
  const operators = await Promise.all(names.map((name) => startOperator(name, setup)));
  try {
    await Promise.all(operators.map((operator) => operator.said('Starting workers')));
    await checkSameAnswers(operators, caCertificate);
    if (parts.has('cpu')) await reportCpu(operators);
    if (parts.has('latency')) await reportLatency(operators);
    if (parts.has('conversion')) await reportConversion(operators);
  } finally {
    await Promise.all(operators.map((operator) => operator.stop()));
  }
  if (parts.has('cache')) {
    await step(`create ${flags.objects} ConfigMaps`, () =>
      createConfigMaps(plane.kubeconfig, namespace, Number(flags.objects)),
    );
    await reportWhileCaching(setup);
  }
  console.log(`\nafter:  ${machine()}`);
} finally {
  await plane.stop();
  rmSync(scratch, { recursive: true, force: true });
}
