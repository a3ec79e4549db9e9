import type { Finding, FindingList } from '../../errors/index.ts';
import { formatWhere } from '../../errors/format.ts';
import type { Placed } from '../read-value.ts';
import { checkApproval } from './check-approval.ts';
import { inOrder } from './check-order.ts';
import type { KindVersion, SharedParts } from './kind-version.ts';
import { sharedParts } from './shared-parts.ts';

/** All versions of one kind, in the order in which the CRD lists them. */
export interface CustomKind<V extends KindVersion = KindVersion> extends SharedParts {
  readonly versions: readonly [V, ...V[]];
  readonly storage: V;
}

/**
 * Puts the versions of each kind together and checks what no declaration can see alone: one declaration per version,
 * one storage version, the same names in all versions, names that no other kind of the group has.
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
      compareText(a.version.value, b.version.value),
    );
    checkDuplicates(findings, versions);
    checkAgreement(findings, versions);
    const [first, ...rest] = versions;
    // A list of the map above always has a first element.
    if (first === undefined) throw new TypeError(`no version of ${id}`);
    const named = [first, ...rest] as const;
    const shared = sharedParts(findings, named);
    checkApproval(findings, first, shared);
    return {
      ...shared,
      versions: inOrder(findings, named, shared.versionOrder),
      storage: storageVersion(findings, named),
    };
  });
  checkTakenNames(findings, kinds);
  return kinds;
}

/** Orders text by code units, the same everywhere. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function checkDuplicates(findings: FindingList, versions: readonly KindVersion[]): void {
  for (const [index, declared] of versions.entries()) {
    const earlier = versions[index - 1];
    if (earlier?.version.value !== declared.version.value) continue;
    const name = `${declared.group.value}/${declared.version.value} ${declared.kind.value}`;
    findings.add({
      code: 'manifests/duplicate-version',
      message: `${name} is declared twice, the first time at ${formatWhere(earlier.place)}`,
      where: declared.place,
      fix: ['remove one of the two, or give it another version'],
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
  const [only, second] = versions;
  const kind = only.kind.value;
  if (second === undefined) {
    if (only.storage?.value === false) {
      findings.add({
        code: 'manifests/storage-version',
        message: `${kind} has one version, ${only.version.value}, and that says it is not stored`,
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
      code: 'manifests/storage-version',
      message: `none of the versions of ${kind} is the storage version (${places})`,
      where: only.place,
      fix: ['write `storage: true` in the version that objects are to be stored in'],
    });
  } else if (extra !== undefined) {
    const places = stored
      .map((version) => `${version.version.value} at ${formatWhere(version.storage?.place ?? version.place)}`)
      .join(', ');
    findings.add({
      code: 'manifests/storage-version',
      message: `${kind} has ${stored.length} storage versions: ${places}`,
      where: extra.storage?.place ?? extra.place,
      fix: ['leave `storage: true` in one of them only'],
    });
  }
  return storage ?? only;
}

/**
 * Names that two kinds of a group share. The server would accept the second CRD and never establish it.
 * Source: apiextensions `pkg/controller/status/naming_controller.go`: plural, singular and short names are one space, kind and list kind another.
 */
function checkTakenNames(findings: FindingList, kinds: readonly CustomKind[]): void {
  const taken = new Map<
    string,
    { readonly what: string; readonly name: Placed<string>; readonly kind: KindVersion }
  >();
  for (const {
    versions: [kind],
  } of kinds) {
    const names: readonly (readonly [string, string, Placed<string>])[] = [
      ['resource', 'plural', kind.plural],
      ['resource', 'singular', kind.singular],
      ...kind.shortNames.map((name) => ['resource', 'short name', name] as const),
      ['kind', 'kind', kind.kind],
      ['kind', 'list kind', kind.listKind],
    ];
    for (const [space, what, name] of names) {
      const id = `${kind.group.value} ${space} ${name.value}`;
      const other = taken.get(id);
      if (other === undefined) taken.set(id, { what, name, kind });
      else if (other.kind !== kind) findings.add(nameTaken(kind, what, name, other));
    }
  }
}

function nameTaken(
  kind: KindVersion,
  what: string,
  name: Placed<string>,
  other: { readonly what: string; readonly name: Placed<string>; readonly kind: KindVersion },
): Finding {
  const fixable = what === 'list kind' ? 'listKind' : what === 'short name' ? 'shortNames' : what;
  return {
    code: 'manifests/name-taken',
    message: `the ${what} '${name.value}' of ${kind.kind.value} is the ${other.what} of ${other.kind.kind.value} in the same group ${kind.group.value} (${formatWhere(other.name.place)})`,
    where: name.place,
    fix: [`give ${kind.kind.value} another \`${fixable}\``],
  };
}
