/**
 * Orders versions by their three numbers; of equal ones, a pre-release comes first. Numbers after the first missing one
 * count as 0.
 *
 * @param a such as `20.19.0`, `v1.36.3+k3s1`, `1.2.3-rc.1`
 * @returns negative if `a` is older than `b`, 0 if they are the same, positive if it is newer
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (const [index, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return Number(right.isPreRelease) - Number(left.isPreRelease);
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly isPreRelease: boolean } {
  const [, major = '0', minor = '0', patch = '0', rest = ''] =
    /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(.*)$/.exec(version) ?? [];
  return { numbers: [major, minor, patch].map(Number), isPreRelease: rest.startsWith('-') };
}
