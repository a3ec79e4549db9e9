import type { Finding } from '../../base/errors/index.ts';
import type { JsonPath } from '../../base/util/read-json.ts';

/** Location of a document of a catalogue, from which places in it can be looked up without keeping its text. */
export interface DocumentSource {
  /** Absolute path of the file. */
  readonly path: string;
  /** Path of the file as it appears in findings. */
  readonly file: string;
  /** Start of the document in the file, in bytes. */
  readonly start: number;
  readonly length: number;
  /** Line of the file on which the document begins, counted from 1. */
  readonly line: number;
}

/** Location of a finding in a document. For a missing field, the place of its parent is used. */
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

/** One version of a channel, with the versions that OLM updates to it. */
export interface ChannelEntry {
  /** Name of the entry's bundle. */
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

/** A document of the schema `olm.bundle`, reduced to the fields that the rules need. */
export interface CatalogBundle extends CatalogItem {
  readonly name: string;
  readonly packageName: string;
  readonly image: string;
  /** Version in the property `olm.package`; `''` if the property is missing. */
  readonly version: string;
  /** Release of the version, in the format of a pre-release. */
  readonly release: string;
}

/** Subject of a deprecation. */
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

/** A file-based catalogue in the form that the rules use. All documents are in the order of the files. */
export interface Catalog {
  readonly packages: readonly CatalogPackage[];
  readonly channels: readonly CatalogChannel[];
  readonly bundles: readonly CatalogBundle[];
  readonly deprecations: readonly CatalogDeprecations[];
  /** Number of documents of other schemas, to which no rules apply. */
  readonly others: number;
  /** Warnings for documents with an unknown schema that resembles one of OLM. */
  readonly unknown: readonly Finding[];
}

/**
 * Limits for reading a catalogue: several times the size of operator-framework's largest ones, and small enough to be read within 300 MB of
 * memory.
 */
export const catalogLimits = {
  /** Bytes of all files. */
  bytes: 256 * 1024 * 1024,
  documentBytes: 8 * 1024 * 1024,
  /** Scalars, lists and mappings of one document. */
  documentValues: 100_000,
  /** Values of all documents in YAML, which is read far more slowly than JSON. */
  values: 4_000_000,
  documents: 50_000,
  files: 20_000,
  /** Entries of all channels. */
  entries: 50_000,
  /** Entries of one channel; they are compared with one another. */
  channelEntries: 2000,
} as const;

/** The label of an image that names the folder of its catalogue. Source: operator-registry `pkg/containertools`. */
export const configsLabel = 'operators.operatorframework.io.index.configs.v1';
