import { FindingList, OpSdkError } from '../../../base/errors/index.ts';

/** A file as it was downloaded. */
export interface DownloadedFile {
  readonly url: string;
  /** In lower-case hexadecimal. */
  readonly sha256: string;
}

/** Known digests of the files of a download. */
export interface ExpectedDigests {
  /** By file name, of a release that op-sdk knows. Default: none. */
  readonly known?: Readonly<Record<string, string>> | undefined;
  /** As `--sha256` gives them, one for each file, in any order. Default: none. */
  readonly given?: readonly string[] | undefined;
}

/**
 * Compares the digests of downloaded files with those that are expected.
 *
 * @returns false if nothing is known of them
 * @throws OpSdkError `olm/checksum-mismatch`, a finding for each file that is another one
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

/** The error for files of which nothing is known, where nobody can be asked. */
export function unverifiedRelease(title: string, files: readonly DownloadedFile[]): OpSdkError {
  const flags = files.map(({ sha256 }) => `--sha256 ${sha256}`).join(' ');
  return new OpSdkError(
    files.map(({ url, sha256 }) => ({
      code: 'olm/unverified',
      message: `${title}: op-sdk does not know the SHA-256 of ${url}; the downloaded file has ${sha256}`,
      where: { file: url },
      fix: [
        `compare it with the file from another network, or a copy that you trust; then pass all of them: ${flags}`,
        'or name files that you have checked: --manifests',
        'or run the command on a terminal, and accept the digests there',
      ],
    })),
  );
}

function fileName(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}
