const form = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/;

/**
 * Compares API versions by Kubernetes' priority: stable before beta before alpha, higher numbers first; names of another form come last, in
 * alphabetical order. The result is negative if `a` is newer, so that sorting puts the newest first.
 *
 * Source: apimachinery `pkg/version/helpers.go`, CompareKubeAwareVersionStrings.
 */
export function newerFirst(a: string, b: string): number {
  const [left, right] = [ranksOf(a), ranksOf(b)];
  if (left === undefined || right === undefined)
    return left !== undefined ? -1 : right !== undefined ? 1 : a < b ? -1 : a > b ? 1 : 0;
  const at = left.findIndex((rank, index) => rank !== right[index]);
  return at === -1 ? 0 : (right[at] ?? 0) - (left[at] ?? 0);
}

function ranksOf(version: string): readonly number[] | undefined {
  const match = form.exec(version);
  if (match === null) return undefined;
  const [, major, stability, minor = '0'] = match;
  return [stability === undefined ? 2 : stability === 'beta' ? 1 : 0, Number(major), Number(minor)];
}

/**
 * Formats a name for people: `NginxOperator` becomes `Nginx Operator`, `HTTPProxy` becomes `HTTP Proxy`, `my-operator` becomes `My
 * Operator`, `tlsSecret` becomes `Tls Secret`.
 */
export function displayName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[-._\s]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
