import { isSemver } from '../../../olm/bundle/validate/semver.ts';
import type { FindingList } from '../../../base/errors/index.ts';
import { invalidFlag } from './flag-values.ts';

/** Checks the version of a bundle; undefined if it is valid. */
export function checkVersionNumber(version: string): string | undefined {
  if (/^v\d/.test(version)) return 'it begins with "v"; the version itself is a number';
  if (version.includes('+'))
    return 'it has build metadata, which the name of a ClusterServiceVersion cannot hold';
  if (/[A-Z]/.test(version))
    return 'it has capital letters, which the name of a ClusterServiceVersion cannot hold';
  return isSemver(version) ? undefined : 'it is not a semantic version MAJOR.MINOR.PATCH[-PRERELEASE]';
}

/** Checks the name of a channel; undefined if it is valid. */
export function checkChannel(channel: string): string | undefined {
  return /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/.test(channel)
    ? undefined
    : 'a channel has lower-case letters, digits, ".", "-" and "_", and begins and ends with a letter or digit';
}

/**
 * The time of SOURCE_DATE_EPOCH as Kubernetes writes it; undefined if it is not set.
 * @see https://reproducible-builds.org/specs/source-date-epoch/
 */
export function epochTime(findings: FindingList, epoch: string | undefined): string | undefined {
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
