/** A version of etcd as numbers: major, minor, patch. */
type Numbers = readonly [number, number, number];

/** First patch of 3.5 whose promoted learners stay voters in 3.6. Source: https://etcd.io/docs/v3.6/upgrades/upgrade_3_6/ */
const firstPatchForUpgradeTo36 = 20;

function numbersOf(version: string): Numbers | undefined {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

/** Compares versions as `sort` wants it. Texts that are no versions come first. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [numbersOf(left) ?? [0, 0, 0], numbersOf(right) ?? [0, 0, 0]];
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/**
 * Returns the reason why a member must not go from one version to another, or undefined if it may. etcd supports upgrades within a minor
 * version, and to the next one.
 *
 * Source: https://etcd.io/docs/v3.6/upgrades/upgrading-etcd/
 */
export function upgradeProblem(from: string, to: string): string | undefined {
  const [a, b] = [numbersOf(from), numbersOf(to)];
  if (a === undefined || b === undefined) return `expected versions such as 3.6.8, got ${from} and ${to}`;
  if (compareVersions(from, to) > 0) return `a downgrade from ${from} to ${to} is not supported`;
  if (b[0] !== a[0]) return `an upgrade from ${from} to ${to} is not supported: the major version changes`;
  if (b[1] - a[1] > 1)
    return `an upgrade from ${from} to ${to} skips minor versions: set the version to a ${a[0]}.${a[1] + 1} first`;
  if (a[1] === 5 && b[1] === 6 && a[2] < firstPatchForUpgradeTo36)
    return `an upgrade from ${from} to ${to} makes voters learners again: set the version to 3.5.${firstPatchForUpgradeTo36} or a later 3.5 first`;
  return undefined;
}
