import type { Finding, FindingList } from '../../../base/errors/index.ts';
import { closestName } from '../../../base/util/closest-name.ts';
import type { KindVersion, SharedParts } from './kind-version.ts';

function invalidOrder(message: string, where: KindVersion['place'], fix: string): Finding {
  return { code: 'manifests/version-order', message, where, fix: [fix] };
}

/** The versions of a kind in the order that `versionOrder` gives, which names each of them once. */
export function inOrder<V extends KindVersion>(
  findings: FindingList,
  versions: readonly [V, ...V[]],
  order: SharedParts['versionOrder'],
): readonly [V, ...V[]] {
  if (order === undefined) return versions;
  const names = versions.map(({ version }) => version.value);
  const listed = order.value.map(({ value }) => value);
  const kind = versions[0].kind.value;
  for (const [index, { value, place }] of order.value.entries()) {
    if (listed.indexOf(value) < index)
      findings.add(invalidOrder(`\`crd.versionOrder\` lists ${value} twice`, place, 'leave one of them out'));
    else if (!names.includes(value)) {
      const closest = closestName(value, names);
      const fix = closest === undefined ? `list ${names.join(', ')}` : `did you mean '${closest}'?`;
      findings.add(
        invalidOrder(`\`crd.versionOrder\` lists ${value}, but ${kind} has no such version`, place, fix),
      );
    }
  }
  const missing = [...new Set(names.filter((name) => !listed.includes(name)))];
  if (missing.length > 0)
    findings.add(
      invalidOrder(
        `\`crd.versionOrder\` does not list ${missing.join(', ')} of ${kind}`,
        order.place,
        'list every version once, or leave `crd.versionOrder` out',
      ),
    );
  const rank = (version: V): number => listed.indexOf(version.version.value);
  const [first, ...rest] = [...versions].sort((a, b) => rank(a) - rank(b));
  return [first ?? versions[0], ...rest];
}
