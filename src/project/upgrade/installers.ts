import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand, type CommandEnd } from '../../base/util/exec.ts';
import { layout, readFileOf, workspaceRootOf, type PackageManager } from '../project/index.ts';
import { parseManifest } from './merge-package-json.ts';
import {
  bunSettingsIn,
  isRegistryKey,
  modernYarnSettingsIn,
  npmSettingsIn,
  pnpmSettingsIn,
  yarnSettingsIn,
  type SettingsFile,
  type SettingsFilter,
} from './registry-settings.ts';

/** A package manager that installs one package into a separate folder. */
interface Installer {
  /**
   * Returns the arguments that install the dependencies of package.json without running scripts of packages. They override settings of the
   * user or the machine, such as the folder.
   */
  readonly args: (folder: string) => readonly string[];
  /** The command that lists the versions of opsdk in the registry. */
  readonly versions: string;
  /** Settings files of the project, each with the function that keeps only registry settings. */
  readonly settings: Readonly<Record<string, SettingsFilter>>;
  /** Environment variables that take precedence over settings files. */
  readonly env?: Readonly<Record<string, string>>;
}

const npmSettings = { '.npmrc': npmSettingsIn };
const modernYarnFile = '.yarnrc.yml';

const installers: Readonly<Record<PackageManager['id'], Installer>> = {
  npm: {
    args: (folder) => [
      ...['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--loglevel=error'],
      ...['--prefix', folder, '--location=project', '--global=false', '--workspaces=false'],
      ...['--dry-run=false', '--package-lock-only=false', '--install-strategy=hoisted'],
    ],
    versions: 'npm view opsdk versions',
    settings: npmSettings,
  },
  pnpm: {
    args: () => [
      ...['install', '--no-lockfile', '--ignore-scripts', '--ignore-pnpmfile'],
      ...['--modules-dir=node_modules', '--virtual-store-dir=node_modules/.pnpm'],
    ],
    versions: 'pnpm view opsdk versions',
    settings: { ...npmSettings, [layout.pnpmWorkspace]: pnpmSettingsIn },
  },
  yarn: {
    args: (folder) => [
      ...['install', '--no-lockfile', '--ignore-scripts', '--non-interactive'],
      ...['--modules-folder', join(folder, 'node_modules')],
    ],
    versions: 'yarn info opsdk versions',
    settings: { ...npmSettings, '.yarnrc': yarnSettingsIn },
  },
  'yarn/4': {
    args: () => ['install'],
    versions: 'yarn npm info opsdk --fields versions',
    settings: { [modernYarnFile]: modernYarnSettingsIn },
    env: {
      YARN_NODE_LINKER: 'node-modules',
      YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
      YARN_ENABLE_SCRIPTS: 'false',
    },
  },
  bun: {
    args: () => ['install', '--no-save', '--ignore-scripts'],
    versions: 'bun pm view opsdk versions',
    settings: { ...npmSettings, 'bunfig.toml': bunSettingsIn },
  },
};

/** Returns the command that lists the versions of opsdk in the registry. */
export function versionsCommand({ id }: PackageManager): string {
  return installers[id].versions;
}

/** Folder into which a package is installed, and the project for which it is installed. */
export interface InstallPlace {
  /** Absolute path of the project, whose settings of the registry are used. */
  readonly project: string;
  /** Package manager of the project. */
  readonly manager: PackageManager;
  /** Absolute path of a folder that does not exist yet. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Installs opsdk into a separate folder, with the package manager and the registry of a project.
 * @param spec dependency as in package.json: `latest`, `^1.2.0`, `file:/tmp/opsdk-1.2.0.tgz`
 */
export async function installInto(spec: string, place: InstallPlace): Promise<CommandEnd> {
  const { manager, folder, env, signal } = place;
  const files = await filesFor(spec, place);
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const { args, env: own } = installers[manager.id];
  return runCommand(manager.name, args(folder), {
    cwd: folder,
    env: { ...registrySettingsOf(env), ...own },
    signal,
  });
}

/** Returns the environment without settings of npm and pnpm other than registry settings, such as `global` and `workspaces`. */
export function registrySettingsOf(env: InstallPlace['env']): InstallPlace['env'] {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => {
      const [, setting] = /^p?npm_config_(.+)$/i.exec(name) ?? [];
      if (setting === undefined) return true;
      const key = setting.startsWith('//') ? setting : setting.toLowerCase().replace(/(?!^)_/g, '-');
      return (
        isRegistryKey(key) ||
        /^(?:_authtoken|userconfig|globalconfig|cache(?:-dir)?|store-dir|logs-dir)$/.test(key)
      );
    }),
  );
}

/** Returns the files of a folder into which opsdk is installed: package.json, and the registry settings of the project. */
export async function filesFor(
  spec: string,
  { project, manager }: Pick<InstallPlace, 'project' | 'manager'>,
): Promise<Readonly<Record<string, string>>> {
  const text = await readFileOf(project, layout.packageJson);
  // Corepack chooses the version of a package manager by this field.
  const { packageManager } = parseManifest(text ?? '{}');
  const manifest = { private: true, packageManager, dependencies: { opsdk: spec } };
  const files: Record<string, string> = { [layout.packageJson]: `${JSON.stringify(manifest, null, 2)}\n` };
  for (const [name, filter] of Object.entries(installers[manager.id].settings)) {
    const present = await settingsFiles(name, { project, manager });
    // Yarn needs a settings file even if the project has none.
    if (present.length > 0 || name === modernYarnFile) files[name] = filter(present);
  }
  return files;
}

/** Returns the settings files of the workspace and of the project that the package manager reads in the project. */
async function settingsFiles(
  name: string,
  { project, manager }: Pick<InstallPlace, 'project' | 'manager'>,
): Promise<readonly SettingsFile[]> {
  const root = workspaceRootOf(project, manager.name === 'pnpm' ? 'pnpm' : 'package.json');
  // In a workspace, npm reads the settings of its root only.
  const folders = root === undefined ? [project] : manager.name === 'npm' ? [root] : [root, project];
  const found = await Promise.all(
    folders.map(async (folder) => ({ folder, text: await readFileOf(folder, name) })),
  );
  return found.flatMap(({ folder, text }) => (text === undefined ? [] : [{ folder, text }]));
}
