import { olmVersions, type OlmVersion } from '../../../olm/catalog/index.ts';
import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import {
  checkDigests,
  downloadManifests,
  isManifestUrl,
  olmFacts,
  unverifiedRelease,
  type DownloadedFile,
  type DownloadRelease,
  servedOlms,
} from '../../../olm/install/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import type { OlmOptions } from '../../flags/olm-flags.ts';
import { packageInfo } from '../../package-info.ts';
import { exclusiveFlags, invalidFlag } from '../input/flag-values.ts';
import { readObjects } from '../input/read-objects.ts';
import { Interrupted } from '../../ui/interrupted.ts';
import { askYesOrNo } from '../../ui/prompts.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';

/** Release of OLM that the flags of a command select. */
export interface WantedRelease {
  readonly olm: OlmVersion | undefined;
  /** Version of the OLM release, without `v`. */
  readonly version: string | undefined;
  readonly manifests: readonly string[];
  /** Expected digests of the files that are downloaded; empty if the flags give none. */
  readonly sha256: readonly string[];
}

/** Checks the flags of commands for OLM. @throws OpSdkError `cli/invalid-value` for all invalid flags at once */
export function wantedRelease({ olm, version, manifests = [], sha256 = [] }: OlmOptions): WantedRelease {
  const findings: Finding[] = [];
  const major = olmVersions.find((each) => each === olm);
  if (olm !== undefined && major === undefined)
    findings.push(
      invalidFlag('--olm', `expected --olm to be v0 or v1, got '${olm}'`, 'write --olm v0 or --olm v1'),
    );
  const number = version?.replace(/^v/, '');
  if (number !== undefined && !/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(number))
    findings.push(
      invalidFlag(
        '--version',
        `expected --version to be the version of a release, got '${version ?? ''}'`,
        `write it as in --version ${olmFacts[major ?? 'v0'].defaultVersion}`,
      ),
    );
  if (version !== undefined && manifests.length > 0)
    findings.push(exclusiveFlags('--version', '--manifests'));
  for (const digest of sha256)
    if (!/^[0-9a-f]{64}$/i.test(digest))
      findings.push(
        invalidFlag(
          '--sha256',
          `expected --sha256 to be 64 hexadecimal digits, got '${digest}'`,
          'pass what sha256sum prints for the file',
        ),
      );
  if (sha256.length > 0 && manifests.length > 0 && !manifests.some(isManifestUrl))
    findings.push(
      invalidFlag(
        '--sha256',
        '--sha256 has no effect: it is for downloaded files, and --manifests names only local files',
        'leave it out',
      ),
    );
  if (findings.length > 0) throw new OpSdkError(findings);
  return { olm: major, version: number, manifests, sha256 };
}

/**
 * Returns the objects that `--manifests` names. Files and folders are read first, then URLs, whose content is checked if `--sha256` is
 * given.
 * @throws OpSdkError with all findings of the files, `olm/download`, `olm/checksum-mismatch`
 */
export async function manifestObjects(
  context: CliContext,
  { manifests, sha256 }: WantedRelease,
): Promise<readonly PlacedObject[]> {
  const files = manifests.filter((name) => !isManifestUrl(name));
  const urls = manifests.filter((name) => isManifestUrl(name));
  const read = files.length === 0 ? [] : await readObjects(context, '--manifests', files);
  const check = (downloaded: readonly DownloadedFile[]): void =>
    void checkDigests(downloaded, { given: sha256 });
  return [...read, ...(await downloadManifests(urls, { ...downloadOptions(context), check }))];
}

interface ReleaseDownload extends Pick<WantedRelease, 'sha256'> {
  /** Version of the OLM release, without `v`. */
  readonly version: string;
  /**
   * True if the objects are to be written to the cluster or deleted from it. In that case the digests of the downloaded files must be
   * known, or the user must accept the files.
   */
  readonly isUsed: boolean;
  /** True if a failed download is retried. Default: true. */
  readonly retry?: boolean;
}

/**
 * Downloads the objects of a release of OLM from the address of the release.
 * @throws OpSdkError `olm/download`, `olm/checksum-mismatch`, `olm/unverified`
 * @throws Interrupted if a person does not accept the files
 */
export function downloadRelease(
  context: CliContext,
  olm: OlmVersion,
  { version, sha256, isUsed, retry = true }: ReleaseDownload,
): Promise<readonly PlacedObject[]> {
  const check = async (files: readonly DownloadedFile[]): Promise<void> => {
    const isKnown = checkDigests(files, { known: olmFacts[olm].releaseDigests(version), given: sha256 });
    if (!isKnown && isUsed) await accept(context, `OLM ${olm} ${version}`, files);
  };
  const tries = retry ? {} : { pauses: [] };
  return downloadManifests(olmFacts[olm].releaseUrls(version), {
    ...downloadOptions(context),
    ...tries,
    check,
  });
}

/**
 * Asks the user to accept files with unknown digests. `--yes` does not count as acceptance, because the user gives `--yes` before the
 * digests are shown.
 */
async function accept(context: CliContext, title: string, files: readonly DownloadedFile[]): Promise<void> {
  if (!context.interactive) throw unverifiedRelease(title, files);
  for (const { url, sha256 } of files) context.report.info(`${sha256}  ${url}`);
  const message = `op-sdk does not know the SHA-256 digests above of the files of ${title}. Continue with these files?`;
  if ((await askYesOrNo(context, message, false)) !== true) throw new Interrupted();
}

function downloadOptions({ env, signal, report }: CliContext): DownloadRelease {
  return {
    env,
    signal,
    userAgent: `op-sdk/${packageInfo().version}`,
    onProgress: (line) => report.step(line),
  };
}

/**
 * Returns the version of OLM that a command works with: the version that the flags name, or the only version that is installed on the
 * cluster.
 * @throws OpSdkError `olm/absent`, `olm/choose-version`
 */
export async function chooseOlm(
  client: KubeClient,
  wanted: OlmVersion | 'auto',
  signal: AbortSignal,
): Promise<OlmVersion> {
  const present = await servedOlms(client, { signal });
  const [first, second] = present;
  if (wanted !== 'auto') {
    if (present.includes(wanted)) return wanted;
    throw absent(`OLM ${wanted} is not on the cluster`, wanted);
  }
  if (first === undefined) throw absent('OLM is not on the cluster', 'v0');
  if (second === undefined) return first;
  throw new OpSdkError({
    code: 'olm/choose-version',
    message: 'expected --olm to choose one version, as OLM v0 and OLM v1 are both on the cluster',
    where: { flag: '--olm' },
    fix: ['name one: --olm v0', 'or --olm v1'],
  });
}

function absent(message: string, version: OlmVersion): OpSdkError {
  return new OpSdkError({
    code: 'olm/absent',
    message,
    where: { flag: '--olm' },
    fix: [
      `install it: op-sdk olm install --olm ${version}`,
      'list the installed objects: op-sdk olm status',
      'or name another cluster: --context NAME',
    ],
  });
}
