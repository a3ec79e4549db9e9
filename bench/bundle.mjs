// `npm run bench:bundle`: CPU seconds of `op-sdk bundle validate --select-optional all`: of one bundle, of 24 in one process, and the peak
// memory of the 24 fourteen times. The bundles are those of `../shared/data/bundles`, or of the folder that BUNDLES names.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureBuild, ensureDependencies } from '../scripts/lib/provision.mjs';
import { root } from '../scripts/lib/run.mjs';
import { machine, median, usageOf } from './lib/measure.mjs';

const rounds = Number(process.env.ROUNDS ?? 7);
const targets = { one: 0.25, each: 0.05, memory: 150 };
const folder = resolve(root, process.env.BUNDLES ?? '../shared/data/bundles');
const opSdk = [process.execPath, join(root, 'bin', 'op-sdk.js'), 'bundle', 'validate'];

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
