import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { lt, minVersion, valid, validRange } from 'semver';
import { isOpSdkError, OpSdkError, type Finding } from '../../../base/errors/index.ts';
import {
  layout,
  projectPackageManager,
  readFileOf,
  type LoadedProject,
} from '../../../project/project/index.ts';
import { opsdkDependency } from '../../../project/scaffold/index.ts';
import {
  archiveAt,
  dependencyIn,
  installedPackage,
  installPackage,
  packedArchive,
  publishedVersion,
  type OpsdkPackage,
  type UpgradeTarget,
} from '../../../project/upgrade/index.ts';
import { packageInfo, packageRoot } from '../../package-info.ts';
import type { CliContext } from '../../command.ts';

/** The version that scaffolded a project. */
export interface FormerVersion extends OpsdkPackage {
  /** False if the version that scaffolded the project is unavailable, so that another one is used in its place. */
  readonly isExact: boolean;
}

/**
 * Returns the version to which a project is upgraded: the version of the running op-sdk, or the one that `--to` names.
 * @param to version, tag or range of the registry, or the path of an archive
 * @param folder absolute path of a temporary folder
 * @throws OpSdkError `upgrade/no-package`, `upgrade/no-registry`, `scaffold/pack-failed`
 */
export async function targetVersion(
  { cwd, env, signal, report }: CliContext,
  { root: project }: LoadedProject,
  to: string | undefined,
  folder: string,
): Promise<UpgradeTarget> {
  if (to === undefined) {
    const { version } = packageInfo();
    const dependency = await opsdkDependency({ version, packageRoot, env, signal });
    return withArchive({ root: packageRoot, version }, dependency.spec, dependency.tarball);
  }
  report.step(`installing op-sdk ${to} into a temporary folder`);
  const archive = await archiveAt(cwd, to);
  const found = await installPackage(archive ?? to, {
    ...{ project, manager: projectPackageManager(project, env), folder: join(folder, 'to'), env, signal },
    where: { flag: '--to' },
  });
  if (archive === undefined) return { ...found, spec: `^${found.version}` };
  if (found.version.includes('-')) {
    const { version, root } = found;
    const dependency = await opsdkDependency({ version, packageRoot: root, env, signal });
    return withArchive(found, dependency.spec, dependency.tarball);
  }
  const path = layout.packedSdk(found.version);
  return { ...found, spec: `file:${path}`, archive: { path, content: await readFile(archive) } };
}

/** A package that was packed into the project has a version that no registry has. */
function withArchive(found: OpsdkPackage, spec: string, archive: UpgradeTarget['archive']): UpgradeTarget {
  const [, own] = /^opsdk-(.+)\.tgz$/.exec(basename(spec)) ?? [];
  return { ...found, version: own ?? found.version, spec, archive };
}

/** Returns true if the project has been scaffolded by a version, or upgraded to it. */
export async function isUpToDate({ cliVersion, root }: LoadedProject, version: string): Promise<boolean> {
  if (cliVersion === version) return true;
  // A project that `init` has created records the version without the suffix of the package that it packed.
  const installed = await installedPackage(root);
  return cliVersion === publishedVersion(version) && installed?.version === version;
}

/** Returns true if a version is older than another one; false if the other one is unknown. */
export function isOlder(version: string, than: string | undefined): boolean {
  if (than === undefined || valid(than) === null) return false;
  return lt(publishedVersion(version), publishedVersion(than));
}

/**
 * Returns a finding for each newer version that the project has: the one that scaffolded it, the one that package.json requires, and the
 * installed one.
 */
export async function behind(
  { cliVersion, root }: LoadedProject,
  version: string,
): Promise<readonly Finding[]> {
  const dependency = (await dependencyOf(root)) ?? '';
  const known = [
    { least: cliVersion, file: layout.projectFile, words: 'which made this project' },
    {
      least: leastVersion(dependency),
      file: layout.packageJson,
      words: `which "opsdk": "${dependency}" asks for`,
    },
    {
      least: (await installedPackage(root))?.version,
      file: 'node_modules/opsdk',
      words: 'which is installed',
    },
  ];
  return known
    .filter(({ least }) => isOlder(version, least))
    .map(({ least, file, words }) => ({
      code: 'upgrade/older-version',
      message: `expected op-sdk ${least ?? ''} or newer, ${words}, got ${version}`,
      where: { file },
      fix: ['name a newer version: op-sdk upgrade --to <version>'],
    }));
}

/** Returns true for a tag of the registry, such as `latest`. The user has not chosen the version that it names today. */
export function isTag(wanted: string): boolean {
  return /^[\w.-]+(?<!\.tgz|\.tar\.gz)$/.test(wanted) && validRange(wanted) === null;
}

/** Returns the oldest version that a dependency admits; undefined for a path, an address or a tag. */
function leastVersion(dependency: string): string | undefined {
  return validRange(dependency) === null
    ? packedArchive(dependency)?.version
    : minVersion(dependency)?.version;
}

async function dependencyOf(root: string): Promise<string | undefined> {
  return dependencyIn((await readFileOf(root, layout.packageJson)) ?? '{}')?.value;
}

/**
 * Returns the version that scaffolded the project. Its package is that of the running op-sdk, the one installed in the project, the archive
 * in the project, or a release of the registry.
 * @param folder absolute path of a temporary folder
 * @throws OpSdkError `upgrade/no-package`, `upgrade/no-registry`
 */
export async function formerVersion(
  { env, signal, report }: CliContext,
  { root, cliVersion }: LoadedProject,
  folder: string,
): Promise<FormerVersion> {
  const installed = await installedPackage(root);
  const running = packageInfo();
  // A package that was packed into a project may differ from other packages of its version.
  const isPacked = [running.version, installed?.version].some((each) => each?.includes('.local-'));
  if (running.version === cliVersion && !isPacked)
    return { root: packageRoot, version: running.version, isExact: true };
  const isIt = (version: string): boolean =>
    version === cliVersion || publishedVersion(version) === cliVersion;
  if (installed !== undefined && isIt(installed.version)) return { ...installed, isExact: true };
  const into = {
    ...{
      project: root,
      manager: projectPackageManager(root, env),
      folder: join(folder, 'from'),
      env,
      signal,
    },
    where: { file: layout.projectFile },
  };
  const packed = packedArchive((await dependencyOf(root)) ?? '');
  if (packed !== undefined && isIt(packed.version) && (await archiveAt(root, packed.path)) !== undefined)
    return { ...(await installPackage(packed.path, into)), isExact: true };
  if (cliVersion !== undefined && valid(cliVersion) !== null) {
    report.step(`installing op-sdk ${cliVersion}, which made this project, into a temporary folder`);
    try {
      return { ...(await installPackage(cliVersion, into)), isExact: true };
    } catch (error) {
      if (installed === undefined || !isOpSdkError(error)) throw error;
    }
  }
  if (installed !== undefined) return { ...installed, isExact: false };
  throw new OpSdkError({
    code: 'upgrade/no-package',
    message: `${layout.projectFile} has no cliVersion, and no op-sdk is installed in the project: the version that made it is unknown`,
    where: { file: layout.projectFile },
    fix: ['install the dependencies of the project, and run the command again'],
  });
}
