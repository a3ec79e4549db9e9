import { OpSdkError, severityOf, type Finding } from '../../base/errors/index.ts';
import type { Place } from '../../images/index.ts';
import { CatalogFindings } from './findings.ts';
import { readCatalog } from './read/read-catalog.ts';
import { checkCatalog } from './rules/check-catalog.ts';
import type { Catalog } from './types.ts';
import { packagesOf, type WholePackage } from './rules/check-deprecations.ts';

interface CatalogVerdict {
  readonly catalog: Catalog;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/**
 * Reads a catalogue and checks it. Returns its errors and warnings.
 * @param place a folder, or one file
 * @throws OpSdkError if the input is not a catalogue, or is too large
 */
export async function judgeCatalog(place: Place): Promise<CatalogVerdict> {
  const findings = new CatalogFindings();
  const catalog = await readCatalog(place, findings);
  const { packages, channels, bundles, deprecations, others } = catalog;
  if (packages.length + channels.length + bundles.length + deprecations.length + others === 0)
    findings.addAll([
      {
        code: 'catalog/empty',
        message: `${place.shown} holds no documents of a catalogue`,
        where: { file: place.shown },
        fix: ['name the folder or the file of a catalogue', 'create one: op-sdk catalog add BUNDLE'],
      },
    ]);
  else if (packages.length === 0)
    findings.addAll([
      {
        code: 'catalog/no-package',
        message: `${place.shown} holds no package: expected a document of the schema olm.package`,
        where: { file: place.shown },
        fix: ['name the folder or the file of a catalogue', 'render a template: op-sdk catalog render FILE'],
      },
    ]);
  findings.addAll(catalog.unknown);
  checkCatalog(catalog, findings);
  const all = await findings.finish();
  const isWarning = ({ code }: Finding): boolean => severityOf(code) === 'warning';
  return {
    catalog,
    errors: all.filter((finding) => !isWarning(finding)),
    warnings: all.filter(isWarning),
  };
}

/**
 * Returns the error for a catalogue without packages. The caller refuses such a catalogue, so that it does not replace a catalogue with
 * packages.
 */
export function noPackages(shown: string, warnings: readonly Finding[]): OpSdkError {
  const reasons = warnings.filter(({ code }) => code === 'catalog/unknown-schema');
  return new OpSdkError([
    {
      code: 'catalog/empty',
      message: `${shown} holds no package: OLM would find nothing in its image`,
      where: { file: shown },
      fix: ['add a bundle: op-sdk catalog add BUNDLE', 'render a template: op-sdk catalog render FILE'],
    },
    ...reasons,
  ]);
}

/**
 * Returns the packages of a catalogue by name. Each document is checked, but references between documents are not.
 * @throws OpSdkError with all findings about single documents
 */
export async function loadCatalog(place: Place): Promise<ReadonlyMap<string, WholePackage>> {
  const findings = new CatalogFindings();
  const catalog = await readCatalog(place, findings);
  const all = await findings.finish();
  if (all.length > 0) throw new OpSdkError(all);
  // The input is a template, or a catalogue in which all schemas are misspelt. Returning an empty result would wrongly suggest a catalogue
  // without packages.
  if (catalog.packages.length === 0 && catalog.unknown.length > 0)
    throw new OpSdkError(catalog.unknown.map((finding) => ({ ...finding, code: 'catalog/not-renderable' })));
  return packagesOf(catalog);
}
