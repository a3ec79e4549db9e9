import type { Catalog, CatalogBundle, CatalogChannel, CatalogPackage } from '../types.ts';

/** A package with all that belongs to it. Of things that are there twice, the first. */
export interface WholePackage {
  readonly definition: CatalogPackage;
  readonly channels: ReadonlyMap<string, CatalogChannel>;
  readonly bundles: ReadonlyMap<string, CatalogBundle>;
}

/** The packages of a catalogue, by their names. What belongs to a package that is not there is left out. */
export function packagesOf({ packages, channels, bundles }: Catalog): ReadonlyMap<string, WholePackage> {
  const all = new Map<
    string,
    WholePackage & {
      readonly channels: Map<string, CatalogChannel>;
      readonly bundles: Map<string, CatalogBundle>;
    }
  >();
  for (const definition of packages)
    if (!all.has(definition.name))
      all.set(definition.name, { definition, channels: new Map(), bundles: new Map() });
  for (const channel of channels) {
    const own = all.get(channel.packageName)?.channels;
    if (own !== undefined && !own.has(channel.name)) own.set(channel.name, channel);
  }
  for (const bundle of bundles) {
    const own = all.get(bundle.packageName)?.bundles;
    if (own !== undefined && !own.has(bundle.name)) own.set(bundle.name, bundle);
  }
  return all;
}
