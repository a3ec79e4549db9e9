import type { CatalogFindings } from '../findings.ts';
import {
  type Catalog,
  type CatalogChannel,
  type CatalogItem,
  type DocumentSource,
  type CatalogBundle,
  catalogLimits,
} from '../types.ts';
import { channelGraph } from '../graph/channel-graph.ts';
import { checkUpdates } from '../graph/check-updates.ts';
import { parseVersionRange } from '../versions/range.ts';
import { label1123Problem } from '../../../kubernetes/objects/index.ts';
import { checkDeprecations, packagesOf, type WholePackage } from './check-deprecations.ts';

/**
 * Checks a catalogue by the rules of `opm validate`: the references between its documents, and the updates of each channel. Source:
 * operator-registry `alpha/declcfg/declcfg_to_model.go`, `alpha/model/model.go`.
 */
export function checkCatalog(catalog: Catalog, findings: CatalogFindings): void {
  checkCatalogNames(catalog, findings);
  const packages = packagesOf(catalog);
  for (const known of packages.values()) {
    checkReferences(known, findings);
    for (const channel of known.channels.values()) {
      if (findings.isFull) return;
      checkEntries(channel, known, findings);
    }
  }
  checkDeprecations(catalog, packages, findings);
}

/** Checks the entries of a channel and the updates between the entries. */
function checkEntries(channel: CatalogChannel, known: WholePackage, findings: CatalogFindings): void {
  const { source, name, entries } = channel;
  if (entries.length > catalogLimits.channelEntries) {
    findings.addAll([
      {
        code: 'io/too-large',
        message: `the channel ${name} has ${entries.length} entries; up to ${catalogLimits.channelEntries} are read`,
        where: { file: source.file, line: source.line, column: 1 },
        fix: ['split the channel, or remove old entries'],
      },
    ]);
    return;
  }
  const names = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const at = (...path: readonly (string | number)[]) => [source, ['entries', index, ...path]] as const;
    if (entry.name === '')
      findings.add(
        'catalog/missing-name',
        at(),
        `entries[${index}] of the channel ${name} has no name`,
        'write the name of a bundle',
      );
    else if (names.has(entry.name))
      findings.add(
        'catalog/duplicate',
        at('name'),
        `the channel ${name} has the entry ${entry.name} twice`,
        'remove one of them',
      );
    names.add(entry.name);
    const empty = entry.skips.indexOf('');
    if (empty !== -1)
      findings.add(
        'catalog/invalid-skip',
        at('skips', empty),
        `skips[${empty}] of ${entry.name} is empty`,
        'remove it',
      );
    if (entry.skipRange !== '' && parseVersionRange(entry.skipRange) === undefined)
      findings.add(
        'catalog/invalid-skip',
        at('skipRange'),
        `the skipRange ${JSON.stringify(entry.skipRange)} of ${entry.name} is not a range of versions`,
        'write a range such as ">=1.2.0 <2.0.0"',
      );
  }
  // Skip channels with duplicate entries. These have already been reported, and would make the graph ambiguous.
  if (entries.length > 0 && names.size === entries.length)
    checkUpdates(channelGraph(channel, known.bundles), findings);
}

/**
 * Checks that packages, channels and bundles have unique names, and that the catalogue contains every package that a channel or bundle
 * names.
 */
function checkCatalogNames({ packages, channels, bundles }: Catalog, findings: CatalogFindings): void {
  for (const { source, name } of packages) {
    const problem = label1123Problem(name);
    if (problem !== undefined)
      findings.add(
        'catalog/package-name',
        [source, ['name']],
        `the package name ${JSON.stringify(name)} is not valid: ${problem}`,
        'write lower-case letters, digits and dashes',
      );
  }
  checkUnique(packages, ({ name }) => name, 'package', findings);
  const known = new Set(packages.map(({ name }) => name));
  for (const { source, name, packageName } of channels) {
    if (name === '')
      findings.add(
        'catalog/missing-name',
        [source, ['name']],
        `a channel of the package ${JSON.stringify(packageName)} has no name`,
        'write name',
      );
    checkPackage(source, `the channel ${JSON.stringify(name)}`, packageName, known, findings);
  }
  checkUnique(channels, ({ packageName, name }) => `${packageName}/${name}`, 'channel', findings);
  for (const { source, name, packageName } of bundles)
    checkPackage(source, `the bundle ${JSON.stringify(name)}`, packageName, known, findings);
  checkUnique(bundles, ({ packageName, name }) => `${packageName}/${name}`, 'bundle', findings);
}

function checkPackage(
  source: DocumentSource,
  what: string,
  packageName: string,
  known: ReadonlySet<string>,
  findings: CatalogFindings,
): void {
  if (known.has(packageName)) return;
  const message =
    packageName === ''
      ? `${what} names no package`
      : `${what}: unknown package ${JSON.stringify(packageName)}`;
  const fix =
    packageName === '' ? 'write package' : `add a document with schema: olm.package and name: ${packageName}`;
  findings.add('catalog/unknown-package', [source, ['package']], message, fix);
}

function checkUnique<T extends CatalogItem>(
  items: readonly T[],
  key: (item: T) => string,
  what: string,
  findings: CatalogFindings,
): void {
  const known = new Map<string, T>();
  for (const item of items) {
    const before = known.get(key(item));
    if (before === undefined) {
      known.set(key(item), item);
      continue;
    }
    const { file, line } = before.source;
    findings.add(
      'catalog/duplicate',
      [item.source, ['name']],
      `the ${what} ${key(item)} is in the catalogue already, at ${file}:${line}`,
      'remove one of them',
    );
  }
}

/** Checks the references between the channels and bundles of a package. */
function checkReferences(known: WholePackage, findings: CatalogFindings): void {
  checkDefaultChannel(known, findings);
  const entered = new Set<string>();
  for (const { source, name, entries } of known.channels.values()) {
    if (entries.length === 0)
      findings.add(
        'catalog/empty-channel',
        [source, ['entries']],
        `the channel ${name} has no entries`,
        'add the entry of a bundle, or remove the channel',
      );
    for (const [index, entry] of entries.entries()) {
      entered.add(entry.name);
      if (known.bundles.has(entry.name)) continue;
      findings.add(
        'catalog/entry-without-bundle',
        [source, ['entries', index]],
        `the channel ${name} has the entry ${JSON.stringify(entry.name)}, but the package has no bundle of that name`,
        'add the bundle: op-sdk catalog add',
        'or remove the entry',
      );
    }
  }
  for (const { source, name } of known.bundles.values()) {
    if (entered.has(name)) continue;
    findings.add(
      'catalog/bundle-not-in-channel',
      [source, ['name']],
      `the bundle ${name} is in no channel of its package`,
      'add an entry to a channel, or remove the bundle',
    );
  }
  checkVersions(
    [...known.bundles.values()].filter(({ name }) => entered.has(name)),
    findings,
  );
}

function checkDefaultChannel({ definition, channels }: WholePackage, findings: CatalogFindings): void {
  const { source, name, defaultChannel } = definition;
  const names = [...channels.keys()];
  if (names.length === 0)
    findings.add(
      'catalog/no-channel',
      [source, []],
      `the package ${name} has no channel`,
      `add a document with schema: olm.channel and package: ${name}`,
    );
  if (defaultChannel !== '' && (names.length === 0 || channels.has(defaultChannel))) return;
  const message =
    defaultChannel === ''
      ? `the package ${name} has no default channel`
      : `the default channel ${JSON.stringify(defaultChannel)} of the package ${name} is not one of its channels`;
  findings.add(
    'catalog/default-channel',
    [source, ['defaultChannel']],
    message,
    names.length === 0 ? 'write defaultChannel' : `write one of ${names.slice(0, 10).join(', ')}`,
  );
}

/** Checks that no two of a package's bundles that are in channels have the same version. */
function checkVersions(bundles: readonly CatalogBundle[], findings: CatalogFindings): void {
  const known = new Map<string, CatalogBundle>();
  for (const bundle of bundles) {
    const { version, release, name, source } = bundle;
    if (version === '') continue;
    const whole = release === '' ? version : `${version}-${release}`;
    const before = known.get(whole);
    if (before === undefined) {
      known.set(whole, bundle);
      continue;
    }
    findings.add(
      'catalog/duplicate-version',
      [source, ['properties']],
      `the bundles ${before.name} and ${name} both have the version ${whole}`,
      'give each bundle a version of its own, or remove one of them',
    );
  }
}
