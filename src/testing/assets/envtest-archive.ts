import { createReadStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { OpSdkError } from '../../errors/index.ts';
import { object, record, string } from '../../util/json-reader.ts';
import { documentStyle, readJson, type ReadOf } from '../../util/read-json.ts';
import { parseKubernetesYaml } from '../../yaml/kubernetes-yaml.ts';
import { executable, type Binary } from './binaries.ts';
import type { Env } from './cache.ts';
import { downloadFile } from './download-file.ts';
import { goPlatform } from './platform.ts';
import { untar } from './untar.ts';
import { WayFailed } from './way-failed.ts';

/** The index of the published archives. Source: https://book.kubebuilder.io/reference/envtest. */
const publishedIndex =
  'https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml';

/** What an archive must hold. It never holds kube-controller-manager. */
export const archiveBinaries: readonly Binary[] = ['etcd', 'kube-apiserver'];

/** What is asked of one way to get binaries. */
export interface WayRequest {
  readonly version: string;
  /** An empty folder, removed afterwards. */
  readonly work: string;
  /** Where the binaries go. */
  readonly target: string;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal | undefined;
  readonly env: Env;
}

/**
 * Downloads the envtest archive of a version, checks its SHA-512 and extracts etcd, kube-apiserver and kubectl.
 * The environment variable OPSDK_ENVTEST_INDEX names another index, for mirrors.
 * @returns the names of the programs that are now in `target`
 * @throws WayFailed if the index or the archive cannot be downloaded
 * @throws OpSdkError testenv/checksum-mismatch
 */
export async function downloadArchive(request: WayRequest): Promise<readonly string[]> {
  const { url, sha512 } = await findArchive(request);
  request.progress(`downloading ${url}`);
  const file = join(request.work, 'archive.tar.gz');
  const hash = await downloadFile(url, file, request.signal);
  if (hash !== sha512.toLowerCase()) {
    await rm(file);
    throw new OpSdkError({
      code: 'testenv/checksum-mismatch',
      message: `the SHA-512 of ${url} is ${hash}; the index says ${sha512}`,
      where: { file: url },
      fix: ['try again; if it happens again, look for a proxy or mirror that changes files'],
    });
  }
  const programs = [...archiveBinaries, 'kubectl'];
  const found = await extract(file, request.target, programs).catch((error: unknown) => {
    throw new WayFailed(`${url} cannot be extracted: ${(error as Error).message}`);
  });
  const missing = archiveBinaries.filter((binary) => !found.includes(binary));
  if (missing.length > 0) throw new WayFailed(`${url} holds no ${missing.join(', ')}`);
  return found;
}

async function extract(
  file: string,
  target: string,
  programs: readonly string[],
): Promise<readonly string[]> {
  const source = createReadStream(file);
  const unzip = createGunzip();
  source.on('error', (error) => unzip.destroy(error));
  try {
    const found = await untar(source.pipe(unzip), target, new Set(programs.map(executable)));
    return programs.filter((program) => found.has(executable(program)));
  } finally {
    // Nobody reads what comes after the end of the archive, or after a failure.
    source.destroy();
    unzip.destroy();
  }
}

/** Source: https://github.com/kubernetes-sigs/controller-tools/blob/main/envtest-releases.yaml. */
const releaseIndex = object(
  { releases: record(record(object({ hash: string, selfLink: string }, { others: 'ignore' }))) },
  { required: { releases: 'name an index of releases' }, others: 'ignore' },
);

async function findArchive(request: WayRequest): Promise<{ readonly url: string; readonly sha512: string }> {
  const setting = request.env['OPSDK_ENVTEST_INDEX'] ?? '';
  const indexUrl = setting === '' ? publishedIndex : setting;
  const file = join(request.work, 'index.yaml');
  await downloadFile(indexUrl, file, request.signal);
  const releases = parseIndex(await readFile(file, 'utf8'), indexUrl).releases ?? {};
  const name = `envtest-v${request.version}-${goPlatform()}.tar.gz`;
  const entry = releases[`v${request.version}`]?.[name];
  if (entry?.selfLink !== undefined && entry.hash !== undefined) {
    return { url: entry.selfLink, sha512: entry.hash };
  }
  const minor = `v${request.version.split('.').slice(0, 2).join('.')}.`;
  const sameMinor = Object.keys(releases).filter((release) => release.startsWith(minor));
  const hint = sameMinor.length === 0 ? '' : `; of ${minor}x it has ${sameMinor.join(', ')}`;
  throw new WayFailed(`${indexUrl} does not list ${name}${hint}`);
}

function parseIndex(text: string, indexUrl: string): ReadOf<typeof releaseIndex> {
  let index: unknown;
  try {
    index = parseKubernetesYaml(text, indexUrl)[0]?.value;
  } catch (error) {
    throw new WayFailed(`${indexUrl} is not a release index: ${(error as Error).message}`);
  }
  const { value, problems } = readJson(releaseIndex, index, 'the index', { style: documentStyle });
  const [problem] = problems;
  if (value === undefined || problem !== undefined)
    throw new WayFailed(
      `${indexUrl} is not a release index${problem === undefined ? '' : `: ${problem.message}`}`,
    );
  return value;
}
