import { mkdir, writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { runCommand, type CommandEnd } from '../../base/util/exec.ts';
import { jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';
import { parseYamlDocuments, toYaml } from '../../kubernetes/yaml/index.ts';
import { layout, readFileOf, type PackageManager } from '../project/index.ts';
import { parseManifest } from './merge-package-json.ts';

/** A package manager as the installer of one package into a folder of its own. */
interface Installer {
  /** Arguments that install what package.json lists, without running scripts of packages. */
  readonly args: readonly string[];
  /** The command that lists the versions of opsdk in the registry. */
  readonly versions: string;
  /** Files of the project with settings of the registry, and how each is taken over. */
  readonly settings: Readonly<Record<string, (text: string, project: string) => string>>;
}

const unchanged = (text: string): string => text;

const npmSettings = {
  '.npmrc': (text: string, project: string): string =>
    text.replace(
      /^([^=\n]*\b(?:ca|cert|key)file\s*=\s*)([^\s"'$~].*)$/gm,
      (_line, key: string, path: string) => `${key}${resolve(project, path.trim())}`,
    ),
};
const yarnSettings = '.yarnrc.yml';

/** Settings of pnpm and Yarn about the registry and the way there. Others describe the project, such as its patches and plugins. */
const pnpmKeys =
  /^(?:registr(?:y|ies)|namedRegistries|minimumReleaseAge\w*|trustPolicy\w*|(?:https?|no)?-?[pP]roxy|strictSsl|ca|cafile|cert|key|fetch\w+)$/;
const yarnKeys =
  /^(?:npm|http|network)|^(?:unsafeHttpWhitelist|enableStrictSsl|enableTelemetry|caFilePath|yarnPath)$/;

const installers: Readonly<Record<PackageManager['id'], Installer>> = {
  npm: {
    args: ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--loglevel=error'],
    versions: 'npm view opsdk versions',
    settings: npmSettings,
  },
  pnpm: {
    args: ['install', '--no-lockfile', '--ignore-scripts'],
    versions: 'pnpm view opsdk versions',
    settings: {
      ...npmSettings,
      [layout.pnpmWorkspace]: (text, project) => toYaml(settingsIn(text, pnpmKeys, project)),
    },
  },
  yarn: {
    args: ['install', '--no-lockfile', '--ignore-scripts', '--non-interactive'],
    versions: 'yarn info opsdk versions',
    // A path of Yarn itself is relative to the project.
    settings: { ...npmSettings, '.yarnrc': (text) => text.replace(/^yarn-path .*$/m, '') },
  },
  'yarn/4': {
    args: ['install'],
    versions: 'yarn npm info opsdk --fields versions',
    settings: {
      [yarnSettings]: (text, project) =>
        toYaml({
          ...settingsIn(text, yarnKeys, project),
          // The package is run by Node alone, from its folder.
          nodeLinker: 'node-modules',
          enableImmutableInstalls: false,
          enableScripts: false,
        }),
    },
  },
  bun: {
    args: ['install', '--no-save', '--ignore-scripts'],
    versions: 'bun pm view opsdk versions',
    settings: { ...npmSettings, 'bunfig.toml': unchanged },
  },
};

/** Returns the settings whose keys match. Paths are made absolute. */
function settingsIn(text: string, keys: RegExp, project: string): JsonMap {
  const [document] = parseYamlDocuments(text, 'the settings of the package manager', () => false);
  const entries = Object.entries(jsonMapOf(document?.value)).filter(([key]) => keys.test(key));
  return Object.fromEntries(
    entries.map(([key, value]) => {
      const isPath = typeof value === 'string' && /(?:Path|^cafile)$/.test(key) && !isAbsolute(value);
      return [key, isPath ? resolve(project, value) : value];
    }),
  );
}

/** Returns the command that lists the versions of opsdk in the registry. */
export function versionsCommand({ id }: PackageManager): string {
  return installers[id].versions;
}

/** Where a package is installed, and for which project. */
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
 * Installs opsdk into a folder of its own, by the package manager and with the registry of a project.
 * @param spec dependency as in package.json: `latest`, `^1.2.0`, `file:/tmp/opsdk-1.2.0.tgz`
 */
export async function installInto(spec: string, place: InstallPlace): Promise<CommandEnd> {
  const { manager, folder, env, signal } = place;
  const files = await filesFor(spec, place);
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const { npm_config_user_agent: _agent, ...rest } = env;
  return runCommand(manager.name, installers[manager.id].args, { cwd: folder, env: rest, signal });
}

/** Returns the files of a folder into which opsdk is installed: package.json, and the settings of the project about the registry. */
export async function filesFor(
  spec: string,
  { project, manager }: Pick<InstallPlace, 'project' | 'manager'>,
): Promise<Readonly<Record<string, string>>> {
  const text = await readFileOf(project, layout.packageJson);
  // Corepack chooses the version of a package manager by this field.
  const { packageManager } = parseManifest(text ?? '{}');
  const manifest = { private: true, packageManager, dependencies: { opsdk: spec } };
  const files: Record<string, string> = { [layout.packageJson]: `${JSON.stringify(manifest, null, 2)}\n` };
  for (const [name, change] of Object.entries(installers[manager.id].settings)) {
    // Yarn needs settings of its own where the project has none.
    const present = await readFileOf(project, name);
    if (present !== undefined || name === yarnSettings) files[name] = change(present ?? '', project);
  }
  return files;
}
