// `npm run bench:dev`: the CPU time of a change under `op-sdk dev`, from the edit to the new operator that has reconciled:
// op-sdk itself, the bundler, and the new operator. The API server does not count. Reads /proc, so Linux only.
import { spawn, spawnSync } from 'node:child_process';
import {
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
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuild, ensureDependencies } from '../scripts/lib/provision.mjs';
import { freePort } from '../scripts/lib/free-port.mjs';
import { root } from '../scripts/lib/run.mjs';
import { machine, median } from './lib/measure.mjs';

await ensureDependencies();
await ensureBuild();

const rounds = Number(process.env.ROUNDS ?? 7);
const opSdk = join(root, 'bin', 'op-sdk.js');
const project = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-bench-'));
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

let dev;
try {
  const call = (...args) => {
    const { status, stderr } = spawnSync(process.execPath, [opSdk, ...args], {
      cwd: project,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  };
  call('init', '--domain', 'example.com', '--project-name', 'memo', '--skip-install', '--opsdk', '^0.1.0');
  call('create', 'api', '--group', 'cache', '--version', 'v1alpha1', '--kind', 'Memcached');
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(root, join(project, 'node_modules', 'opsdk'));

  const health = `--health-probe-bind-address=127.0.0.1:${await freePort()}`;
  dev = spawn(process.execPath, [opSdk, 'dev', '--samples', '--', '--metrics-bind-address=0', health], {
    cwd: project,
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

  const before = machine();
  const figures = {
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
  console.log(`before: ${before}\nafter:  ${machine()}\n`);
  console.log(`${'a change of (medians)'.padEnd(32)} ${'CPU s'.padStart(8)} ${'wall s'.padStart(8)}`);
  for (const [name, { cpu, wall }] of Object.entries(figures))
    console.log(`${name.padEnd(32)} ${cpu.toFixed(2).padStart(8)} ${wall.toFixed(2).padStart(8)}`);
} finally {
  if (dev !== undefined && dev.exitCode === null) {
    const ended = new Promise((resolve) => dev.once('exit', resolve));
    dev.kill('SIGINT');
    await ended;
  }
  rmSync(project, { recursive: true, force: true });
}
