import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import type { Guardian } from '../../base/process/guardian.ts';
import { executable, requiredBinaries, type Binary } from './binaries.ts';
import { binaryPath, type AssetSource, type Env } from './cache.ts';
import { archiveBinaries, downloadArchive } from './envtest-archive.ts';
import { buildWithGo } from './go-build.ts';
import { downloadServers, releaseBinaries } from './release-archive.ts';
import { WayFailed, type WayRequest } from './way.ts';

/** The binaries of a version that are to be obtained. */
export interface Installation {
  readonly version: string;
  readonly missing: readonly Binary[];
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal | undefined;
  readonly env: Env;
}

/** The programs that were obtained, each with its origin. */
export type Sources = Record<string, AssetSource>;

/** A method of obtaining binaries. */
interface Way {
  readonly source: AssetSource;
  /** Name of the method in progress lines and errors. */
  readonly title: string;
  /** The binaries that this method can give. */
  readonly gives: readonly Binary[];
  /** Resolves with the names of the programs that are now in `target`. */
  readonly obtain: (
    request: WayRequest,
    binaries: readonly Binary[],
    guardian: Guardian,
  ) => Promise<readonly string[]>;
}

/** The methods, in the order in which they are tried. */
const ways: readonly Way[] = [
  {
    source: 'archive',
    title: 'the published archive',
    gives: archiveBinaries,
    obtain: downloadArchive,
  },
  {
    source: 'release',
    title: 'the archive of the release',
    gives: releaseBinaries,
    obtain: downloadServers,
  },
  {
    source: 'go',
    title: 'a build from Go modules',
    gives: requiredBinaries(true),
    obtain: async (request, binaries, guardian) => {
      await buildWithGo({ ...request, binaries, guardian });
      return binaries;
    },
  },
];

/**
 * Obtains the missing binaries and puts them into `<partial>/binaries`. A method that fails leaves nothing there.
 * @throws OpSdkError testenv/no-binaries with all failed attempts, testenv/checksum-mismatch
 */
export async function obtainBinaries(
  installation: Installation,
  partial: string,
  guardian: Guardian,
): Promise<Sources> {
  const { version, missing, progress, signal, env } = installation;
  const sources: Sources = {};
  const failures: string[] = [];
  let cause: unknown;
  for (const { source, title, gives, obtain } of ways) {
    const wanted = missing.filter((binary) => gives.includes(binary) && sources[binary] === undefined);
    if (wanted.length === 0) continue;
    const [work, target] = [join(partial, source), join(partial, `${source}-binaries`)];
    try {
      await Promise.all([mkdir(work), mkdir(target)]);
      const found = await obtain({ version, work, target, progress, signal, env }, wanted, guardian);
      for (const program of found) {
        await rename(binaryPath(target, program), binaryPath(join(partial, 'binaries'), program));
        sources[program] = source;
      }
    } catch (error) {
      if (!(error instanceof WayFailed)) throw error;
      failures.push(`${title}: ${error.message}`);
      progress(`${title} cannot be used (${error.message})`);
      cause = error;
    }
  }
  const rest = missing.filter((binary) => sources[binary] === undefined);
  if (rest.length > 0) throw noBinaries(version, rest, failures, cause);
  return sources;
}

/**
 * The Go release with which each Kubernetes minor version is built. An older installed Go downloads that release by itself, unless
 * GOTOOLCHAIN forbids it.
 */
const goOfMinor: Readonly<Record<string, string>> = {
  '1.33': '1.24',
  '1.34': '1.24',
  '1.35': '1.25',
  '1.36': '1.26',
  '1.37': '1.26',
};

function noBinaries(
  version: string,
  missing: readonly string[],
  failures: readonly string[],
  cause: unknown,
): OpSdkError {
  const go = goOfMinor[version.split('.').slice(0, 2).join('.')] ?? '1.26';
  const tried = failures.map((failure) => `- ${failure.replaceAll('\n', '\n  ')}`).join('\n');
  return new OpSdkError(
    {
      code: 'testenv/no-binaries',
      message: `${missing.map(executable).join(', ')} of Kubernetes ${version} cannot be installed here; tried:\n${tried}`,
      fix: [
        'set KUBEBUILDER_ASSETS to a folder that holds etcd, kube-apiserver and kube-controller-manager',
        `run this where the network reaches GitHub, or a mirror named by OPSDK_ENVTEST_INDEX: op-sdk testenv install --version ${version}`,
        ...(missing.includes('kube-controller-manager')
          ? [
              'set OPSDK_KUBERNETES_SHA512 to the SHA-512 that the changelog of this release gives its server archive (Linux)',
            ]
          : []),
        `install Go ${go} or newer (https://go.dev/dl) and run: op-sdk testenv install --version ${version}`,
      ],
    },
    { cause },
  );
}
