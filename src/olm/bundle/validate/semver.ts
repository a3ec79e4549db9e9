const identifier = '(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const identifiers = `${identifier}(?:\\.${identifier})*`;
const form = new RegExp(
  `^(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)(?:-${identifiers})?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

/**
 * Returns true for a version of Semantic Versioning 2.0.0, with three numbers and without a leading `v`. Does not use the package semver,
 * because that package accepts texts that OLM refuses (` v1.2.3`, `=1.2.3`), and refuses texts that OLM accepts (numbers beyond 2^53-1,
 * more than 256 characters). Source: https://semver.org, github.com/blang/semver/v4 `Parse`.
 */
export function isSemver(text: string): boolean {
  return form.test(text);
}

/** Form of a semantic version, as a pattern of JSON Schema. */
export const semverPattern = form.source;

const releaseForm = new RegExp(`^${identifiers}$`);

/**
 * Returns true for a valid `spec.release`. A release has the form of a pre-release in a semantic version. Source: operator-framework/api
 * `pkg/lib/release`.
 */
export function isRelease(text: string): boolean {
  return releaseForm.test(text);
}

const comparator = /^(?:=|==|!|!=|>|>=|<|<=)?(?=\d)(.*)$/s;

/**
 * Returns true for a version range that OLM can parse in a dependency. A range consists of comparators separated by blanks; a version must
 * match all of them. `||` separates alternatives, and `x` may replace the minor or patch number. Source: github.com/blang/semver/v4
 * `ParseRange`.
 */
export function isVersionRange(text: string): boolean {
  // Blanks may follow a comparison operator such as `>=`.
  const parts = text
    .replace(/([<>=!])\s+/g, '$1')
    .split(/ +/)
    .filter((part) => part !== '');
  if (parts.length === 0 || parts[0] === '||' || parts.at(-1) === '||') return false;
  return parts.every((part, index) => {
    if (part === '||') return parts[index + 1] !== '||';
    const version = comparator.exec(part)?.[1];
    return version !== undefined && isSemver(withoutWildcard(version));
  });
}

function withoutWildcard(version: string): string {
  if (!/^\d+(?:\.\d+)?\.x(?:\.x)?$/.test(version)) return version;
  const numbers = version.replaceAll('x', '0').split('.');
  return [...numbers, '0'].slice(0, 3).join('.');
}

/** Numbers of a version. `isPrerelease` is true if the version is a pre-release. */
export interface VersionNumbers {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly isPrerelease: boolean;
}

/**
 * Parses a version leniently: accepts a leading `v`, leading zeros and missing numbers. OLM parses `spec.version` in this way, and OLM's
 * tools parse Kubernetes versions in the same way. Source: github.com/blang/semver/v4 `ParseTolerant`.
 * @returns undefined if the text cannot be parsed even leniently
 */
export function parseTolerantVersion(text: string): VersionNumbers | undefined {
  const bare = text.trim().replace(/^v/, '');
  const [major = '', minor, ...rest] = bare.split('.');
  const parts = [
    major,
    ...(minor === undefined ? [] : [minor]),
    ...(rest.length === 0 ? [] : [rest.join('.')]),
  ].map((part) => (part.length > 1 ? part.replace(/^0+(?=\d)/, '') : part));
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) return undefined;
  while (parts.length < 3) parts.push('0');
  const whole = parts.join('.');
  if (!isSemver(whole)) return undefined;
  const [numbers = '', ...pre] = whole.replace(/\+.*$/, '').split('-');
  const [first = 0, second = 0, third = 0] = numbers.split('.').map(Number);
  return { major: first, minor: second, patch: third, isPrerelease: pre.length > 0 };
}

/** Returns true if a version is equal to or later than `least`, which must not be a pre-release. */
export function isAtLeast(version: VersionNumbers, least: VersionNumbers): boolean {
  for (const part of ['major', 'minor', 'patch'] as const)
    if (version[part] !== least[part]) return version[part] > least[part];
  return !version.isPrerelease || least.isPrerelease;
}
