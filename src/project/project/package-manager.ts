import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../base/errors/index.ts';
import { layout } from './layout.ts';
import { workspaceRootOf } from './workspace-root.ts';

/** A package manager: its commands, its files and its name. */
export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** The name under which PROJECT records it: Yarn scaffolds other files from version 2 on. */
  readonly id: PackageManager['name'] | 'yarn/4';
  /** The command that adds a package to the project's dependencies. */
  readonly add: string;
  /** The arguments that install a project's dependencies. */
  readonly install: readonly string[];
  /** The arguments that install a project's dependencies after package.json has changed. They update the lock file in CI, too. */
  readonly relock: readonly string[];
  /** The complete command that installs exactly the versions of the lock file; used in images and CI. */
  readonly frozenInstall: string;
  /** The command that installs the package manager itself; absent for npm, which comes with Node. */
  readonly setUp?: string;
  /**
   * The prefix that runs a command of an installed dependency: `npx --no` in `npx --no op-sdk`. It never downloads a package of that name.
   */
  readonly exec: string;
  /** The file that pins the dependencies. */
  readonly lockFile: string;
  /** True if dependencies may be installed without a folder `node_modules`, as Yarn does from version 2 on. */
  readonly plugAndPlay?: true;
}

const managers: Readonly<Record<PackageManager['name'], PackageManager>> = {
  npm: {
    name: 'npm',
    id: 'npm',
    add: 'npm install',
    // npm uses cached metadata, which may be some days old, and fetches new metadata only if the cached data does not suffice. This halves
    // the time of the installation.
    install: ['install', '--no-audit', '--no-fund', '--prefer-offline'],
    relock: ['install', '--no-audit', '--no-fund', '--prefer-offline'],
    frozenInstall: 'npm ci',
    exec: 'npx --no',
    lockFile: 'package-lock.json',
  },
  pnpm: {
    name: 'pnpm',
    id: 'pnpm',
    add: 'pnpm add',
    install: ['install'],
    // In CI, pnpm refuses a lock file that does not fit package.json.
    relock: ['install', '--no-frozen-lockfile'],
    frozenInstall: 'pnpm install --frozen-lockfile',
    setUp: 'npm install --global pnpm',
    exec: 'pnpm exec',
    lockFile: 'pnpm-lock.yaml',
  },
  yarn: {
    name: 'yarn',
    id: 'yarn',
    add: 'yarn add',
    install: ['install'],
    relock: ['install'],
    frozenInstall: 'yarn install --frozen-lockfile',
    setUp: 'npm install --global --force yarn',
    // `yarn exec` of Yarn 1 interprets the flags of the command as its own flags, so plain `yarn` is used.
    exec: 'yarn',
    lockFile: 'yarn.lock',
  },
  bun: {
    name: 'bun',
    id: 'bun',
    add: 'bun add',
    install: ['install'],
    relock: ['install'],
    frozenInstall: 'bun install --frozen-lockfile',
    setUp: 'npm install --global bun',
    exec: 'bun run',
    lockFile: 'bun.lock',
  },
};

/** Yarn from version 2 on. */
const modernYarn: PackageManager = {
  ...managers.yarn,
  id: 'yarn/4',
  // In CI, Yarn refuses to change the lock file.
  relock: ['install', '--no-immutable'],
  frozenInstall: 'yarn install --immutable',
  // The package `yarn` is version 1.
  setUp: 'npm install --global --force @yarnpkg/cli-dist',
  plugAndPlay: true,
};

/**
 * Returns the package manager that started this process, according to the user agent in the environment; npm if the environment names none.
 */
export function detectPackageManager(env: Readonly<Record<string, string | undefined>>): PackageManager {
  const [, name = 'npm', major] = /^([a-z]+)\/(\d+)?/.exec(env['npm_config_user_agent'] ?? '') ?? [];
  if (name === 'yarn' && Number(major) > 1) return modernYarn;
  return isManager(name) ? managers[name] : managers.npm;
}

/** Returns the package managers whose lock files are in `folder`, usually one. */
export function packageManagersIn(folder: string): readonly PackageManager[] {
  return Object.values(managers)
    .filter(({ lockFile }) => existsSync(join(folder, lockFile)))
    .map((manager) =>
      manager.name === 'yarn' && isModernLock(join(folder, manager.lockFile)) ? modernYarn : manager,
    );
}

/** Returns true for a lock file of Yarn from version 2 on. */
function isModernLock(file: string): boolean {
  return /^__metadata:/m.test(readFileSync(file, 'utf8'));
}

/**
 * Returns the package manager of the project in `folder`: that of its lock file or of its workspace's, otherwise the one that started this
 * process.
 */
export function projectPackageManager(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): PackageManager {
  const roots = (['package.json', 'pnpm'] as const).map((kind) => workspaceRootOf(folder, kind));
  const [manager] = [folder, ...roots].flatMap((each) => (each === undefined ? [] : packageManagersIn(each)));
  return manager ?? detectPackageManager(env);
}

/** Returns the command that adds a package to the project in `folder`. */
export function addCommand(
  folder: string,
  name: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return `${projectPackageManager(folder, env).add} ${name}`;
}

/** Creates the warning about an import of a package that the project does not list as a dependency. */
export function unlistedPackage(
  folder: string,
  { name, place }: { readonly name: string; readonly place: Finding['where'] },
): Finding {
  return {
    code: 'project/unlisted-package',
    message: `${name} is imported, but package.json does not list it: it is installed only because another package needs it`,
    ...(place === undefined ? {} : { where: place }),
    fix: [addCommand(folder, name)],
  };
}

/**
 * Returns a command in the form in which it can be run in `folder`. In a project, `op-sdk …` gets a prefix that runs the project's
 * installed op-sdk and never downloads a package of that name. Outside of a project, and for other commands, the text is returned
 * unchanged.
 */
export function shownCommand(
  command: string,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (!/^op-sdk(?: |$)/.test(command) || !existsSync(join(folder, layout.projectFile))) return command;
  return `${projectPackageManager(folder, env).exec} ${command}`;
}

function isManager(name: string): name is PackageManager['name'] {
  return Object.hasOwn(managers, name);
}
