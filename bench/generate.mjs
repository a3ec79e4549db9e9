// `npm run bench:generate`: what generating manifests costs, beside controller-gen on the same kinds, and what kinds of zod cost beside those
// of interfaces. In turn, in one run. `BEFORE` names the folder of another build of op-sdk that the kinds of zod are also measured with;
// `ONLY=zod` leaves out controller-gen.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { ensureBuild, ensureDependencies } from '../scripts/lib/provision.mjs';
import { must, root } from '../scripts/lib/run.mjs';
import { machine, median, usageOf } from './lib/measure.mjs';
import { writeGoKinds, writeTsKinds } from './lib/peer-kinds.mjs';
import { differences } from './lib/property-paths.mjs';
import { writeZodKinds } from './lib/zod-kinds.mjs';

const rounds = Number(process.env.ROUNDS ?? 7);
const counts = [1, 13, 100];
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-bench-generate-'));
const opSdk = [process.execPath, join(root, 'bin', 'op-sdk.js')];

/** controller-gen, of the version that the tests compare with; this also fills Go's caches. */
async function buildControllerGen() {
  const program = join(scratch, 'controller-gen');
  const peer = join(root, 'test', 'peers', 'controller-gen');
  await must('go', ['build', '-o', program, 'sigs.k8s.io/controller-tools/cmd/controller-gen'], {
    cwd: peer,
  });
  return program;
}

function goModule(count) {
  const folder = join(scratch, `go-${count}`);
  writeGoKinds(folder, count);
  for (const name of ['go.mod', 'go.sum'])
    copyFileSync(join(root, 'test', 'peers', 'controller-gen', name), join(folder, name));
  return folder;
}

function project(count, name = 'ts') {
  const folder = join(scratch, `${name}-${count}`);
  writeTsKinds(folder, count);
  return folder;
}

/** The commands that are compared. None of them may find what an earlier one left, unless that is what is measured. */
function ways(controllerGen, count) {
  const [go, ts] = [goModule(count), project(count)];
  const cache = join(scratch, `cache-${count}`);
  return {
    go,
    ts,
    theirs: {
      name: 'controller-gen rbac crd webhook',
      argv: [controllerGen, 'rbac:roleName=manager-role', 'crd', 'webhook', 'paths=./...', 'output:dir=out'],
      cwd: go,
      env: { GOFLAGS: '-mod=mod' },
    },
    first: {
      name: 'op-sdk, first run on a machine',
      argv: [...opSdk, 'generate', 'manifests'],
      cwd: ts,
      env: { OPSDK_NO_CACHE: '1', NODE_DISABLE_COMPILE_CACHE: '1' },
    },
    // Like controller-gen, a program that is compiled already reads sources that it has not seen.
    cold: {
      name: 'op-sdk, cold',
      argv: [...opSdk, 'generate', 'manifests', '--no-cache'],
      cwd: ts,
      env: { XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: join(cache, 'node'), OPSDK_NO_CACHE: '' },
    },
    cached: {
      name: 'op-sdk, cached',
      argv: [...opSdk, 'generate', 'manifests'],
      cwd: ts,
      env: { XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: join(cache, 'node'), OPSDK_NO_CACHE: '' },
    },
  };
}

/** Both sides must have made the same kinds with the same fields, or the figures mean nothing. */
function checkSame(go, ts) {
  const documentsIn = (folder) =>
    readdirSync(folder)
      .filter((name) => name.startsWith('bench.'))
      .map((name) => load(readFileSync(join(folder, name), 'utf8')));
  const found = differences(documentsIn(join(go, 'out')), documentsIn(join(ts, 'config', 'crd', 'bases')));
  if (found.length > 0) throw new Error(`the two sides differ:\n${found.slice(0, 20).join('\n')}`);
}

async function measure(ways, check = () => {}) {
  const all = [...ways];
  const samples = new Map(all.map((way) => [way, []]));
  // The first round fills the caches and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const way of [...all]) {
      const usage = await usageOf(way.argv, way).catch((error) => {
        if (way.mayFail !== true) throw error;
        console.log(`\n${way.name}: ${String(error.message).trim().split('\n')[0]}`);
        all.splice(all.indexOf(way), 1);
      });
      if (usage === undefined) continue;
      if (round > 0) samples.get(way).push(usage);
    }
    if (round === 0) check();
  }
  return all.map((way) => ({
    name: way.name,
    cpu: median(samples.get(way).map(({ cpu }) => cpu)),
    rss: median(samples.get(way).map(({ rss }) => rss)),
  }));
}

/** Kinds of zod, whose modules are run, beside those of interfaces, and beside another build where one is named. */
function zodWays(count) {
  const zod = join(scratch, `zod-${count}`);
  writeZodKinds(zod, count, join(root, 'node_modules'));
  const cold = (name, folder, cwd) => {
    const cache = join(scratch, `cache-${name}`.replaceAll(/\W+/g, '-'));
    return {
      name,
      argv: [process.execPath, join(folder, 'bin', 'op-sdk.js'), 'generate', 'manifests', '--no-cache'],
      cwd,
      env: { XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: join(cache, 'node'), OPSDK_NO_CACHE: '' },
    };
  };
  const before = process.env.BEFORE;
  return [
    // It may lack what this one can do.
    ...(before ? [{ ...cold('another build, kinds of zod, cold', before, zod), mayFail: true }] : []),
    cold('op-sdk, kinds of interfaces, cold', root, project(count, 'interfaces')),
    cold('op-sdk, kinds of zod, cold', root, zod),
  ];
}

/** The first is what the others are compared with. */
function print(title, figures) {
  const [base] = figures;
  console.log(`\n${title} (medians of ${rounds})`);
  console.log(
    `${''.padEnd(36)} ${'CPU s'.padStart(7)} ${'ratio'.padStart(7)} ${'RSS MiB'.padStart(9)} ${'ratio'.padStart(7)}`,
  );
  for (const { name, cpu, rss } of figures) {
    console.log(
      `${name.padEnd(36)} ${cpu.toFixed(3).padStart(7)} ${(cpu / base.cpu).toFixed(2).padStart(7)} ${rss.toFixed(0).padStart(9)} ${(rss / base.rss).toFixed(2).padStart(7)}`,
    );
  }
}

const countText = (count) => `${count} kind${count === 1 ? '' : 's'}`;

await ensureDependencies();
await ensureBuild();
try {
  console.log(`before: ${machine()}`);
  if (process.env.ONLY !== 'zod') {
    const controllerGen = await buildControllerGen();
    for (const count of counts) {
      const { go, ts, theirs, first, cold, cached } = ways(controllerGen, count);
      const figures = await measure([theirs, first, cold, cached], () => checkSame(go, ts));
      print(countText(count), figures);
    }
  }
  for (const count of [1, 13]) print(`${countText(count)} of zod`, await measure(zodWays(count)));
  console.log(`\nafter:  ${machine()}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
