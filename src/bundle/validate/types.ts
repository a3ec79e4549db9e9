import type { FindingCode } from '../../errors/index.ts';
import type { YamlDocument } from '../../yaml/index.ts';
import type { JsonMap } from '../../util/json-map.ts';

/** The keys and indices that lead to a value. */
export type FieldPath = readonly (string | number)[];

/** A place that findings name: a whole file or folder. */
export interface PlacedFile {
  /** As findings name it, relative to the folder in which the command runs. */
  readonly file: string;
}

/** A YAML document and the way back to the lines that it was written on. */
export interface PlacedDocument extends PlacedFile {
  readonly value: JsonMap;
  /** Reads the file's documents again, for places: what a document holds is kept, its syntax tree is not. */
  reread(): YamlDocument;
}

/** An object of `manifests/`. Its fields may be anything; the three named here are `''` if they are no text. */
export interface BundleObject extends PlacedDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** A bundle as it was read: what could not be read has been reported and is absent. */
export interface LoadedBundle {
  /** Absolute path. */
  readonly path: string;
  /** The folder as findings name it. */
  readonly dir: string;
  /** All objects of `manifests/`, the CSV and the CRDs among them, in the order of their files. */
  readonly objects: readonly BundleObject[];
  /** The ClusterServiceVersion; undefined too if there are several. */
  readonly csv: BundleObject | undefined;
  /** The CustomResourceDefinitions, also those of versions that are gone. */
  readonly crds: readonly BundleObject[];
  /** The file of `metadata/` that has `annotations`. */
  readonly annotations: PlacedDocument | undefined;
  /** The files of `metadata/` that have `dependencies` and `properties`. */
  readonly dependencies: PlacedDocument | undefined;
  readonly properties: PlacedDocument | undefined;
  /** False if something in `manifests/` could not be read, so that nothing can be said about what is missing. */
  readonly complete: boolean;
}

/** Takes what the rules find. A path that does not exist gives the place of the nearest thing that contains it. */
export type Complain = (
  code: FindingCode,
  place: PlacedFile | readonly [PlacedDocument, FieldPath],
  message: string,
  ...fix: readonly string[]
) => void;

export interface Report {
  readonly error: Complain;
  readonly warn: Complain;
}

/** One rule, or several about one thing. */
export type Check = (bundle: LoadedBundle, report: Report) => void;
