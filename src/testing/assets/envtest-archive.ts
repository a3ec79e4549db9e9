import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm, open } from 'node:fs/promises';
import { join, basename } from 'node:path';
import { createGunzip } from 'node:zlib';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { OpSdkError } from '../../base/errors/index.ts';
import { mapped, object, string } from '../../base/util/json-reader.ts';
import { documentStyle, readJson, type JsonReader } from '../../base/util/read-json.ts';
import { parseKubernetesYaml } from '../../kubernetes/yaml/index.ts';
import { download } from '../../sdk/net/index.ts';
import { readTar, type TarMember } from '../../base/util/read-tar.ts';
import { executable, type Binary } from './binaries.ts';
import type { Env } from './cache.ts';
import { WayFailed } from './way-failed.ts';

/** URL of the index of the published archives. Source: https://book.kubebuilder.io/reference/envtest. */
const publishedIndex =
  'https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml';

/**
 * Map from the file name of an archive to the SHA-512 that op-sdk pins; CONTRIBUTING.md describes how to add an entry. For other archives
 * the publisher's index, received over TLS, is trusted, because a control plane for tests must start in CI without a prompt.
 */
const archiveDigests: Readonly<Record<string, string>> = {};

/** The binaries that an archive must contain. No archive contains kube-controller-manager. */
export const archiveBinaries: readonly Binary[] = ['etcd', 'kube-apiserver'];

/** A request to obtain binaries. Each method (download or build) takes such a request. */
export interface WayRequest {
  readonly version: string;
  /** An empty folder for temporary files; the caller removes it afterwards. */
  readonly work: string;
  /** Destination folder of the binaries. */
  readonly target: string;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal | undefined;
  readonly env: Env;
}

/**
 * Downloads the envtest archive of a version, checks its SHA-512 and extracts etcd, kube-apiserver and kubectl.
 * The environment variable OPSDK_ENVTEST_INDEX names another index, for mirrors; OPSDK_ENVTEST_SHA512 is the only SHA-512 that an archive may have.
 * @returns the names of the programs that are now in `target`
 * @throws WayFailed if the index or the archive cannot be downloaded
 * @throws OpSdkError testenv/checksum-mismatch
 */
export async function downloadArchive(request: WayRequest): Promise<readonly string[]> {
  const { url, sha512 } = await findArchive(request);
  const { digest, source } = expectedDigest(request.env, archiveName(request.version), sha512);
  request.progress(`downloading ${url}`);
  const file = join(request.work, 'archive.tar.gz');
  const hash = await downloadFile(url, file, request.signal);
  if (hash !== digest) {
    await rm(file);
    throw new OpSdkError({
      code: 'testenv/checksum-mismatch',
      message: `the SHA-512 of ${url} is ${hash}; ${source} says ${digest}`,
      where: { file: url },
      fix: ['try again; if it happens again, look for a proxy or mirror that changes files'],
    });
  }
  if (source === 'the index') request.progress(`its SHA-512 is ${hash}, as the index says`);
  const programs = [...archiveBinaries, 'kubectl'];
  const found = await extract(file, request.target, programs).catch((error: unknown) => {
    throw new WayFailed(`${url} cannot be extracted: ${(error as Error).message}`);
  });
  const missing = archiveBinaries.filter((binary) => !found.includes(binary));
  if (missing.length > 0) throw new WayFailed(`${url} holds no ${missing.join(', ')}`);
  return found;
}

function archiveName(version: string): string {
  return `envtest-v${version}-${goPlatform()}.tar.gz`;
}

/** Returns the expected SHA-512: the one that the user sets; if none, the one that op-sdk pins; if none, the one in the index. */
function expectedDigest(
  env: Env,
  name: string,
  listed: string,
): { readonly digest: string; readonly source: string } {
  const demanded = env['OPSDK_ENVTEST_SHA512'] ?? '';
  const known = archiveDigests[name];
  if (demanded !== '') return { digest: demanded.toLowerCase(), source: 'OPSDK_ENVTEST_SHA512' };
  if (known !== undefined) return { digest: known, source: 'op-sdk' };
  return { digest: listed.toLowerCase(), source: 'the index' };
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
    // Stop the download and the decompression at the end of the archive or after a failure, because nothing reads their data any more.
    source.destroy();
    unzip.destroy();
  }
}

interface Listed {
  readonly url: string;
  readonly sha512: string;
}

const entryReader = mapped(
  object({ hash: string, selfLink: string }, { others: 'ignore' }),
  ({ hash: sha512, selfLink: url }): Listed | undefined =>
    sha512 === undefined || url === undefined ? undefined : { url, sha512 },
);

/**
 * Reads the entry of one archive, and the names of all releases, from the index. Entries of other archives are not checked, so that a
 * malformed entry does not invalidate the entire index. Source:
 * https://github.com/kubernetes-sigs/controller-tools/blob/main/envtest-releases.yaml.
 */
function indexReader(release: string, archive: string) {
  const releases = mapped(
    object({ [release]: object({ [archive]: entryReader }, { others: 'ignore' }) }, { others: 'ignore' }),
    (read, _place, value) => ({ entry: read[release]?.[archive], releases: Object.keys(value as object) }),
  );
  return mapped(
    object({ releases }, { required: { releases: 'name an index of releases' }, others: 'ignore' }),
    (index) => index.releases,
  );
}

async function findArchive(request: WayRequest): Promise<Listed> {
  const setting = request.env['OPSDK_ENVTEST_INDEX'] ?? '';
  const indexUrl = setting === '' ? publishedIndex : setting;
  const file = join(request.work, 'index.yaml');
  await downloadFile(indexUrl, file, request.signal);
  const name = archiveName(request.version);
  const reader = indexReader(`v${request.version}`, name);
  const { entry, releases } = parseIndex(reader, await readFile(file, 'utf8'), indexUrl);
  if (entry !== undefined) return entry;
  const minor = `v${request.version.split('.').slice(0, 2).join('.')}.`;
  const sameMinor = releases.filter((release) => release.startsWith(minor));
  const hint = sameMinor.length === 0 ? '' : `; of ${minor}x it has ${sameMinor.join(', ')}`;
  throw new WayFailed(`${indexUrl} does not list ${name}${hint}`);
}

function parseIndex<T>(reader: JsonReader<T>, text: string, indexUrl: string): T {
  let index: unknown;
  try {
    index = parseKubernetesYaml(text, indexUrl)[0]?.value;
  } catch (error) {
    throw new WayFailed(`${indexUrl} is not a release index: ${(error as Error).message}`);
  }
  const { value, problems } = readJson(reader, index, 'the index', { style: documentStyle });
  const [problem] = problems;
  if (value === undefined || problem !== undefined)
    throw new WayFailed(
      `${indexUrl} is not a release index${problem === undefined ? '' : `: ${problem.message}`}`,
    );
  return value;
}

const systems: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const architectures: Readonly<Record<string, string>> = {
  x64: 'amd64',
  arm64: 'arm64',
  ppc64: 'ppc64le',
  s390x: 's390x',
};

/** Returns this machine's platform in Go's notation, such as `linux-amd64`. */
export function goPlatform(): string {
  const system = systems[process.platform] ?? process.platform;
  return `${system}-${architectures[process.arch] ?? process.arch}`;
}

/** Limits in milliseconds: for establishing a connection, and for the time without a received byte. */
const timeouts = { connectTimeout: 8_000, idleTimeout: 30_000 };

/**
 * Downloads a file, using the proxies that the environment sets.
 * @returns the SHA-512 of the written bytes, in lower-case hexadecimal
 * @throws WayFailed with the reason if the download fails; the reason of the signal if the signal is aborted
 */
async function downloadFile(url: string, file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha512');
  const stop = signal ?? new AbortController().signal;
  try {
    const { env } = process;
    const chunks = download(new URL(url), { env, signal: stop, userAgent: 'op-sdk', ...timeouts });
    const observe = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(observe, createWriteStream(file), { signal: stop });
    return hash.digest('hex');
  } catch (error) {
    stop.throwIfAborted();
    throw new WayFailed(`${url}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Extracts the wanted files of a tar stream into a folder, as executables. The folders inside the archive are ignored.
 * @param wanted base names of the files
 * @returns the base names that were found
 * @throws Error if the stream is not a tar archive or ends too early
 */
export async function untar(
  stream: AsyncIterable<Uint8Array>,
  folder: string,
  wanted: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const member of readTar(stream)) {
    const name = basename(member.path);
    if (member.type !== 'file' || !wanted.has(name)) continue;
    await writeExecutable(join(folder, name), member);
    found.add(name);
  }
  return found;
}

async function writeExecutable(path: string, member: TarMember): Promise<void> {
  const file = await open(path, 'wx', 0o755);
  try {
    // `write` is not used, because it may write only a part of the chunk, for example when the disk is nearly full.
    for await (const chunk of member.content()) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
}
