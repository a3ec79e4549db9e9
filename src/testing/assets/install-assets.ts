import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isOpSdkError, OpSdkError, type Finding } from '../../base/errors/index.ts';
import { Guardian } from '../../base/process/guardian.ts';
import { writingTo } from '../writing-to.ts';
import { withLock, type LockHolder } from '../../base/util/with-lock.ts';
import { missingBinaries, requiredBinaries, type Binary, lockFile } from './binaries.ts';
import {
  binaryPath,
  testenvFolder,
  readRecord,
  versionFolder,
  writeRecord,
  type CachedAssets,
  type Env,
  listAssets,
} from './cache.ts';
import { obtainBinaries, type Installation, type Sources } from './obtain-binaries.ts';
import { defaultVersion, parseVersion } from './version.ts';

/** The Kubernetes version and binaries that must be in the cache. */
export interface AssetsRequest {
  /** Kubernetes version. Default: {@link defaultVersion}. */
  readonly version?: string;
  /** True if kube-controller-manager is also required. Default: false. */
  readonly controllerManager?: boolean;
  /** Called with a line of text for each step. Default: the lines go to stderr. */
  readonly progress?: (line: string) => void;
  /** Cancels the installation and removes partial files. Default: none. */
  readonly signal?: AbortSignal;
  /** Environment variables that locate the cache and `go`. Default: the environment of the process. */
  readonly env?: Env;
}

/** The requested version, and the required binaries that are missing in the cache. */
interface MissingAssets {
  /** Kubernetes version, without the `v`. */
  readonly version: string;
  /** The folder of the version in the cache; it need not exist. */
  readonly folder: string;
  readonly missing: readonly Binary[];
}

/**
 * Finds the required binaries that are missing in the cache, without changing anything.
 * @throws OpSdkError testenv/invalid-version
 */
export async function missingAssets(request: AssetsRequest = {}): Promise<MissingAssets> {
  const version = parseVersion(request.version ?? defaultVersion);
  const folder = versionFolder(request.env ?? process.env, version);
  const required = requiredBinaries(request.controllerManager ?? false);
  return { version, folder, missing: await missingBinaries(folder, required) };
}

/**
 * Ensures that the cache contains the binaries of a version: downloads the published envtest archive and for kube-controller-manager the
 * server archive of the release, or builds the binaries from Go modules. Several processes may call this at the same time: one installs, the others wait. An interrupted installation leaves nothing that
 * looks like a complete one.
 * @throws OpSdkError testenv/no-binaries with all failed attempts, testenv/checksum-mismatch
 */
export async function installAssets(request: AssetsRequest = {}): Promise<CachedAssets> {
  const { version, folder, missing } = await missingAssets(request);
  if (missing.length > 0) {
    const { signal, env = process.env } = request;
    const progress = request.progress ?? ((line: string) => void process.stderr.write(`${line}\n`));
    const onWait = (holder: LockHolder, waited: number): void => progress(waitLine(holder, version, waited));
    const cache = testenvFolder(env);
    const install = async (): Promise<void> => {
      // The process that held the lock before may have installed the binaries.
      const { missing: stillMissing } = await missingAssets(request);
      if (stillMissing.length === 0) return;
      await installMissing({ version, missing: stillMissing, progress, signal, env });
    };
    await writingTo(cache, async () => {
      await mkdir(cache, { recursive: true });
      await withLock(lockFile(cache, version), { onWait, signal }, install);
    });
  }
  return { version, folder, binaries: (await readRecord(folder)) ?? {} };
}

/** Result of an installation in which kube-controller-manager may be missing. */
interface InstalledAssets {
  readonly assets: CachedAssets;
  /** Findings that say why kube-controller-manager is missing; empty if it is there. */
  readonly problems: readonly Finding[];
}

/**
 * Installs etcd and kube-apiserver, and kube-controller-manager where that is possible.
 * @throws OpSdkError as {@link installAssets}, for etcd and kube-apiserver
 */
export async function installAllAssets(request: AssetsRequest): Promise<InstalledAssets> {
  const assets = await installAssets({ ...request, controllerManager: false });
  try {
    return { assets: await installAssets({ ...request, controllerManager: true }), problems: [] };
  } catch (error) {
    if (!isOpSdkError(error) || error.code !== 'testenv/no-binaries') throw error;
    return { assets, problems: error.findings };
  }
}

/**
 * Returns the progress line shown while another process installs. After one second, the line includes the time waited so far.
 * @param waited time waited so far, in milliseconds
 */
export function waitLine({ pid }: Pick<LockHolder, 'pid'>, version: string, waited: number): string {
  const since = waited < 1_000 ? '' : ` (${Math.round(waited / 1_000)} s)`;
  return `waiting for process ${pid}, which is installing Kubernetes ${version}${since}`;
}

async function installMissing(installation: Installation): Promise<void> {
  const { version, env } = installation;
  const cache = testenvFolder(env);
  const prefix = `.partial-${version}-`;
  await removeLeftovers(cache, prefix);
  const partial = await mkdtemp(join(cache, prefix));
  const guardian = new Guardian({ folders: [partial] });
  try {
    const target = join(partial, 'binaries');
    await mkdir(target);
    const sources = await obtainBinaries(installation, partial, guardian);
    await publish(target, versionFolder(env, version), sources);
  } finally {
    await guardian.stop();
  }
}

/**
 * Removes files left by power failures and by killed guardians. This process holds the lock, so no other running process uses these files.
 */
async function removeLeftovers(cache: string, prefix: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (name.startsWith(prefix)) await rm(join(cache, name), { recursive: true, force: true });
  }
}

/**
 * Moves the finished binaries into the cache. Renames are atomic, so that no process sees an incomplete folder or program. If the folder of
 * the version already exists because it lacked only some programs, the binaries are added to it.
 */
async function publish(target: string, folder: string, sources: Sources): Promise<void> {
  const before = await readRecord(folder);
  await writeRecord(target, { ...before, ...sources });
  if (before === undefined) {
    await rm(folder, { recursive: true, force: true });
    await rename(target, folder);
    return;
  }
  for (const program of Object.keys(sources)) {
    await rename(binaryPath(target, program), binaryPath(folder, program));
  }
  await rename(join(target, 'assets.json'), join(folder, 'assets.json'));
}

/**
 * Removes a version from the cache. If an installation is running, waits for it first.
 * @param env default: the environment of the process
 * @returns false if the version was not installed
 * @throws OpSdkError testenv/invalid-version
 */
export async function removeAssets(version: string, env: Env = process.env): Promise<boolean> {
  const wanted = parseVersion(version);
  if (!(await listAssets(env)).some((entry) => entry.version === wanted)) return false;
  await withLock(lockFile(testenvFolder(env), wanted), {}, () =>
    rm(versionFolder(env, wanted), { recursive: true, force: true }),
  );
  return true;
}

/** A folder with binaries, and the setting that named it. */
export interface ResolvedAssets {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** The setting that named the folder: the option `folder`, the environment variable KUBEBUILDER_ASSETS, or the cache. */
  readonly from: 'given' | 'KUBEBUILDER_ASSETS' | 'cache';
}

/**
 * Finds the binaries of a control plane: in the given folder; if none is given, in KUBEBUILDER_ASSETS; if that is not set, in the cache.
 * Binaries that are missing in the cache are installed.
 * @throws OpSdkError testenv/missing-binaries, and the errors of {@link installAssets}
 */
export async function resolveAssets(
  request: AssetsRequest & { readonly folder?: string } = {},
): Promise<ResolvedAssets> {
  if (request.folder !== undefined) return { folder: await checked(request.folder, request), from: 'given' };
  const variable = (request.env ?? process.env)['KUBEBUILDER_ASSETS'] ?? '';
  if (variable !== '') return { folder: await checked(variable, request), from: 'KUBEBUILDER_ASSETS' };
  return { folder: (await installAssets(request)).folder, from: 'cache' };
}

async function checked(
  given: string,
  request: AssetsRequest & { readonly folder?: string },
): Promise<string> {
  const folder = resolve(given);
  const missing = await missingBinaries(folder, requiredBinaries(request.controllerManager ?? false));
  if (missing.length === 0) return folder;
  const name = request.folder === undefined ? 'KUBEBUILDER_ASSETS' : 'the folder for the binaries';
  throw new OpSdkError({
    code: 'testenv/missing-binaries',
    message: `${name} is ${given}, but the folder lacks the executables ${missing.join(', ')}`,
    where: { file: given },
    fix: [
      'put the missing binaries there',
      request.folder === undefined
        ? 'unset KUBEBUILDER_ASSETS and run: op-sdk testenv install'
        : 'give no folder and run: op-sdk testenv install',
    ],
  });
}
