import type { CatalogFindings } from '../findings.ts';
import type { Catalog } from '../types.ts';
import { checkEntries } from './check-entries.ts';
import { checkDeprecations } from './check-deprecations.ts';
import { checkCatalogNames } from './check-catalog-names.ts';
import { checkReferences } from './check-references.ts';
import { packagesOf } from './packages-of.ts';

/**
 * Checks what the documents of a catalogue say of one another, by the rules of `opm validate`, and the updates of each channel.
 * Source: operator-registry `alpha/declcfg/declcfg_to_model.go`, `alpha/model/model.go`.
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
