import { jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import { packageProperty, type BundleProperty } from '../read/package-property.ts';
import type { Catalog, CatalogChannel, ChannelEntry, DocumentSource } from '../types.ts';

/** A catalogue before anything is in it. */
export const nothingYet: Catalog = {
  packages: [],
  channels: [],
  bundles: [],
  deprecations: [],
  unknown: [],
  others: 0,
};

interface Added {
  readonly fresh: readonly JsonMap[];
  /** Channels that get the entry. */
  readonly edited: readonly CatalogChannel[];
  readonly entry: ChannelEntry;
  /** The file of the new documents. */
  readonly file: Pick<DocumentSource, 'path' | 'file'>;
}

/** A catalogue as it is with more documents and entries. */
export function withAddition(catalog: Catalog, { fresh, edited, entry, file }: Added): Catalog {
  const source: DocumentSource = { ...file, start: 0, length: 0, line: 1 };
  const all = (schema: string): readonly JsonMap[] =>
    fresh.filter((document) => document['schema'] === schema);
  return {
    ...catalog,
    packages: [
      ...catalog.packages,
      ...all('olm.package').map((document) => ({
        source,
        name: jsonTextOf(document['name']),
        defaultChannel: jsonTextOf(document['defaultChannel']),
      })),
    ],
    channels: [
      ...catalog.channels.map((channel) =>
        edited.includes(channel) ? { ...channel, entries: [...channel.entries, entry] } : channel,
      ),
      ...all('olm.channel').map((document) => ({
        source,
        name: jsonTextOf(document['name']),
        packageName: jsonTextOf(document['package']),
        entries: [entry],
      })),
    ],
    bundles: [
      ...catalog.bundles,
      ...all('olm.bundle').map((document) => {
        const properties = jsonListOf(document['properties']).map(jsonMapOf) as readonly BundleProperty[];
        const { version = '', release = '' } = packageProperty(properties) ?? {};
        return {
          ...{ source, version, release },
          name: jsonTextOf(document['name']),
          packageName: jsonTextOf(document['package']),
          image: jsonTextOf(document['image']),
        };
      }),
    ],
  };
}
