import { label1123Problem } from '../../../kubernetes/crd/names.ts';
import type { CatalogFindings } from '../findings.ts';
import type { Catalog, CatalogItem, DocumentSource } from '../types.ts';

/** The names of packages, channels and bundles: each is there, once, and in a package of the catalogue. */
export function checkCatalogNames({ packages, channels, bundles }: Catalog, findings: CatalogFindings): void {
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
