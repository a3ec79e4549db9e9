// `npm run bench:bundle`: CPU seconds of `op-sdk bundle validate --select-optional all`: of one bundle, of 24 in one process, and the peak
// memory of the 24 fourteen times; and of `op-sdk generate bundle` in a project as it is scaffolded, the first time and again. The bundles are those of `../shared/data/bundles`, or of the folder that BUNDLES names.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureBuild, ensureDependencies } from '../scripts/lib/provision.mjs';
import { must, root } from '../scripts/lib/run.mjs';
import { machine, median, usageOf } from './lib/measure.mjs';

const rounds = Number(process.env.ROUNDS ?? 7);
const targets = { one: 0.25, each: 0.05, memory: 150 };
const folder = resolve(root, process.env.BUNDLES ?? '../shared/data/bundles');
const program = join(root, 'bin', 'op-sdk.js');
const opSdk = [process.execPath, program, 'bundle', 'validate'];

/** The folders two levels down: packages, then versions. */
function bundlesOf(path) {
  const folders = (inner) =>
    readdirSync(inner)
      .map((name) => join(inner, name))
      .filter((name) => statSync(name).isDirectory());
  return folders(path).flatMap(folders).sort();
}

async function measure(dirs, count = rounds) {
  const argv = [
    'sh',
    '-c',
    '"$@" || true',
    'sh',
    ...opSdk,
    '-o',
    'json',
    '--select-optional',
    'all',
    ...dirs,
  ];
  const cpu = [];
  // The first round fills the caches of the machine and is not counted.
  for (let round = 0; round <= count; round += 1) {
    const usage = await usageOf(argv, { cwd: folder });
    if (round > 0 || count === 0) cpu.push(usage.cpu);
  }
  return median(cpu);
}

if (!existsSync(folder)) {
  console.log(`skipped: the bundles are not there (${folder})`);
} else {
  await ensureDependencies();
  await ensureBuild();
  const bundles = bundlesOf(folder);
  console.log(`before: ${machine()}`);
  const ones = [];
  for (const bundle of bundles) ones.push(await measure([bundle], 1));
  console.log(
    `one bundle       ${median(ones).toFixed(3)} CPU s, at most ${Math.max(...ones).toFixed(3)} (target ≤ ${targets.one})`,
  );
  const all = await measure(bundles);
  const each = (all / bundles.length).toFixed(3);
  console.log(
    `${bundles.length} in one process ${all.toFixed(3)} CPU s, ${each} each (target ≤ ${targets.each})`,
  );
  const many = Array.from({ length: 14 }, () => bundles).flat();
  const rss = peak(many);
  console.log(`${many.length} bundles      ${rss.toFixed(0)} MiB at most (target ≤ ${targets.memory})`);
  await measureGeneration();
  console.log(`after:  ${machine()}`);
}

/** The peak memory of one run, in MiB; it may find errors in the bundles. */
function peak(dirs) {
  const script = `process.on('exit', () => process._rawDebug('rss ' + process.resourceUsage().maxRSS));`;
  const hook = `data:text/javascript,${encodeURIComponent(script)}`;
  const [node, ...rest] = opSdk;
  const argv = ['--import', hook, ...rest, '-o', 'json', '--select-optional', 'all', ...dirs];
  const { stderr } = spawnSync(node, argv, { cwd: folder, encoding: 'utf8', maxBuffer: 1e9 });
  return Number(/rss (\d+)/.exec(stderr)?.[1] ?? NaN) / 1024;
}

/** `generate bundle` has no target: it is reported. */
async function measureGeneration() {
  const project = mkdtempSync(join(tmpdir(), 'op-sdk-bench-bundle-'));
  const options = { cwd: project, quiet: true };
  const description = [
    ...['--display-name', 'Bench', '--description', 'Is measured.', '--keywords', 'bench'],
    ...[
      '--provider',
      'Example',
      '--provider-url',
      'https://example.com',
      '--maintainers',
      'Jo:jo@example.com',
    ],
  ];
  try {
    for (const args of [
      ['init', '--domain', 'example.com', '--project-name', 'bench', '--skip-install'],
      ['create', 'api', '--group', 'cache', '--version', 'v1', '--kind', 'Memcached'],
      ['generate', 'kustomize', 'manifests', ...description],
    ]) {
      await must(process.execPath, [program, ...args], options);
      mkdirSync(join(project, 'node_modules'), { recursive: true });
      if (!existsSync(join(project, 'node_modules', 'opsdk')))
        symlinkSync(root, join(project, 'node_modules', 'opsdk'));
    }
    const argv = [process.execPath, program, 'generate', 'bundle', '--version', '0.1.0'];
    const costs = [];
    for (let round = 0; round <= rounds; round += 1) costs.push((await usageOf(argv, { cwd: project })).cpu);
    const [first, ...again] = costs;
    console.log(
      `generate bundle  ${first.toFixed(3)} CPU s the first time, ${median(again).toFixed(3)} again`,
    );
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
