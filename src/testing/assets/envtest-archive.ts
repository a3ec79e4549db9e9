import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mapped, object, string } from '../../base/util/json-reader.ts';
import { documentStyle, readJson, type JsonReader } from '../../base/util/read-json.ts';
import { parseKubernetesYaml } from '../../kubernetes/yaml/index.ts';
import type { Binary } from './binaries.ts';
import type { Env } from './cache.ts';
import { downloadFile, goPlatform, installFromArchive } from './download-archive.ts';
import { WayFailed, type WayRequest } from './way.ts';

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

/**
 * Downloads the envtest archive of a version, checks its SHA-512 and extracts etcd, kube-apiserver and kubectl.
 * The environment variable OPSDK_ENVTEST_INDEX names another index, for mirrors; OPSDK_ENVTEST_SHA512 is the only SHA-512 that an archive may have.
 * @returns the names of the programs that are now in `target`
 * @throws WayFailed if the index or the archive cannot be downloaded
 * @throws OpSdkError testenv/checksum-mismatch
 */
export async function downloadArchive(request: WayRequest): Promise<readonly string[]> {
  const { url, sha512: listed } = await findArchive(request);
  const expected = expectedDigest(request.env, archiveName(request.version), listed);
  const found = await installFromArchive({ url, ...expected }, request, archiveBinaries, ['kubectl']);
  if (expected.source === 'the index')
    request.progress(`its SHA-512 is ${expected.sha512}, as the index says`);
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
): { readonly sha512: string; readonly source: string } {
  const demanded = env['OPSDK_ENVTEST_SHA512'] ?? '';
  const known = archiveDigests[name];
  if (demanded !== '') return { sha512: demanded, source: 'OPSDK_ENVTEST_SHA512' };
  if (known !== undefined) return { sha512: known, source: 'op-sdk' };
  return { sha512: listed.toLowerCase(), source: 'the index' };
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
  await downloadFile(indexUrl, file, request);
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
