import type { CatalogFindings } from '../findings.ts';
import type { Catalog, CatalogDeprecations, DeprecationEntry } from '../types.ts';
import type { WholePackage } from './packages-of.ts';

/** Checks that whatever is deprecated exists, once, with a message. */
export function checkDeprecations(
  { deprecations }: Catalog,
  packages: ReadonlyMap<string, WholePackage>,
  findings: CatalogFindings,
): void {
  const known = new Set<string>();
  for (const document of deprecations) {
    const { source, packageName } = document;
    const own = packages.get(packageName);
    if (own === undefined)
      findings.add(
        'catalog/unknown-package',
        [source, ['package']],
        packageName === ''
          ? 'the deprecations name no package'
          : `the deprecations: unknown package ${JSON.stringify(packageName)}`,
        'write the name of a package of this catalogue',
      );
    else if (known.has(packageName))
      findings.add(
        'catalog/duplicate',
        [source, ['package']],
        `the package ${packageName} has deprecations already`,
        'move the entries into one document',
      );
    else checkEntries(document, own, findings);
    known.add(packageName);
  }
}

function checkEntries(
  { source, entries }: CatalogDeprecations,
  own: WholePackage,
  findings: CatalogFindings,
): void {
  const known = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const key = JSON.stringify([entry.schema, entry.name]);
    const problem = known.has(key)
      ? ([['reference'], 'it is deprecated twice', 'remove one of the entries'] as const)
      : problemOf(entry, own);
    known.add(key);
    if (problem === undefined) continue;
    const [path, message, fix] = problem;
    findings.add(
      'catalog/invalid-deprecation',
      [source, ['entries', index, ...path]],
      `entries[${index}]: ${message}`,
      fix,
    );
  }
}

type Problem = readonly [path: readonly string[], message: string, fix: string];

function problemOf({ schema, name, message }: DeprecationEntry, own: WholePackage): Problem | undefined {
  const path = ['reference', 'name'];
  const known: Readonly<Record<string, boolean>> = {
    'olm.package': name === '',
    'olm.channel': own.channels.has(name),
    'olm.bundle': own.bundles.has(name),
  };
  if (!Object.hasOwn(known, schema)) {
    const schemas = Object.keys(known).join(', ');
    return [
      ['reference', 'schema'],
      `expected one of the schemas ${schemas}, got ${JSON.stringify(schema)}`,
      `write one of ${schemas}`,
    ];
  }
  if (known[schema] !== true) {
    if (schema === 'olm.package')
      return [
        path,
        `a deprecated package is named by package alone, got ${JSON.stringify(name)}`,
        'remove name',
      ];
    const what = schema === 'olm.channel' ? 'channel' : 'bundle';
    return [path, `unknown ${what} ${JSON.stringify(name)}`, `write the name of a ${what} of the package`];
  }
  return message === '' ? [['message'], 'the message is missing', 'write what to use instead'] : undefined;
}
