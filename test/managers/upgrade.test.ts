// `op-sdk upgrade --to` with the package manager of a project: versions and tags of a registry that has several versions of op-sdk, with
// other templates in each.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startNpmRegistry, type NpmRegistry } from '../../scripts/lib/npm-registry.mjs';
import { packFolder } from '../../scripts/lib/release-packages.mjs';
import { OpsdkVersion } from '../helpers/opsdk-versions.ts';
import { managerMachine, type ManagerName } from '../helpers/package-manager.ts';
import { isThorough } from '../helpers/thorough.ts';
import { treeOf } from '../helpers/tree.ts';

/** For each package manager, its user agent, its lock file, and how its project names the version of op-sdk. */
const all = {
  npm: { agent: 'npm/11.0.0', lock: 'package-lock.json', operator: '^' },
  pnpm: { agent: 'pnpm/12.0.0', lock: 'pnpm-lock.yaml', operator: '~' },
  'yarn with Plug’n’Play': { agent: 'yarn/4.0.0', lock: 'yarn.lock', operator: '^' },
  'yarn 1': { agent: 'yarn/1.22.22', lock: 'yarn.lock', operator: '' },
  bun: { agent: 'bun/1.4.5', lock: 'bun.lock', operator: '^' },
} as const satisfies Partial<Record<ManagerName, object>>;
type Name = keyof typeof all;

const names: readonly Name[] = isThorough ? (Object.keys(all) as Name[]) : ['npm'];

let scratch = '';
let registry: NpmRegistry;
let gone = '';
let old: OpsdkVersion;
let next: OpsdkVersion;

beforeAll(async () => {
  const { folder } = inject('managers') ?? expect.fail('run with --project managers');
  scratch = join(folder, 'upgrade-versions');
  old = new OpsdkVersion(join(scratch, 'old'), '1.0.0');
  const middle = new OpsdkVersion(join(scratch, 'middle'), '1.1.0');
  next = new OpsdkVersion(join(scratch, 'next'), '2.0.0-rc.1');
  const published = [];
  for (const version of [old, next, middle]) {
    version.edit('templates/init/Dockerfile.hbs', (text) => `# Version ${version.version}\n${text}`);
    mkdirSync(join(scratch, version.version));
    published.push(await packFolder(version.root, join(scratch, version.version)));
  }
  registry = await startNpmRegistry({ published, tags: { opsdk: { next: next.version } } });
  const closed = await startNpmRegistry();
  await closed.close();
  gone = closed.url;
});
afterAll(() => registry.close());

/** Creates a project of the old version. It has no tools, whose installation takes most of the time. */
async function projectOf(name: Name) {
  const { agent, operator } = all[name];
  const machine = await managerMachine(name, 'upgrade', { registry: registry.url });
  const { project, run, commands } = machine;
  const scaffold = [
    'env',
    `npm_config_user_agent=${agent}`,
    process.execPath,
    join(old.root, 'bin/op-sdk.js'),
  ];
  await run(scaffold, 'init', '--domain', 'example.com', '--skip-install', '--opsdk', `${operator}1.0.0`);
  await run(scaffold, 'create', 'api', '--group', 'cache', '--version', 'v1', '--kind', 'Memcached');
  editJson(join(project, 'package.json'), ({ devDependencies: _tools, scripts: _uses, ...rest }) => rest);
  // pnpm repeats requests for a minute.
  if (name === 'pnpm') edit(join(project, 'pnpm-workspace.yaml'), (text) => `${text}fetchRetries: 0\n`);
  edit(join(project, 'Dockerfile'), (text) =>
    text.replace('WORKDIR /workspace', '# mine\nWORKDIR /workspace'),
  );
  const [exec = ''] = commands.exec;
  await run([exec === 'npx' ? 'npm' : exec], 'install');
  return machine;
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

function editJson(file: string, change: (value: Record<string, unknown>) => object): void {
  edit(file, (text) => `${JSON.stringify(change(JSON.parse(text) as Record<string, unknown>), null, 2)}\n`);
}

/** Returns settings that write, delete or run something outside of the folder of an installation, or keep it from being done. */
function hostileSettings(project: string): readonly (readonly [file: string, text: string])[] {
  const outside = join(project, 'outside');
  const program = join(outside, 'own.cjs');
  const npm = ['global', 'workspaces', 'dry-run', 'package-lock-only', 'frozen-lockfile']
    .map((key) => `${key}=true\n`)
    .join('');
  const folders = ['prefix', 'modules-dir', 'virtual-store-dir'].map((key) => `${key}=${outside}\n`).join('');
  return [
    [join(project, '.npmrc'), `\n${npm}${folders}pnpmfile=${program}\nglobal-pnpmfile=${program}\n`],
    [join(project, '.yarnrc'), `\n"yarn-path" "${program}"\n--modules-folder "${outside}"\n`],
    [
      join(project, 'bunfig.toml'),
      `\n[install]\nglobalDir = "${outside}"\ndryRun = true\nfrozenLockfile = true\n`,
    ],
  ];
}

/** Of the settings of a project, only those of the registry reach the folder into which a version is installed. */
async function upgradesBesideHostileSettings(
  project: string,
  run: Awaited<ReturnType<typeof projectOf>>['run'],
): Promise<void> {
  const kept = hostileSettings(project).map(([file, text]) => {
    const present = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    writeFileSync(file, `${present ?? ''}${text}`);
    return { file, present };
  });
  const outside = join(project, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'precious.txt'), '');
  await run([process.execPath, join(old.root, 'bin/op-sdk.js')], 'upgrade', '--to', '1.1.0', '--dry-run');
  expect(readdirSync(outside)).toEqual(['precious.txt']);
  rmSync(outside, { recursive: true });
  for (const { file, present } of kept)
    if (present === undefined) rmSync(file);
    else writeFileSync(file, present);
}

test.concurrent.each(names)('upgrades by %s', async (name) => {
  const { lock, operator } = all[name];
  const { project, commands, attempt, run } = await projectOf(name);
  const read = (path: string): string => readFileSync(join(project, path), 'utf8');
  const opSdk = [...commands.exec, 'op-sdk'];
  const dependency = (): unknown =>
    (JSON.parse(read('package.json')) as { dependencies: Record<string, string> }).dependencies['opsdk'];
  const before = treeOf(project);

  // Neither a version that does not exist, nor one of a registry that does not answer, changes anything.
  for (const wanted of ['9.9.9', 'no-such-tag']) {
    const missing = await attempt(opSdk, 'upgrade', '--to', wanted);
    expect([missing.code, missing.output]).toEqual([
      1,
      expect.stringContaining('error[upgrade/no-package]: '),
    ]);
    expect(missing.output).toContain(`op-sdk ${wanted} is not in the registry: `);
  }
  const unreachable = await managerMachine(name, 'upgrade', { registry: gone });
  const fails = await unreachable.attempt(
    ['env', 'npm_config_fetch_retries=0', ...opSdk],
    'upgrade',
    '--to',
    '1.1.0',
  );
  expect([fails.code, fails.output]).toEqual([1, expect.stringContaining('error[upgrade/no-registry]: ')]);
  expect(treeOf(project)).toEqual(before);
  await managerMachine(name, 'upgrade', { registry: registry.url });

  // The installation takes half a minute, and unit tests hold which settings are taken over.
  if (isThorough) {
    await upgradesBesideHostileSettings(project, run);
    expect(treeOf(project)).toEqual(before);
  }

  // In CI, package managers refuse to change a lock file unless they are told.
  await run(['env', 'CI=1', ...opSdk], 'upgrade', '--to', 'latest');
  expect(read('Dockerfile')).toMatch(/^# Version 1\.1\.0\n[^]*# mine\nWORKDIR/);
  expect(read('PROJECT')).toContain('\ncliVersion: 1.1.0\n');
  expect(dependency()).toBe(`${operator}1.1.0`);
  expect(read(lock)).toMatch(/opsdk[^]{0,200}1\.1\.0/);
  expect(await run(opSdk, 'version')).toContain('1.1.0');

  // A second run changes nothing, and none leads back.
  const upgraded = treeOf(project);
  for (const wanted of ['latest', '1.1.0'])
    expect(await run(opSdk, 'upgrade', '--to', wanted)).toContain('has the scaffolds of op-sdk 1.1.0');
  const back = await attempt(opSdk, 'upgrade', '--to', '1.0.0');
  expect([back.code, back.output]).toEqual([1, expect.stringContaining('error[upgrade/older-version]: ')]);
  expect(treeOf(project)).toEqual(upgraded);

  // In a fresh clone, the version that made the project comes from the registry too.
  rmSync(join(project, 'node_modules'), { recursive: true, force: true });
  const newer = [process.execPath, join(next.root, 'bin/op-sdk.js')];
  await run(newer, 'upgrade', '--to', 'next');
  expect(read('Dockerfile')).toMatch(/^# Version 2\.0\.0-rc\.1\n[^]*# mine\nWORKDIR/);
  expect(dependency()).toBe(`${operator}2.0.0-rc.1`);
  expect(await run(opSdk, 'version')).toContain('2.0.0-rc.1');

  // A tag may lead to an older version until the next release, as a workflow that runs each week finds it.
  const ahead = treeOf(project);
  expect(await run(opSdk, 'upgrade', '--to', 'latest')).toContain(
    'a newer op-sdk than latest, which is 1.1.0',
  );
  expect(treeOf(project)).toEqual(ahead);
});
