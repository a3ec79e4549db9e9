import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, inject } from 'vitest';
import { run } from '../../scripts/lib/run.mjs';
import { npmSettings } from './npm-settings.ts';

/** A package manager as its users type it. */
export interface ManagerCommands {
  /** Downloads a package and runs its command `opsdk`: `pnpm dlx`. */
  readonly download: (spec: string | undefined) => readonly string[];
  /** Runs the command of an installed dependency: `pnpm exec`. */
  readonly exec: readonly string[];
  /** Runs a script of package.json: `pnpm run`. */
  readonly script: readonly string[];
  /** Adds development dependencies. */
  readonly addDev: readonly string[];
  /** Creates a project by a package `create-<name>`: `pnpm create`. */
  readonly create: (name: string) => readonly string[];
  /** The user agent of a package manager that cannot download a tarball and run its command. */
  readonly userAgent?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Downloads a tarball and runs its command, for package managers that cannot: the user agent decides what `init` scaffolds for. */
const byNpm = (spec: string): readonly string[] => [
  'npm',
  'exec',
  '--yes',
  `--package=${spec}`,
  '--',
  'opsdk',
];

const yarn: ManagerCommands = {
  download: (spec) =>
    spec === undefined ? ['yarn', 'dlx', 'opsdk'] : ['yarn', 'dlx', '-p', `opsdk@file:${spec}`, 'opsdk'],
  exec: ['yarn'],
  script: ['yarn', 'run'],
  addDev: ['yarn', 'add', '--dev'],
  create: (name) => ['yarn', 'create', name],
};

export const managers = {
  npm: {
    download: (spec) => (spec === undefined ? ['npm', 'exec', '--yes', 'opsdk', '--'] : byNpm(spec)),
    exec: ['npx', '--no'],
    script: ['npm', 'run'],
    addDev: ['npm', 'install', '--save-dev'],
    create: (name) => ['npm', 'create', '--yes', name, '--'],
  },
  pnpm: {
    download: (spec) =>
      spec === undefined ? ['pnpm', 'dlx', 'opsdk'] : ['pnpm', '--package', `file:${spec}`, 'dlx', 'opsdk'],
    exec: ['pnpm', 'exec'],
    script: ['pnpm', 'run'],
    addDev: ['pnpm', 'add', '--save-dev'],
    create: (name) => ['pnpm', 'create', name],
  },
  'yarn with Plug’n’Play': yarn,
  'yarn with node_modules': { ...yarn, env: { YARN_NODE_LINKER: 'node-modules' } },
  // It has no `dlx`: its projects begin with `yarn create`.
  'yarn 1': {
    ...yarn,
    download: (spec) => byNpm(spec ?? 'opsdk'),
    userAgent: 'yarn/1.22.22',
  },
  bun: {
    download: (spec) => (spec === undefined ? ['bunx', 'opsdk'] : byNpm(spec)),
    exec: ['bun', 'run'],
    script: ['bun', 'run'],
    addDev: ['bun', 'add', '--dev'],
    create: (name) => ['bun', 'create', name],
    userAgent: 'bun/1.4.5',
  },
} as const satisfies Readonly<Record<string, ManagerCommands>>;

export type ManagerName = keyof typeof managers;

/** A machine with one package manager, an empty home, and the registry of the rung. */
export interface ManagerMachine {
  readonly commands: ManagerCommands;
  /** An empty folder for a project. */
  readonly project: string;
  /** Runs a command in the project; returns its exit code and its output. */
  readonly attempt: (
    command: readonly string[],
    ...args: readonly string[]
  ) => Promise<{ readonly code: number; readonly output: string }>;
  /** Runs a command in the project, and expects that it succeeds; returns its output. */
  readonly run: (command: readonly string[], ...args: readonly string[]) => Promise<string>;
}

/** Settings of a machine. */
interface MachineOptions {
  /** Absolute path of the Node to use; default: the Node that runs the tests. */
  readonly node?: string;
  /** Address of the registry; default: that of the rung. */
  readonly registry?: string;
}

/** @param label machines of the same label and package manager have the same home */
export async function managerMachine(
  name: ManagerName,
  label: string,
  { node = process.execPath, ...options }: MachineOptions = {},
): Promise<ManagerMachine> {
  const { folder, tools, classicYarn, ...rung } =
    inject('managers') ?? expect.fail('run with --project managers');
  const registry = options.registry ?? rung.registry;
  const commands: ManagerCommands = managers[name];
  const home = join(folder, `${label} ${name}`.replace(/[^a-z0-9.]+/g, '-'));
  const project = join(home, 'cache-operator');
  mkdirSync(project, { recursive: true });
  // pnpm reads no other setting of the registry.
  writeFileSync(join(home, '.npmrc'), `registry=${registry}\n`);
  const { npm_config_cache } = await npmSettings();
  const env: NodeJS.ProcessEnv = {
    PATH: [dirname(node), ...(name === 'yarn 1' ? [classicYarn] : []), tools, process.env['PATH']].join(
      delimiter,
    ),
    HOME: home,
    XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'] ?? join(process.env['HOME'] ?? '', '.cache'),
    ...(process.env['KUBEBUILDER_ASSETS'] === undefined
      ? {}
      : { KUBEBUILDER_ASSETS: process.env['KUBEBUILDER_ASSETS'] }),
    npm_config_cache,
    npm_config_registry: registry,
    npm_config_update_notifier: 'false',
    npm_config_loglevel: 'error',
    BUN_CONFIG_REGISTRY: registry,
    BUN_INSTALL_CACHE_DIR: join(home, 'bun-cache'),
    PNPM_HOME: join(home, 'pnpm'),
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_TELEMETRY: '0',
    ...(name === 'yarn 1' ? classicYarnSettings(home, registry) : {}),
    ...(commands.userAgent === undefined ? {} : { npm_config_user_agent: commands.userAgent }),
    ...commands.env,
  };
  const attempt: ManagerMachine['attempt'] = ([file = '', ...first], ...args) =>
    run(file, [...first, ...args], { cwd: project, env, capture: 'all' });
  return {
    commands,
    project,
    attempt,
    async run(command, ...args) {
      const result = await attempt(command, ...args);
      expect(result.code, `${[...command, ...args].join(' ')}\n${result.output}`).toBe(0);
      return result.output;
    },
  };
}

/**
 * Yarn 1 puts what it downloads for `create` into a folder of the machine and links its commands into the prefix of Node, and hands no other
 * setting of the registry to them.
 */
function classicYarnSettings(home: string, registry: string): NodeJS.ProcessEnv {
  return {
    YARN_GLOBAL_FOLDER: join(home, 'yarn-global'),
    YARN_PREFIX: join(home, 'yarn'),
    YARN_CACHE_FOLDER: join(home, 'yarn-cache'),
    YARN_REGISTRY: registry,
  };
}

/**
 * Removes the copies of create-opsdk from which npm would run an earlier build: here, builds have the same version. Call it once, before
 * anything is created: npm fails if the copy that it runs is removed.
 */
export async function removeCopiesOfCreate(): Promise<void> {
  const { npm_config_cache } = await npmSettings();
  const folder = join(npm_config_cache, '_npx');
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (existsSync(join(folder, name, 'node_modules/create-opsdk')))
      rmSync(join(folder, name), { recursive: true, force: true });
}
