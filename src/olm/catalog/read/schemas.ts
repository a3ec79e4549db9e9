import { list, object, string, unchecked } from '../../../base/util/json-reader.ts';
import { csvMetadataReader } from './csv-metadata-reader.ts';

/**
 * Options for reading a catalogue's documents as opm does: unknown fields are ignored, and missing fields count as empty. Source:
 * operator-registry `alpha/declcfg/declcfg.go`.
 */
const open = { others: 'ignore' } as const;

/** Reader for the properties of a document: a list of entries, each with a type and a value. */
const properties = list(object({ type: string, value: unchecked }, open));

/** Reader for documents of the schema `olm.package`. The readers for the other schemas follow below. */
export const packageReader = object(
  {
    name: string,
    defaultChannel: string,
    description: string,
    icon: object({ base64data: string, mediatype: string }, open),
    properties,
  },
  open,
);
export const channelReader = object(
  {
    name: string,
    package: string,
    entries: list(object({ name: string, replaces: string, skips: list(string), skipRange: string }, open)),
    properties,
  },
  open,
);
export const bundleReader = object(
  {
    name: string,
    package: string,
    image: string,
    properties,
    relatedImages: list(object({ name: string, image: string }, open)),
  },
  open,
);
export const deprecationsReader = object(
  {
    package: string,
    entries: list(
      object({ reference: object({ schema: string, name: string }, open), message: string }, open),
    ),
  },
  open,
);

const kind = object({ group: string, kind: string, version: string }, open);

/** Readers for the values of properties whose types operator-framework defines. Source: operator-registry `alpha/property/property.go`. */
export const propertyValues = {
  'olm.package': object({ packageName: string, version: string, release: string }, open),
  'olm.package.required': object({ packageName: string, versionRange: string }, open),
  'olm.gvk': kind,
  'olm.gvk.required': kind,
  'olm.bundle.object': object({ data: string }, open),
  'olm.csv.metadata': csvMetadataReader,
  'olm.channel': object({ channelName: string }, open),
} as const;
