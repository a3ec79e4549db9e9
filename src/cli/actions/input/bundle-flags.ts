import type { ReleaseFields } from '../../../olm/bundle/index.ts';
import { FindingList } from '../../../base/errors/index.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import { manifestsFolder } from '../../flags/words.ts';
import { checkChannel, checkVersionNumber, epochTime } from './bundle-values.ts';
import { commaList } from './comma-list.ts';
import { exclusiveFlags, invalidFlag, missingFlag } from './flag-values.ts';
import { folderFlag } from './folder-flag.ts';
import { readReleaseFlags, type ReleaseOptions } from './release-flags.ts';

/** Parsed flags of `op-sdk generate bundle`. */
export interface BundleOptions extends ReleaseOptions, RegistryFlags {
  readonly version?: string;
  readonly channels: string;
  readonly defaultChannel?: string;
  readonly package?: string;
  readonly kustomizeDir?: string;
  readonly filename?: readonly string[];
  readonly inputDir?: string;
  readonly deployDir?: string;
  readonly crdsDir?: string;
  readonly outputDir?: string;
  readonly extraServiceAccounts?: string;
  readonly useImageDigests?: boolean;
  readonly userRoles?: boolean;
  readonly overwrite?: boolean;
  readonly sources?: boolean;
  readonly stdout?: boolean;
  readonly dryRun?: boolean;
}

/** Flags that have been checked. */
export interface WantedBundle {
  readonly version: string;
  readonly channels: readonly string[];
  readonly extraServiceAccounts: readonly string[];
  /** Relative, with forward slashes. */
  readonly outputDir: string;
  readonly kustomizeDir: string;
  readonly createdAt: string | undefined;
  readonly release: ReleaseFields;
}

/** @throws OpSdkError with every flag that is missing or wrong */
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
    findings.add(invalidFlag('--channels', '--channels names a channel twice', 'name each channel once'));
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

/** The objects come from one place. */
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
        '--crds-dir goes with --deploy-dir only',
        'add --deploy-dir, or give both folders with -f',
      ),
    );
  }
}
