import { olmVersions, type OlmVersion } from '../../../catalog/index.ts';
import { OpSdkError, type Finding } from '../../../errors/index.ts';
import { downloadManifests, isManifestUrl, olmFacts, type DownloadRelease } from '../../../olm/index.ts';
import type { PlacedObject } from '../../../yaml/index.ts';
import type { CliContext } from '../../command.ts';
import type { OlmOptions } from '../../flags/olm-flags.ts';
import { packageInfo } from '../../package-info.ts';
import { exclusiveFlags, invalidFlag } from '../input/flag-values.ts';
import { readObjects } from '../input/read-objects.ts';

/** What the flags say of a release. */
export interface WantedRelease {
  readonly olm: OlmVersion | undefined;
  /** Without `v`. */
  readonly version: string | undefined;
  readonly manifests: readonly string[];
}

/** Checks the flags of commands for OLM. @throws OpSdkError `cli/invalid-value`, all of them at once */
export function wantedRelease({ olm, version, manifests = [] }: OlmOptions): WantedRelease {
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
  if (findings.length > 0) throw new OpSdkError(findings);
  return { olm: major, version: number, manifests };
}

/** The objects that `--manifests` names: files and folders, then URLs. @throws OpSdkError with all findings of the files, `olm/download` */
export async function manifestObjects(
  context: CliContext,
  names: readonly string[],
): Promise<readonly PlacedObject[]> {
  const files = names.filter((name) => !isManifestUrl(name));
  const urls = names.filter((name) => isManifestUrl(name));
  const read = files.length === 0 ? [] : await readObjects(context, '--manifests', files);
  return [...read, ...(await downloadManifests(urls, downloadOptions(context)))];
}

/**
 * The objects of a release of OLM, from its address.
 *
 * @param options.retry whether a download that fails is tried again. Default: true
 * @throws OpSdkError `olm/download`
 */
export function downloadRelease(
  context: CliContext,
  olm: OlmVersion,
  version: string,
  options: { readonly retry?: boolean } = {},
): Promise<readonly PlacedObject[]> {
  const tries = options.retry === false ? { pauses: [] } : {};
  return downloadManifests(olmFacts[olm].releaseUrls(version), { ...downloadOptions(context), ...tries });
}

function downloadOptions({ env, signal, report }: CliContext): DownloadRelease {
  return {
    env,
    signal,
    userAgent: `op-sdk/${packageInfo().version}`,
    onProgress: (line) => report.step(line),
  };
}
