// `npm run bench:init`: seconds of `op-sdk init` with its installation, beside `npm install` of the same package.json in an empty folder, in
// turn: as a release, and as this checkout, which packs itself into the project. Packages come from a registry on loopback into a warm cache.
//   npm run bench:init -- --rounds 7
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startNpmRegistry } from '../scripts/lib/npm-registry.mjs';
import { ensureBuild, ensureDependencies, step } from '../scripts/lib/provision.mjs';
import { packRelease } from '../scripts/lib/release-packages.mjs';
import { must, root } from '../scripts/lib/run.mjs';
import { machine, median, row } from './lib/measure.mjs';

const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
const rounds = Number(flags.rounds);
const target = 1.5;

await ensureDependencies();
await ensureBuild();
// The flags of npm are those of `init`, so that the ratio is what op-sdk adds.
const { detectPackageManager } = await import('../dist/project/project/index.js');
const { install } = detectPackageManager({});

const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-bench-init-'));
const { opsdk: release } = await packRelease({ folder: join(scratch, 'release') });
const registry = await startNpmRegistry({ published: [release] });
const env = {
  ...process.env,
  npm_config_registry: registry.url,
  // Addresses on loopback are new with every run, and would fill the user's cache.
  npm_config_cache: join(scratch, 'cache'),
  npm_config_update_notifier: 'false',
  OPSDK_SPEC: '',
};

/** Installs the release in a folder of its own. @returns its program */
async function installRelease() {
  const folder = join(scratch, 'tool');
  mkdirSync(folder);
  await must('npm', ['install', '--silent', '--no-save', 'opsdk'], { cwd: folder, env, quiet: true });
  return join(folder, 'node_modules', 'opsdk', 'bin', 'op-sdk.js');
}

/** Runs a command in a new folder, to which `prepare` gives its files. @returns the folder, and the seconds of the command */
async function timed(command, args, prepare = () => undefined) {
  const folder = join(mkdtempSync(join(scratch, 'round-')), 'cache-operator');
  mkdirSync(folder);
  prepare(folder);
  // An installation leaves 200 MB for the disk, which the next one would wait for.
  await must('sync', []);
  const start = performance.now();
  await must(command, args, { cwd: folder, env, capture: 'all' });
  return { folder, seconds: (performance.now() - start) / 1000 };
}

/**
 * @param isNpmFirst in every other round, so that neither installation has the better place
 * @returns the seconds of the three commands of one round
 */
async function measure(program, isNpmFirst) {
  const init = [program, 'init', '--domain', 'example.com', '--quiet'];
  const files = await timed(process.execPath, [...init, '--skip-install']);
  const installations = {
    whole: () => timed(process.execPath, init),
    npm: () =>
      timed('npm', install, (folder) => {
        for (const name of ['package.json', '.op-sdk'])
          if (existsSync(join(files.folder, name)))
            cpSync(join(files.folder, name), join(folder, name), { recursive: true });
      }),
  };
  const seconds = { files: files.seconds };
  for (const name of isNpmFirst ? ['npm', 'whole'] : ['whole', 'npm']) {
    const installed = await installations[name]();
    seconds[name] = installed.seconds;
    rmSync(installed.folder, { recursive: true });
  }
  rmSync(files.folder, { recursive: true });
  return seconds;
}

try {
  const programs = new Map([
    ['a release', await step('install the release', installRelease)],
    ['this checkout', join(root, 'bin', 'op-sdk.js')],
  ]);
  console.log(`before: ${machine()}`);
  const samples = new Map([...programs.keys()].map((name) => [name, []]));
  // The first round fills the caches and is not counted.
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, program] of programs) {
      const sample = await measure(program, round % 2 === 0);
      if (round > 0) samples.get(name).push(sample);
    }
  for (const [name, list] of samples) {
    console.log(`\n${name} (medians of ${rounds} rounds)`);
    row(`npm ${install.join(' ')}`, median(list.map(({ npm }) => npm)), 's', undefined, 1);
    row('op-sdk init --skip-install', median(list.map(({ files }) => files)), 's', undefined, 1);
    row('op-sdk init', median(list.map(({ whole }) => whole)), 's', undefined, 1);
    row(
      'ratio of op-sdk init to npm install',
      median(list.map(({ whole, npm }) => whole / npm)),
      '×',
      target,
      2,
    );
  }
  console.log(`\nafter:  ${machine()}`);
} finally {
  await registry.close();
  rmSync(scratch, { recursive: true, force: true });
}
