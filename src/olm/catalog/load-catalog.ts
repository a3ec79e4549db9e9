import { OpSdkError } from '../../base/errors/index.ts';
import type { Place } from '../../images/index.ts';
import { CatalogFindings } from './findings.ts';
import { readCatalog } from './read/read-catalog.ts';
import { packagesOf, type WholePackage } from './rules/packages-of.ts';

/**
 * The packages of a catalogue, by their names, whatever its documents say of one another.
 * @throws OpSdkError with all findings about single documents
 */
export async function loadCatalog(place: Place): Promise<ReadonlyMap<string, WholePackage>> {
  const findings = new CatalogFindings();
  const catalog = await readCatalog(place, findings);
  const all = await findings.finish();
  if (all.length > 0) throw new OpSdkError(all);
  // A template, or nothing but slips: an empty list of packages would say that there are none.
  if (catalog.packages.length === 0 && catalog.unknown.length > 0)
    throw new OpSdkError(catalog.unknown.map((finding) => ({ ...finding, code: 'catalog/not-renderable' })));
  return packagesOf(catalog);
}
