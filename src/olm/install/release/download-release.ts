import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OpSdkError, FindingList } from '../../../base/errors/index.ts';
import { download, DownloadError, reachOf } from '../../../sdk/net/index.ts';
import { readManifest, YamlBudget, yamlLimits, type PlacedObject } from '../../../kubernetes/yaml/index.ts';

export interface DownloadRelease {
  /** Environment variables, from which the proxy settings are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly signal: AbortSignal;
  readonly onProgress?: ((line: string) => void) | undefined;
  /** Milliseconds to wait before each retry. Default: 1 s before the first retry, 3 s before the second. */
  readonly pauses?: readonly number[];
  /** Called with all downloaded files before any of them is parsed. Errors that it throws are passed on to the caller. */
  readonly check?: ((files: readonly DownloadedFile[]) => void | Promise<void>) | undefined;
}

/**
 * Timeouts in milliseconds: until a connection is established, and between two received chunks. `wholeTimeout` limits the entire download
 * of a file.
 */
const timeouts = { connectTimeout: 15_000, idleTimeout: 30_000 };
const wholeTimeout = 120_000;
const defaultPauses = [1_000, 3_000];

/**
 * Downloads manifests, through a proxy if the environment variables name one. Failed requests are retried, unless the server refuses them.
 *
 * @throws OpSdkError `olm/download`, errors of `check`, and errors of parsing the manifests
 */
export async function downloadManifests(
  urls: readonly string[],
  options: DownloadRelease,
): Promise<readonly PlacedObject[]> {
  const files: (DownloadedFile & { readonly text: string })[] = [];
  for (const url of urls) {
    options.onProgress?.(`downloading ${url}`);
    const bytes = await bytesOf(url, options);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    files.push({ url, sha256, text: bytes.toString('utf8') });
  }
  await options.check?.(files);
  const budget = new YamlBudget();
  return files.flatMap(({ url, text }) => [...readManifest(text, url, { budget })]);
}

/** Returns true if a value of `--manifests` is a URL, not a file. */
export function isManifestUrl(name: string): boolean {
  return /^https?:\/\//i.test(name);
}

async function bytesOf(url: string, options: DownloadRelease): Promise<Buffer> {
  const { pauses = defaultPauses, signal } = options;
  checkAddress(url, url);
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptBytes(url, options);
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      const pause = pauses[attempt];
      // Do not retry a request that the server refuses, for example because the file does not exist. A retry would be refused, too.
      const refused = error.status !== undefined && error.status < 500 && error.status !== 429;
      if (refused || pause === undefined) throw failed(url, error.message, error);
      options.onProgress?.(`${url}: ${error.message}; trying again`);
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
  }
}

async function attemptBytes(url: string, { env, userAgent, signal }: DownloadRelease): Promise<Buffer> {
  const timeout = AbortSignal.timeout(wholeTimeout);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of download(new URL(url), {
      env,
      userAgent,
      signal: AbortSignal.any([signal, timeout]),
      check: ({ href }) => checkAddress(url, href),
      ...timeouts,
    })) {
      size += chunk.length;
      if (size > yamlLimits.bytes)
        throw failed(url, `the file is larger than ${yamlLimits.bytes / 1024 / 1024} MiB`);
      chunks.push(chunk);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw failed(url, `it did not come within ${wholeTimeout / 1000} s`, error);
    throw error;
  }
  return Buffer.concat(chunks);
}

/** Requires https, except for the local machine, because anybody who could change the manifests in transit would control the cluster. */
function checkAddress(source: string, href: string): void {
  if (URL.canParse(href)) {
    const { protocol, hostname } = new URL(href);
    if (protocol === 'https:' || (protocol === 'http:' && reachOf(hostname) === 'loopback')) return;
  }
  const message =
    href === source ? `${source} is not an https URL` : `${source} redirects to ${href}, which is not https`;
  throw new OpSdkError({
    code: 'olm/download',
    message,
    where: { file: source },
    fix: ['name an https URL, or download the files and name them with --manifests'],
  });
}

function failed(url: string, reason: string, cause?: unknown): OpSdkError {
  return new OpSdkError(
    {
      code: 'olm/download',
      message: `${url} cannot be read: ${reason}`,
      where: { file: url },
      fix: [
        'check the version and the network; behind a proxy, set HTTPS_PROXY',
        'or download the files of the release elsewhere, and name them with --manifests',
      ],
    },
    { cause },
  );
}

export interface DownloadedFile {
  readonly url: string;
  /** SHA-256 digest of the file, in lower-case hexadecimal. */
  readonly sha256: string;
}

/** Digests that the downloaded files are expected to have. */
interface ExpectedDigests {
  /** Digests by file name, for a release known to op-sdk. Default: none. */
  readonly known?: Readonly<Record<string, string>> | undefined;
  /** Values of `--sha256`, one for each file, in any order. Default: none. */
  readonly given?: readonly string[] | undefined;
}

/**
 * Compares the digests of downloaded files with the expected digests.
 *
 * @returns false if no digests are expected
 * @throws OpSdkError `olm/checksum-mismatch`, with a finding for each file whose digest differs
 */
export function checkDigests(
  files: readonly DownloadedFile[],
  { known, given = [] }: ExpectedDigests,
): boolean {
  const findings = new FindingList();
  const wanted = given.map((digest) => digest.toLowerCase());
  const mismatch = (url: string, message: string, ...fix: readonly string[]): void =>
    findings.add({ code: 'olm/checksum-mismatch', message, where: { file: url }, fix });
  for (const { url, sha256 } of files) {
    const expected = known?.[fileName(url)];
    if (known !== undefined && expected !== sha256)
      mismatch(
        url,
        `expected ${url} to have the SHA-256 ${expected ?? 'of a file of the release'}, got ${sha256}`,
        'try again; if it happens again, look for a proxy or mirror that changes files',
      );
    else if (wanted.length > 0 && !wanted.includes(sha256))
      mismatch(
        url,
        `expected ${url} to have the SHA-256 of a --sha256, got ${sha256}`,
        'pass --sha256 once for each file of the release, with digests from a source that you trust',
      );
  }
  const unused = wanted.filter((digest) => !files.some(({ sha256 }) => sha256 === digest));
  if (findings.all.length === 0)
    for (const digest of unused)
      mismatch('--sha256', `no downloaded file has the SHA-256 ${digest}`, 'pass the digests of the files');
  findings.throwIfAny();
  return known !== undefined || wanted.length > 0;
}

/** Returns the error for downloaded files without expected digests if the user cannot be asked to accept them. */
export function unverifiedRelease(title: string, files: readonly DownloadedFile[]): OpSdkError {
  const flags = files.map(({ sha256 }) => `--sha256 ${sha256}`).join(' ');
  return new OpSdkError(
    files.map(({ url, sha256 }) => ({
      code: 'olm/unverified',
      message: `${title}: the downloaded file ${url} cannot be verified: op-sdk knows no SHA-256 for this file; the SHA-256 of the download is ${sha256}`,
      where: { file: url },
      fix: [
        `compare the download with the file from another network, or with a copy that you trust; then pass the SHA-256 of all files: ${flags}`,
        'or name files that you have checked: --manifests',
        'or run the command on a terminal, and accept the digests there',
      ],
    })),
  );
}

function fileName(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}
