import { formatWhere } from '../../../base/errors/format.ts';
import type { FindingList } from '../../../base/errors/index.ts';
import type { Placed } from '../declaration.ts';
import type { KindVersion, SharedParts } from './kind-version.ts';

const names = ['conversion', 'labels', 'annotations', 'versionOrder'] as const;

/** Collects what belongs to the kind rather than to a version: declared in one version, or the same in all that declare it. */
export function sharedParts(findings: FindingList, versions: readonly KindVersion[]): SharedParts {
  for (const name of names) {
    const [first, ...others] = versions.filter((version) => version[name] !== undefined);
    const said = first?.[name];
    if (first === undefined || said === undefined) continue;
    for (const other of others) {
      const its = other[name];
      if (its === undefined || content(its) === content(said)) continue;
      findings.add({
        code: 'manifests/versions-disagree',
        message: `the versions of ${first.kind.value} disagree: \`${name}\` is not the same in ${other.version.value} and in ${first.version.value} (${formatWhere(said.place)})`,
        where: its.place,
        fix: [`set \`${name}\` in one version only, or the same in all`],
      });
    }
  }
  const firstOf = <K extends (typeof names)[number]>(name: K): KindVersion[K] | undefined =>
    versions.find((version) => version[name] !== undefined)?.[name];
  return {
    conversion: firstOf('conversion'),
    labels: firstOf('labels'),
    annotations: firstOf('annotations'),
    versionOrder: firstOf('versionOrder'),
  };
}

/** The value without the places in it and with sorted keys. */
function content({ value }: Placed<unknown>): string {
  return JSON.stringify(value, (key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    if ('place' in part && 'value' in part) return part.value;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
