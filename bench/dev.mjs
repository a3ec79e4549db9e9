// `npm run bench:dev`: the CPU time of a change under `op-sdk dev`, from the edit to the new operator that has reconciled:
// op-sdk itself, the bundler, and the new operator. The API server does not count. Reads /proc, so Linux only. Beside targets: the time
// from a sample to its ready Pods, from the samples of the examples with real software (etcd, Redis) to their clusters, and what a node adds
// to the start of a control plane.
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  mkdirSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuild, ensureControlPlane, ensureDependencies } from '../scripts/lib/provision.mjs';
import { createLinkedExample } from '../scripts/lib/example-projects.mjs';
import { freePort } from '../scripts/lib/free-port.mjs';
import { root } from '../scripts/lib/run.mjs';
import { ensureRedis, orUnavailable } from '../scripts/lib/test-programs.mjs';
import { machine, median, row } from './lib/measure.mjs';

await ensureDependencies();
await ensureBuild();
process.env.KUBEBUILDER_ASSETS = await ensureControlPlane();
const { startControlPlane } = await import('../dist/testing/index.js');

const targets = { ready: 3, etcd: 15, redis: 20, node: 0.5 };
const rounds = Number(process.env.ROUNDS ?? 7);
/** Each start of an example takes half a minute. */
const exampleRounds = Math.min(rounds, 3);
const opSdk = join(root, 'bin', 'op-sdk.js');
const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-bench-'));
/** The kernel cuts names at 15 characters. */
const controlPlane = ['etcd', 'kube-apiserver', 'kube-controller-manager'].map((name) => name.slice(0, 15));

/** Clock ticks of 10 ms: everywhere on Linux. */
const tick = 0.01;

/** CPU seconds by process id of a process and all below it, without the control plane. */
function cpuBelow(pid, found = new Map()) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    if (controlPlane.includes(name)) return found;
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
    found.set(pid, (Number(fields[11]) + Number(fields[12])) * tick);
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim();
      for (const child of children === '' ? [] : children.split(' ')) cpuBelow(child, found);
    }
  } catch {
    // It has ended.
  }
  return found;
}

/** What has been used since: processes that have ended meanwhile are the former operator, whose end costs next to nothing. */
function since(before, pid) {
  let sum = 0;
  for (const [id, seconds] of cpuBelow(pid)) sum += seconds - (before.get(id) ?? 0);
  return sum;
}

/** Creates a project with one kind in a new folder, with this checkout's package. */
function createProject(name) {
  const project = join(scratch, name);
  mkdirSync(project);
  const call = (...args) => {
    const { status, stderr } = spawnSync(process.execPath, [opSdk, ...args], {
      cwd: project,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  };
  call('init', '--domain', 'example.com', '--project-name', name, '--skip-install', '--opsdk', '^0.1.0');
  call('create', 'api', '--group', 'cache', '--version', 'v1alpha1', '--kind', 'Memcached');
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(root, join(project, 'node_modules', 'opsdk'));
  return project;
}

/**
 * Runs `work` while `op-sdk dev --samples` runs in a project; `seen` waits for a text in its output after the last one.
 *
 * @param programs folder that comes first in the PATH
 */
async function withDev(project, work, programs = '') {
  const health = `--health-probe-bind-address=127.0.0.1:${await freePort()}`;
  const dev = spawn(process.execPath, [opSdk, 'dev', '--samples', '--', '--metrics-bind-address=0', health], {
    cwd: project,
    env: { ...process.env, PATH: [programs, process.env.PATH].join(delimiter) },
  });
  let output = '';
  let read = 0;
  for (const stream of [dev.stdout, dev.stderr])
    stream.setEncoding('utf8').on('data', (part) => (output += part));
  const seen = async (text) => {
    for (;;) {
      const at = output.indexOf(text, read);
      if (at !== -1) return void (read = at + text.length);
      if (dev.exitCode !== null) throw new Error(output);
      await sleep(5);
    }
  };
  try {
    return await work(dev, seen);
  } finally {
    if (dev.exitCode === null) {
      const ended = new Promise((resolve) => dev.once('exit', resolve));
      dev.kill('SIGINT');
      await ended;
    }
  }
}

/** CPU and wall seconds of changes, by what is changed. */
function measureChanges(project) {
  return withDev(project, async (dev, seen) => {
    await seen('Ready=True (Reconciled): The operator has seen the object');
    const measure = async (file, change, isDone) => {
      const path = join(project, file);
      const samples = [];
      for (let round = 0; round <= rounds; round += 1) {
        await sleep(1_500);
        const before = cpuBelow(dev.pid);
        const began = performance.now();
        writeFileSync(path, change(readFileSync(path, 'utf8'), round));
        await isDone(round);
        const wall = (performance.now() - began) / 1000;
        await sleep(300);
        if (round > 0) samples.push({ cpu: since(before, dev.pid), wall });
      }
      return { cpu: median(samples.map(({ cpu }) => cpu)), wall: median(samples.map(({ wall }) => wall)) };
    };
    return {
      'a controller': await measure(
        'src/controllers/cache/memcached.ts',
        (text, round) =>
          text.replace(
            /'The operator has seen the object[^']*'/,
            `'The operator has seen the object, ${round}'`,
          ),
        (round) => seen(`The operator has seen the object, ${round}`),
      ),
      'a type': await measure(
        'src/api/cache/v1alpha1/memcached.ts',
        (text, round) => text.replace('  foo?: string;', `  foo?: string;\n  field${round}?: string;`),
        async () => {
          await seen('memcacheds.cache.example.com configured');
          await seen('Starting workers');
        },
      ),
    };
  });
}

/** Median seconds from a new object of the example to the condition that says that its two Pods are ready. */
function measureReady(project) {
  cpSync(join(root, 'examples', 'memcached-operator'), project, { recursive: true });
  const path = join(project, 'config/samples/cache_v1alpha1_memcached.yaml');
  return withDev(project, async (_dev, seen) => {
    await seen('Available=True (PodsReady)');
    const seconds = [];
    for (let round = 0; round < rounds; round += 1) {
      const name = `sample-${round}`;
      await sleep(1_000);
      writeFileSync(path, readFileSync(path, 'utf8').replace(/^( {2}name:).*/m, `$1 ${name}`));
      await seen(`Memcached default/${name}: created`);
      const began = performance.now();
      await seen(`Memcached default/${name}: Available=True (PodsReady)`);
      seconds.push((performance.now() - began) / 1000);
    }
    return median(seconds);
  });
}

/** Median seconds until a text says that the cluster of an example's samples is in order, with an `op-sdk dev` of its own for each one. */
async function measureExample(name, done, programs) {
  const project = join(scratch, name);
  await createLinkedExample(name, project);
  const seconds = [];
  for (let round = 0; round < exampleRounds; round += 1)
    await withDev(
      project,
      async (_dev, seen) => {
        await seen('of config/samples');
        const began = performance.now();
        await seen(done);
        seconds.push((performance.now() - began) / 1000);
      },
      programs,
    );
  return median(seconds);
}

/** Median seconds to start a control plane with kube-controller-manager, with a node and without. */
async function measureStarts() {
  const seconds = { with: [], without: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const [which, options] of [
      ['without', { controllerManager: true }],
      ['with', { nodes: 1 }],
    ]) {
      const began = performance.now();
      const plane = await startControlPlane(options);
      seconds[which].push((performance.now() - began) / 1000);
      await plane.stop();
    }
  return { with: median(seconds.with), without: median(seconds.without) };
}

try {
  const before = machine();
  const figures = await measureChanges(createProject('memo'));
  const ready = await measureReady(createProject('memcached-operator'));
  const etcd = await measureExample('etcd-operator', 'status.phase "Creating" → "Running"');
  const redisPrograms = await orUnavailable(ensureRedis());
  const redis =
    redisPrograms instanceof Error
      ? undefined
      : await measureExample('redis-operator', 'Ready=True (AllSlotsServed)', redisPrograms);
  const starts = await measureStarts();
  console.log(`before: ${before}\nafter:  ${machine()}\n`);
  console.log(`${'a change of (medians)'.padEnd(32)} ${'CPU s'.padStart(8)} ${'wall s'.padStart(8)}`);
  for (const [name, { cpu, wall }] of Object.entries(figures))
    console.log(`${name.padEnd(32)} ${cpu.toFixed(2).padStart(8)} ${wall.toFixed(2).padStart(8)}`);
  console.log();
  row('from a sample to its ready Pods', ready, 's', targets.ready, 2);
  row('from the samples to three etcds', etcd, 's', targets.etcd, 1);
  if (redis === undefined) console.log(`no Redis: ${redisPrograms.message}`);
  else row('from the samples to six Redis nodes', redis, 's', targets.redis, 1);
  row('start of a control plane', starts.without, 's', undefined, 2);
  row('more with a node', starts.with - starts.without, 's', targets.node, 2);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
