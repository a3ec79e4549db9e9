import { type ReleaseFields, isSemver, releaseFields } from '../../../olm/bundle/index.ts';
import { FindingList } from '../../../base/errors/index.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import { manifestsFolder } from '../../flags/words.ts';
import { exclusiveFlags, invalidFlag, missingFlag, checkFlag, commaList, folderFlag } from './flag-values.ts';

/** Parsed flags of `op-sdk generate bundle`. */
export interface BundleOptions extends ReleaseOptions, RegistryFlags {
  readonly version: string | undefined;
  readonly channels: string;
  readonly defaultChannel: string | undefined;
  readonly package: string | undefined;
  readonly kustomizeDir: string | undefined;
  readonly filename: readonly string[] | undefined;
  readonly inputDir: string | undefined;
  readonly deployDir: string | undefined;
  readonly crdsDir: string | undefined;
  readonly outputDir: string | undefined;
  readonly extraServiceAccounts: string | undefined;
  readonly useImageDigests: boolean | undefined;
  readonly userRoles: boolean | undefined;
  readonly overwrite: boolean | undefined;
  readonly sources: boolean | undefined;
  readonly stdout: boolean | undefined;
  readonly dryRun: boolean | undefined;
}

/** Values of the flags of `op-sdk generate bundle` after they have been checked. */
export interface WantedBundle {
  readonly version: string;
  readonly channels: readonly string[];
  readonly extraServiceAccounts: readonly string[];
  /** Folder for the bundle, relative to the working directory, with forward slashes. */
  readonly outputDir: string;
  readonly kustomizeDir: string;
  readonly createdAt: string | undefined;
  readonly release: ReleaseFields;
}

/**
 * Checks the flags of `op-sdk generate bundle`.
 * @throws OpSdkError with every flag that is missing or wrong
 */
export function checkBundleFlags(context: CliContext, options: BundleOptions): WantedBundle {
  const findings = new FindingList();
  const { version, defaultChannel } = options;
  if (version === undefined) {
    findings.add(
      missingFlag(
        '--version',
        '--version is missing',
        'add the version of the operator, such as --version 0.0.1',
      ),
    );
  } else {
    const problem = checkVersionNumber(version);
    if (problem !== undefined)
      findings.add(
        invalidFlag(
          '--version',
          `--version is ${JSON.stringify(version)}: ${problem}`,
          'give a version such as 1.2.3 or 1.2.3-rc.1',
        ),
      );
  }
  const channels = commaList(options.channels);
  for (const channel of channels.length === 0 ? [''] : channels) {
    const problem = checkChannel(channel);
    if (problem !== undefined)
      findings.add(
        invalidFlag(
          '--channels',
          `--channels has ${JSON.stringify(channel)}: ${problem}`,
          'give names such as stable,candidate',
        ),
      );
  }
  if (new Set(channels).size < channels.length)
    findings.add(
      invalidFlag('--channels', '--channels lists the same channel twice', 'name each channel once'),
    );
  if (defaultChannel !== undefined && !channels.includes(defaultChannel)) {
    const known = channels.join(', ');
    findings.add(
      invalidFlag(
        '--default-channel',
        `--default-channel is ${JSON.stringify(defaultChannel)}, which is none of the channels ${known}`,
        `give one of ${known}`,
      ),
    );
  }
  const outputDir = folderFlag(findings, context.cwd, '--output-dir', options.outputDir ?? 'bundle');
  const kustomizeDir = options.kustomizeDir ?? manifestsFolder;
  checkSources(findings, options);
  const createdAt = epochTime(findings, context.env['SOURCE_DATE_EPOCH']);
  const extraServiceAccounts = commaList(options.extraServiceAccounts ?? '');
  const release = readReleaseFlags(findings, options);
  findings.throwIfAny();
  return {
    ...{
      version: version ?? '',
      channels,
      extraServiceAccounts,
      outputDir,
      kustomizeDir,
      createdAt,
      release,
    },
  };
}

/** Adds a finding if the flags name more than one source of objects. */
function checkSources(findings: FindingList, options: BundleOptions): void {
  const sources = [
    ['--filename', options.filename],
    ['--input-dir', options.inputDir],
    ['--deploy-dir', options.deployDir],
  ] as const;
  const named = sources.filter(([, value]) => value !== undefined).map(([flag]) => flag);
  const [first, ...more] = named;
  for (const flag of more) findings.add(exclusiveFlags(first ?? '', flag));
  if (options.stdout === true && options.outputDir !== undefined)
    findings.add(exclusiveFlags('--stdout', '--output-dir'));
  if (options.crdsDir !== undefined && options.deployDir === undefined) {
    findings.add(
      invalidFlag(
        '--crds-dir',
        '--crds-dir needs --deploy-dir, which is missing',
        'add --deploy-dir, or give both folders with -f',
      ),
    );
  }
}

/** Returns the problem with the version of a bundle; undefined if the version is valid. */
function checkVersionNumber(version: string): string | undefined {
  if (/^v\d/.test(version)) return 'it begins with "v"; expected the version without "v"';
  if (version.includes('+'))
    return 'it has build metadata, which the name of a ClusterServiceVersion cannot hold';
  if (/[A-Z]/.test(version))
    return 'it has capital letters, which the name of a ClusterServiceVersion cannot hold';
  return isSemver(version) ? undefined : 'it is not a semantic version MAJOR.MINOR.PATCH[-PRERELEASE]';
}

/** Returns the problem with the name of a channel; undefined if the name is valid. */
export function checkChannel(channel: string): string | undefined {
  return /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/.test(channel)
    ? undefined
    : 'a channel has lower-case letters, digits, ".", "-" and "_", and begins and ends with a letter or digit';
}

/**
 * Returns the time of SOURCE_DATE_EPOCH in the format that Kubernetes uses; undefined if the variable is not set.
 * @see https://reproducible-builds.org/specs/source-date-epoch/
 */
function epochTime(findings: FindingList, epoch: string | undefined): string | undefined {
  if (epoch === undefined || epoch === '') return undefined;
  const seconds = /^\d{1,11}$/.test(epoch) ? Number(epoch) : Number.NaN;
  if (!Number.isNaN(seconds)) return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  findings.add(
    invalidFlag(
      'SOURCE_DATE_EPOCH',
      `SOURCE_DATE_EPOCH is ${JSON.stringify(epoch)}, which is not a number of seconds since 1970`,
      'set it to a whole number, such as $(git log -1 --format=%ct), or unset it',
    ),
  );
  return undefined;
}

/** Parsed values of the flags `--replaces`, `--skips`, `--skip-range` and `--min-kube-version`. */
type ReleaseOptions = Readonly<Partial<Record<keyof ReleaseFields, string | undefined>>>;

/**
 * Returns the values of the flags for the release in the bundle: the earlier releases that it updates, and the oldest Kubernetes version.
 * Errors are added to `findings`.
 */
export function readReleaseFlags(findings: FindingList, options: ReleaseOptions): ReleaseFields {
  const given = releaseFields.flatMap(({ key, flag, isList, check, fix }) => {
    const value = options[key];
    if (value === undefined) return [];
    const items = isList ? commaList(value) : [value];
    // An empty value seems to clear the list, but would keep the list of the base ClusterServiceVersion. So an empty list is checked as one
    // empty item.
    for (const item of items.length === 0 ? [''] : items) checkFlag(findings, flag, item, check, [fix]);
    return [[key, isList ? items : value] as const];
  });
  return Object.fromEntries(given);
}
