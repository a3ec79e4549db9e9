import { type FindingList, formatWhere, type Finding } from '../../../base/errors/index.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import type { Placed } from '../declaration.ts';
import { closestName } from '../../../base/util/terminal-words.ts';
import type { KindVersion, SharedParts } from './kind-version.ts';

/** All versions of one kind, in the order in which the CRD lists them. */
export interface CustomKind<V extends KindVersion = KindVersion> extends SharedParts {
  readonly versions: readonly [V, ...V[]];
  readonly storage: V;
}

/**
 * Groups the versions of each kind. Checks the rules that involve several declarations: each version is declared once, each kind has one
 * storage version, all versions have the same names, and no other kind of the group has these names.
 */
export function groupVersions<V extends KindVersion>(
  findings: FindingList,
  all: readonly V[],
): readonly CustomKind<V>[] {
  const byKind = new Map<string, V[]>();
  for (const declared of all) {
    const id = `${declared.group.value}/${declared.kind.value}`;
    byKind.set(id, [...(byKind.get(id) ?? []), declared]);
  }
  const kinds = [...byKind.keys()].sort().map((id): CustomKind<V> => {
    const versions = [...(byKind.get(id) ?? [])].sort((a, b) =>
      compareCodeUnits(a.version.value, b.version.value),
    );
    checkDuplicates(findings, versions);
    checkAgreement(findings, versions);
    const [first, ...rest] = versions;
    // Each list in the map has at least one element.
    if (first === undefined) throw new TypeError(`no version of ${id}`);
    const named = [first, ...rest] as const;
    const shared = sharedParts(findings, named);
    return {
      ...shared,
      versions: inOrder(findings, named, shared.versionOrder),
      storage: storageVersion(findings, named),
    };
  });
  checkPlurals(findings, kinds);
  return kinds;
}

function checkDuplicates(findings: FindingList, versions: readonly KindVersion[]): void {
  for (const [index, declared] of versions.entries()) {
    const earlier = versions[index - 1];
    if (earlier?.version.value !== declared.version.value) continue;
    const name = `${declared.group.value}/${declared.version.value} ${declared.kind.value}`;
    findings.add({
      code: 'crd/duplicate-version',
      message: `${name} is declared twice, the first time at ${formatWhere(earlier.place)}`,
      where: declared.place,
      fix: ['remove one of the two declarations, or give one of them another version'],
    });
  }
}

function checkAgreement(findings: FindingList, versions: readonly KindVersion[]): void {
  const [first, ...others] = versions;
  if (first === undefined) return;
  const list = (names: readonly Placed<string>[]): string => names.map((name) => name.value).join(', ');
  const facets: readonly (readonly [
    string,
    (kind: KindVersion) => string,
    (kind: KindVersion) => KindVersion['place'],
  ])[] = [
    ['scope', (kind) => kind.scope.value, (kind) => kind.scope.place],
    ['plural', (kind) => kind.plural.value, (kind) => kind.plural.place],
    ['singular', (kind) => kind.singular.value, (kind) => kind.singular.place],
    ['listKind', (kind) => kind.listKind.value, (kind) => kind.listKind.place],
    ['shortNames', (kind) => list(kind.shortNames), (kind) => kind.shortNames[0]?.place ?? kind.place],
    ['categories', (kind) => list(kind.categories), (kind) => kind.categories[0]?.place ?? kind.place],
  ];
  for (const other of others) {
    for (const [name, valueOf, placeOf] of facets) {
      if (valueOf(other) === valueOf(first)) continue;
      const said = (kind: KindVersion): string => `'${valueOf(kind)}' in ${kind.version.value}`;
      findings.add({
        code: 'manifests/versions-disagree',
        message: `the versions of ${first.kind.value} disagree: \`${name}\` is ${said(other)} and ${said(first)} (${formatWhere(placeOf(first))})`,
        where: placeOf(other),
        fix: [`give \`${name}\` the same value in all versions`],
      });
    }
  }
}

function storageVersion<V extends KindVersion>(findings: FindingList, versions: readonly [V, ...V[]]): V {
  const [only] = versions;
  const kind = only.kind.value;
  // If all declarations have the same version, the duplicate is reported by another check.
  if (versions.every(({ version }) => version.value === only.version.value)) {
    if (only.storage?.value === false) {
      findings.add({
        code: 'crd/storage-version',
        message: `${only.version.value} is the only version of ${kind}, so it must be the storage version, but \`storage\` is false`,
        where: only.storage.place,
        fix: ['leave `storage` out'],
      });
    }
    return only;
  }
  const stored = versions.filter((version) => version.storage?.value === true);
  const [storage, extra] = stored;
  if (storage === undefined) {
    const places = versions
      .map((version) => `${version.version.value} at ${formatWhere(version.place)}`)
      .join(', ');
    findings.add({
      code: 'crd/storage-version',
      message: `none of the versions of ${kind} is the storage version (${places})`,
      where: only.place,
      fix: ['write `storage: true` in the version that objects are to be stored in'],
    });
  } else if (extra !== undefined) {
    const places = stored
      .map((version) => `${version.version.value} at ${formatWhere(version.storage?.place ?? version.place)}`)
      .join(', ');
    findings.add({
      code: 'crd/storage-version',
      message: `${kind} has ${stored.length} storage versions: ${places}`,
      where: extra.storage?.place ?? extra.place,
      fix: ['keep `storage: true` in only one of these versions'],
    });
  }
  return storage ?? only;
}

/** Reports two kinds of a group with the same plural, because both would have the same CustomResourceDefinition name. */
function checkPlurals(findings: FindingList, kinds: readonly CustomKind[]): void {
  const taken = new Map<string, KindVersion>();
  for (const {
    versions: [kind],
  } of kinds) {
    const { group, plural } = kind;
    const id = `${plural.value}.${group.value}`;
    const other = taken.get(id);
    if (other === undefined) taken.set(id, kind);
    else
      findings.add({
        code: 'manifests/name-taken',
        message: `the plural '${plural.value}' of ${kind.kind.value} is the plural of ${other.kind.value} in the same group ${group.value} (${formatWhere(other.plural.place)})`,
        where: plural.place,
        fix: [`give ${kind.kind.value} another \`plural\``],
      });
  }
}

const names = ['conversion', 'labels', 'annotations', 'versionOrder'] as const;

/**
 * Collects the settings that belong to the kind and not to a single version. Each is declared in one version, or equally in several
 * versions.
 */
function sharedParts(findings: FindingList, versions: readonly KindVersion[]): SharedParts {
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

/** Serializes the value without source places and with sorted keys. */
function content({ value }: Placed<unknown>): string {
  return JSON.stringify(value, (key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    if ('place' in part && 'value' in part) return part.value;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function invalidOrder(message: string, where: KindVersion['place'], fix: string): Finding {
  return { code: 'manifests/version-order', message, where, fix: [fix] };
}

/** Returns the versions of a kind in the order of `versionOrder`, which must name each version exactly once. */
function inOrder<V extends KindVersion>(
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
