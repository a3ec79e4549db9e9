import type { FindingCode } from '../../../base/errors/index.ts';
import type { Platform } from '../../../images/index.ts';
import type { JsonMap } from '../../../base/util/json-map.ts';
import type { YamlDocument } from '../../../kubernetes/yaml/index.ts';
import type { ValidatorName } from './rules/validators.ts';

/** Keys and indices that lead from the root of a document to a value. */
export type FieldPath = readonly (string | number)[];

/** Location of a finding: a file or folder, or a line of a file. */
export interface PlacedFile {
  /** Path as shown in findings, relative to the folder in which the command runs. */
  readonly file: string;
  readonly line?: number;
  /** Column in the line. Default: 1. */
  readonly column?: number;
}

/** A YAML document with its location. The line numbers of its values can be looked up. */
export interface PlacedDocument extends PlacedFile {
  readonly value: JsonMap;
  /**
   * Parses the text of the document again to obtain the line numbers of values. This is needed because only the values are kept in memory.
   */
  readonly reread: () => YamlDocument;
}

/**
 * An object in a file of `manifests/`. Its fields are not checked and may have any value; `apiVersion`, `kind` and `name` are `''` if their
 * values are not text.
 */
export interface BundleObject extends PlacedDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** A bundle that has been read. It lacks files that could not be read; these have already been reported. */
export interface LoadedBundle {
  /** Absolute path of the bundle's folder. */
  readonly path: string;
  /** Path of the bundle's folder as it appears in findings. */
  readonly dir: string;
  /** All objects of `manifests/`, including the ClusterServiceVersion and the CRDs, in the order of their files. */
  readonly objects: readonly BundleObject[];
  /** The ClusterServiceVersion of the bundle; undefined if the bundle has none or several. */
  readonly csv: BundleObject | undefined;
  /** The CustomResourceDefinitions of the bundle, including those in removed API versions. */
  readonly crds: readonly BundleObject[];
  /** The file of `metadata/` that contains the field `annotations`. */
  readonly annotations: PlacedDocument | undefined;
  /** The files of `metadata/` that contain the field `dependencies` or the field `properties`. */
  readonly dependencies: PlacedDocument | undefined;
  readonly properties: PlacedDocument | undefined;
  /** All YAML files of `metadata/`. */
  readonly metadata: readonly MetadataFile[];
  /**
   * False if a file of `manifests/` could not be read. Checks must then not report an object as missing, because the object may be in the
   * unreadable file.
   */
  readonly complete: boolean;
}

/** A file of `metadata/`, with the number of YAML documents in it. */
interface MetadataFile extends PlacedFile {
  readonly documents: number;
}

/** Location of a finding: a file, or a field of a document. For a missing field, the location of the parent field is used. */
export type Place = PlacedFile | readonly [PlacedDocument, FieldPath];

/** Reports a finding of a validator at a location. */
export type Complain<Code extends string = FindingCode> = (
  code: Code,
  place: Place,
  message: string,
  ...fix: readonly string[]
) => void;

/** Reports findings of any rule, as errors (`error`) or as warnings (`warn`). */
export interface AnyReport {
  readonly error: Complain;
  readonly warn: Complain;
}

/** Settings that come not from the bundle, but from `--optional-values` and the environment. */
export interface Settings {
  /** Value of `k8s-version`: the Kubernetes version for which the bundle is intended. `''` if the option is not given. */
  readonly kubeVersion: string;
  /**
   * Value of `index-path`: the path of a Dockerfile with labels, as the user wrote it, relative to `cwd`. `''` if the option is not given.
   */
  readonly indexPath: string;
  /** Path of a JSON file with categories that replace the standard categories. `''` if no file is given. */
  readonly categoriesFile: string;
  /** Queries a registry for the platforms of an image; throws OpSdkError if the query fails. */
  readonly platformsOf: (image: string) => Promise<readonly Platform[]>;
  /** Absolute path of the folder to which relative paths in the settings refer. */
  readonly cwd: string;
  /** Names of the validators that run. Some rules of one validator apply only if another validator runs, too. */
  readonly selected: ReadonlySet<ValidatorName>;
}
