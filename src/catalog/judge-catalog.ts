import { severityOf, type Finding } from '../errors/index.ts';
import type { Place } from '../oci/index.ts';
import { CatalogFindings } from './findings.ts';
import { readCatalog } from './read/read-catalog.ts';
import { checkCatalog } from './rules/check-catalog.ts';
import type { Catalog } from './types.ts';

/** What is to be said of a catalogue. */
export interface CatalogVerdict {
  readonly catalog: Catalog;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/**
 * Reads a catalogue and checks it.
 * @param place a folder, or one file
 * @throws OpSdkError for what is not a catalogue at all, or too large for one
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
  checkCatalog(catalog, findings);
  const all = await findings.finish();
  const isWarning = ({ code }: Finding): boolean => severityOf(code) === 'warning';
  return {
    catalog,
    errors: all.filter((finding) => !isWarning(finding)),
    warnings: all.filter(isWarning),
  };
}
