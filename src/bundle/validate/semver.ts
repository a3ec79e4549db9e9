const identifier = '(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const form = new RegExp(
  `^(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)(?:-${identifier}(?:\\.${identifier})*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

/**
 * Whether a text is a version of Semantic Versioning 2.0.0, whole: no leading `v`, three numbers. The package semver
 * takes more (` v1.2.3`, `=1.2.3`) and less (numbers beyond 2^53-1, more than 256 characters) than OLM, which is strict.
 * Source: https://semver.org, github.com/blang/semver/v4 `Parse`.
 */
export function isSemver(text: string): boolean {
  return form.test(text);
}

const comparator = /^(?:=|==|!|!=|>|>=|<|<=)?(?=\d)(.*)$/s;

/**
 * Whether a text is a range of versions as OLM reads it in a dependency: comparators with blanks between them (all must
 * hold), `||` between alternatives, `x` for the minor or patch number. Source: github.com/blang/semver/v4 `ParseRange`.
 */
export function isVersionRange(text: string): boolean {
  // A blank behind an operator belongs to it.
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
