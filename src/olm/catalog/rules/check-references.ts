import type { CatalogFindings } from '../findings.ts';
import type { CatalogBundle } from '../types.ts';
import type { WholePackage } from './packages-of.ts';

/** Checks the references between the channels and bundles of a package. */
export function checkReferences(known: WholePackage, findings: CatalogFindings): void {
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

/** No two bundles of a package that are in channels have the same version. */
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
