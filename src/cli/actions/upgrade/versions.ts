import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { lt, valid } from 'semver';
import { isOpSdkError, OpSdkError } from '../../../base/errors/index.ts';
import { layout, readFileOf, type LoadedProject } from '../../../project/project/index.ts';
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
  /** False if the version that scaffolded the project is unavailable, and another one is used in its place. */
  readonly isExact: boolean;
}

/**
 * Returns the version that a project is to have: the running op-sdk, or the one that `--to` names.
 * @param folder absolute path of a temporary folder
 * @throws OpSdkError `upgrade/no-package`, `scaffold/pack-failed`
 */
export async function targetVersion(
  { cwd, env, signal, report }: CliContext,
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
  const found = await installPackage(to, { project: cwd, folder: join(folder, 'to'), env, signal });
  if (archive === undefined) return { ...found, spec: `^${found.version}` };
  if (found.version.includes('-')) {
    const { version, root } = found;
    const dependency = await opsdkDependency({ version, packageRoot: root, env, signal });
    return withArchive(found, dependency.spec, dependency.tarball);
  }
  const path = layout.packedSdk(found.version);
  return { ...found, spec: `file:${path}`, archive: { path, content: await readFile(archive) } };
}

/** A package that was packed into the project has a version of its own. */
function withArchive(found: OpsdkPackage, spec: string, archive: UpgradeTarget['archive']): UpgradeTarget {
  const [, own] = /^opsdk-(.+)\.tgz$/.exec(basename(spec)) ?? [];
  return { ...found, version: own ?? found.version, spec, archive };
}

/** Returns true if the project has been scaffolded by the target, or upgraded to it. */
export async function isUpToDate(project: LoadedProject, { version }: UpgradeTarget): Promise<boolean> {
  const { cliVersion, root } = project;
  if (cliVersion === version) return true;
  // A project that `init` has made records the version without the mark of the package that it packed.
  const installed = await installedPackage(root);
  return cliVersion === publishedVersion(version) && installed?.version === version;
}

/** Returns true if the target is older than the version that made the project. */
export function isOlder({ cliVersion }: LoadedProject, { version }: UpgradeTarget): boolean {
  if (cliVersion === undefined || valid(cliVersion) === null) return false;
  return lt(publishedVersion(version), publishedVersion(cliVersion));
}

/** Refuses to go back. @throws OpSdkError `upgrade/older-version` */
export function refuseOlder(project: LoadedProject, target: UpgradeTarget): void {
  if (!isOlder(project, target)) return;
  throw new OpSdkError({
    code: 'upgrade/older-version',
    message: `expected op-sdk ${project.cliVersion ?? ''} or newer, which made this project, got ${target.version}`,
    where: { file: layout.projectFile },
    fix: [`name a newer version: op-sdk upgrade --to <version>`],
  });
}

/**
 * Returns the version that scaffolded the project: the one that is installed in it, the archive in it, or a release of the registry.
 * @param folder absolute path of a temporary folder
 * @throws OpSdkError `upgrade/no-package`
 */
export async function formerVersion(
  { env, signal, report }: CliContext,
  { root, cliVersion }: LoadedProject,
  folder: string,
): Promise<FormerVersion> {
  const installed = await installedPackage(root);
  const isIt = (version: string): boolean =>
    version === cliVersion || publishedVersion(version) === cliVersion;
  if (installed !== undefined && isIt(installed.version)) return { ...installed, isExact: true };
  const into = { project: root, folder: join(folder, 'from'), env, signal };
  const spec = dependencyIn((await readFileOf(root, layout.packageJson)) ?? '{}')?.value ?? '';
  const packed = packedArchive(spec);
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
