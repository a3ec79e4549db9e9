import { copyFile, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { valid } from 'semver';
import { OpSdkError } from '../../base/errors/index.ts';
import { runCommand } from '../../base/util/exec.ts';
import { pathExists } from '../../base/util/fs.ts';
import { jsonMapOf, jsonTextOf } from '../../base/util/json-map.ts';

/** A version of op-sdk on this machine. */
export interface OpsdkPackage {
  /** Absolute path of the package's folder. */
  readonly root: string;
  readonly version: string;
}

interface InstallOptions {
  /** Absolute path of the project, whose settings of npm are used. */
  readonly project: string;
  /** Absolute path of a folder that does not exist yet. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Returns the op-sdk that is installed for a project, in its folder or in one above it; undefined if there is none. */
export async function installedPackage(project: string): Promise<OpsdkPackage | undefined> {
  const folder = join(project, 'node_modules', 'opsdk');
  const found = await packageIn(folder);
  if (found !== undefined) return found;
  const above = dirname(project);
  return above === project ? undefined : installedPackage(above);
}

async function packageIn(folder: string): Promise<OpsdkPackage | undefined> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { name, version } = jsonMapOf(JSON.parse(text));
  return name === 'opsdk' ? { root: await realpath(folder), version: jsonTextOf(version) } : undefined;
}

/**
 * Returns the version without what marks a package that packed itself into a project: `1.3.0-dev` for `1.3.0-dev.local-3f2a9c81d0e2`.
 */
export function publishedVersion(version: string): string {
  return version.replace(/\.local-[0-9a-f]{12}$/, '');
}

/**
 * Installs a version of op-sdk into a folder of its own.
 * @param wanted version, tag or range of the registry, or the path of an archive
 * @throws OpSdkError `upgrade/no-package`
 */
export async function installPackage(wanted: string, options: InstallOptions): Promise<OpsdkPackage> {
  const { project, folder, env, signal } = options;
  const archive = await archiveAt(project, wanted);
  if (archive === undefined && /[\\/]|\.t(?:ar\.)?gz$/.test(wanted))
    throw noPackage(`the archive ${wanted} does not exist`, 'name a version, or the path of an archive');
  if (archive === undefined && !/^[\w.~^<>=*+ |-]+$/.test(wanted))
    throw noPackage(`expected a version or the path of an archive, got ${JSON.stringify(wanted)}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  // The registry and its credentials may be configured in the project.
  const settings = join(project, '.npmrc');
  if (await pathExists(settings)) await copyFile(settings, join(folder, '.npmrc'));
  const spec = archive ?? `opsdk@${wanted}`;
  const args = [
    'install',
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--ignore-scripts',
    '--loglevel=error',
    spec,
  ];
  const { npm_config_user_agent: _agent, ...rest } = env;
  const end = await runCommand('npm', args, { cwd: folder, env: rest, signal });
  const found = await packageIn(join(folder, 'node_modules', 'opsdk'));
  if (end.exitCode === 0 && found !== undefined) return found;
  const reason = end.startError ?? end.output.trim().split('\n').slice(0, 3).join('; ');
  throw noPackage(
    `op-sdk ${wanted} cannot be installed: ${reason === '' ? 'the package is not opsdk' : reason}`,
    `check the version with \`npm view opsdk versions\``,
    'name the path of an archive, such as one that npm pack has written',
  );
}

/** Returns the absolute path of an archive; undefined if the file does not exist. */
export async function archiveAt(project: string, wanted: string): Promise<string | undefined> {
  if (valid(wanted) !== null) return undefined;
  const file = isAbsolute(wanted) ? wanted : resolve(project, wanted);
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true ? file : undefined;
}

function noPackage(message: string, ...fix: readonly string[]): OpSdkError {
  return new OpSdkError({ code: 'upgrade/no-package', message, where: { flag: '--to' }, fix });
}
