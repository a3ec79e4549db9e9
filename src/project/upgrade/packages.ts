import { readFile, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { valid } from 'semver';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { jsonMapOf, jsonTextOf } from '../../base/util/json-map.ts';
import { statsAt } from '../../base/util/fs.ts';
import { installInto, versionsCommand, type InstallPlace } from './installers.ts';

/** A version of op-sdk on this machine. */
export interface OpsdkPackage {
  /** Absolute path of the package's folder. */
  readonly root: string;
  readonly version: string;
}

/** Input for installing a version of op-sdk. */
export interface InstallOptions extends InstallPlace {
  /** Place for findings: the flag or file that names the version. */
  readonly where: NonNullable<Finding['where']>;
}

/** Returns the op-sdk that is installed in the folder of a project, or in a folder above; undefined if there is none. */
export async function installedPackage(project: string): Promise<OpsdkPackage | undefined> {
  const folder = join(project, 'node_modules', 'opsdk');
  const found = await packageIn(folder);
  if (found !== undefined) return found;
  const above = dirname(project);
  return above === project ? undefined : installedPackage(above);
}

async function packageIn(folder: string): Promise<OpsdkPackage | undefined> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '');
  const { name, version } = jsonMapOf(parsedOr(text, {}));
  // An interrupted installation may leave empty or truncated files.
  if (name !== 'opsdk' || valid(jsonTextOf(version)) === null) return undefined;
  return { root: await realpath(folder), version: jsonTextOf(version) };
}

function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return otherwise;
  }
}

/**
 * Returns the version without the suffix of a package that op-sdk packed into a project: `1.3.0-dev` for `1.3.0-dev.local-3f2a9c81d0e2`.
 */
export function publishedVersion(version: string): string {
  return version.replace(/\.local-[0-9a-f]{12}$/, '');
}

/**
 * Installs a version of op-sdk into a separate folder, with the package manager of the project.
 * @param wanted version, tag or range of the registry, or the path of an archive
 * @throws OpSdkError `upgrade/no-package`, `upgrade/no-registry`
 */
export async function installPackage(wanted: string, options: InstallOptions): Promise<OpsdkPackage> {
  const { project, manager, folder, where } = options;
  const archive = await archiveAt(project, wanted);
  const noPackage = (message: string, ...fix: readonly string[]): OpSdkError =>
    new OpSdkError({ code: 'upgrade/no-package', message, where, fix });
  const nameEither = 'name a version, or the path of an archive, such as one that npm pack has written';
  if (archive === undefined && archivePath.test(wanted)) {
    const isFolder = (await statsAt(resolve(project, wanted)))?.isDirectory() === true;
    throw noPackage(
      isFolder ? `expected an archive, got the folder ${wanted}` : `the archive ${wanted} does not exist`,
      nameEither,
    );
  }
  if (archive === undefined && !/^[\w.~^<>=*+ |-]+$/.test(wanted))
    throw noPackage(
      `expected a version or the path of an archive, got ${JSON.stringify(wanted)}`,
      nameEither,
    );
  const end = await installInto(archive === undefined ? wanted : `file:${archive}`, options);
  const found = await packageIn(join(folder, 'node_modules', 'opsdk'));
  if (end.exitCode === 0 && found !== undefined) return found;
  if (end.exitCode === 0) throw noPackage(`expected a package named opsdk, got ${wanted}`, nameEither);
  if (end.startError === 'ENOENT')
    throw noPackage(
      `${manager.name}, which installs op-sdk ${wanted}, was not found on the PATH`,
      `install ${manager.name}`,
    );
  const { kind, reason } =
    end.startError === undefined ? causeIn(end.output) : { kind: 'other', reason: end.startError };
  if (kind === 'network')
    throw new OpSdkError({
      code: 'upgrade/no-registry',
      message: `the registry does not answer, so op-sdk ${wanted} cannot be installed: ${reason === '' ? `${manager.name} exited with ${end.exitCode}` : reason}`,
      where,
      fix: [
        'check the network, the proxy, and the registry that the settings of the package manager name',
        'name the path of an archive, such as one that npm pack has written',
      ],
    });
  throw noPackage(
    kind === 'version'
      ? `op-sdk ${wanted} is not in the registry: ${reason}`
      : `op-sdk ${wanted} cannot be installed: ${reason === '' ? `${manager.name} exited with ${end.exitCode}` : reason}`,
    `list the versions with \`${versionsCommand(manager)}\``,
    'name the path of an archive, such as one that npm pack has written',
  );
}

/** Patterns for lines of npm, pnpm, Yarn and Bun that show the cause of a failure. */
const causes = {
  network:
    /\bE(?:CONN\w+|NOTFOUND|AI_AGAIN|TIMEDOUT|HOSTUNREACH|NETUNREACH|SOCKET\w*)\b|connection ?(?:refused|reset|closed|timed? ?out)|timed out|fetch failed|dns error|error sending request/i,
  // The missing package may also be a dependency.
  version:
    /^(?=.*\bopsdk\b).*(?:no matching version|no candidates found|find any versions|no version matching|return tag|not found)/i,
  other: /err|fail|denied|unauthori[sz]ed|forbidden|\b40\d\b/i,
};

/** Returns the cause of a failure that the output of a package manager shows, and the most informative line. */
function causeIn(output: string): { readonly kind: keyof typeof causes; readonly reason: string } {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^[^\w"'(@]*(?:YN\d+: )?[^\w"'(@]*(?:npm error |error:? )?/, '').trim())
    .filter((line) => line !== '' && !/^at \S/.test(line));
  for (const kind of ['network', 'version', 'other'] as const) {
    const [longest] = lines.filter((line) => causes[kind].test(line)).sort((a, b) => b.length - a.length);
    if (longest !== undefined) return { kind, reason: longest };
  }
  return { kind: 'other', reason: lines.slice(0, 3).join('; ') };
}

/** Matches paths of archives. Any other text is a version or tag of the registry, even if a file has this name. */
const archivePath = /[\\/]|\.t(?:ar\.)?gz$/;

/** Returns the absolute path of an archive; undefined if the text is not a path, or the file does not exist. */
export async function archiveAt(project: string, wanted: string): Promise<string | undefined> {
  if (!archivePath.test(wanted)) return undefined;
  const file = isAbsolute(wanted) ? wanted : resolve(project, wanted);
  const found = await statsAt(file);
  return found?.isFile() === true ? file : undefined;
}
