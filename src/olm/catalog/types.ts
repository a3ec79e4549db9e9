import type { Finding } from '../../base/errors/index.ts';
import type { JsonPath } from '../../base/util/read-json.ts';

/**
 * Location of a catalogue document in its file. It allows line numbers to be looked up later, without keeping the document's text in
 * memory.
 */
export interface DocumentSource {
  /** Absolute path of the file. */
  readonly path: string;
  /** Path of the file as it appears in findings. */
  readonly file: string;
  /** Offset of the document in the file, in bytes. */
  readonly start: number;
  readonly length: number;
  /** Line of the file on which the document begins; the first line is 1. */
  readonly line: number;
}

/** Location of a finding: a document, and the path of a field in it. For a missing field, the location of its parent is used. */
export type CatalogPlace = readonly [DocumentSource, JsonPath];

/** Fields common to all documents of a catalogue. */
export interface CatalogItem {
  readonly source: DocumentSource;
}

/** A document of the schema `olm.package`. */
export interface CatalogPackage extends CatalogItem {
  readonly name: string;
  readonly defaultChannel: string;
}

/** One version of a channel. `replaces`, `skips` and `skipRange` name the versions that OLM updates to it. */
export interface ChannelEntry {
  /** Name of the bundle. */
  readonly name: string;
  readonly replaces: string;
  readonly skips: readonly string[];
  readonly skipRange: string;
}

/** A document of the schema `olm.channel`. */
export interface CatalogChannel extends CatalogItem {
  readonly name: string;
  readonly packageName: string;
  readonly entries: readonly ChannelEntry[];
}

/** A document of the schema `olm.bundle`, reduced to the fields that the rules in `rules/` need. */
export interface CatalogBundle extends CatalogItem {
  readonly name: string;
  readonly packageName: string;
  readonly image: string;
  /** Version in the property `olm.package`; `''` if the property is missing. */
  readonly version: string;
  /** Release of the bundle, in the format of a pre-release. */
  readonly release: string;
}

/** A deprecated package, channel or bundle. */
export interface DeprecationEntry {
  readonly schema: string;
  readonly name: string;
  readonly message: string;
}

/** A document of the schema `olm.deprecations`. */
export interface CatalogDeprecations extends CatalogItem {
  readonly packageName: string;
  readonly entries: readonly DeprecationEntry[];
}

/** A file-based catalogue, reduced to the data that the rules need. All lists are in the order in which the documents were read. */
export interface Catalog {
  readonly packages: readonly CatalogPackage[];
  readonly channels: readonly CatalogChannel[];
  readonly bundles: readonly CatalogBundle[];
  readonly deprecations: readonly CatalogDeprecations[];
  /** Number of documents with custom schemas, to which no rules apply. */
  readonly others: number;
  /** Warnings for documents with an unknown schema that resembles one of OLM. */
  readonly unknown: readonly Finding[];
}

/**
 * Limits for reading a catalogue. They are several times the size of operator-framework's largest catalogues, but allow a catalogue to be
 * read within 300 MB of memory.
 */
export const catalogLimits = {
  /** Maximum size of all files together, in bytes. */
  bytes: 256 * 1024 * 1024,
  documentBytes: 8 * 1024 * 1024,
  /** Maximum number of values (scalars, lists and mappings) in one document. */
  documentValues: 100_000,
  /** Maximum number of values in all YAML documents together. The limit exists because YAML is read far more slowly than JSON. */
  values: 4_000_000,
  documents: 50_000,
  files: 20_000,
  /** Maximum number of entries in all channels together. */
  entries: 50_000,
  /** Maximum number of entries in one channel. The entries of a channel are compared with one another. */
  channelEntries: 2000,
} as const;

/** Label of a catalogue image. Its value is the folder of the catalogue in the image. Source: operator-registry `pkg/containertools`. */
export const configsLabel = 'operators.operatorframework.io.index.configs.v1';
