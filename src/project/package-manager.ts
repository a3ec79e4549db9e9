/** A package manager: how it installs, and how a person calls op-sdk and the scripts of a project with it. */
export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** The arguments that install a project's dependencies. */
  readonly install: readonly string[];
  /** What stands before a locally installed command: `npx op-sdk`. */
  readonly exec: string;
  /** The file that pins the dependencies. */
  readonly lockFile: string;
}

const managers: Readonly<Record<PackageManager['name'], PackageManager>> = {
  npm: {
    name: 'npm',
    install: ['install', '--no-audit', '--no-fund'],
    exec: 'npx',
    lockFile: 'package-lock.json',
  },
  pnpm: { name: 'pnpm', install: ['install'], exec: 'pnpm exec', lockFile: 'pnpm-lock.yaml' },
  yarn: { name: 'yarn', install: ['install'], exec: 'yarn exec', lockFile: 'yarn.lock' },
  bun: { name: 'bun', install: ['install'], exec: 'bunx', lockFile: 'bun.lock' },
};

/** The package manager that runs us, told by the user agent it puts into the environment; npm if there is none. */
export function detectPackageManager(env: Readonly<Record<string, string | undefined>>): PackageManager {
  const name = /^([a-z]+)\//.exec(env['npm_config_user_agent'] ?? '')?.[1] ?? 'npm';
  return isManager(name) ? managers[name] : managers.npm;
}

function isManager(name: string): name is PackageManager['name'] {
  return Object.hasOwn(managers, name);
}
