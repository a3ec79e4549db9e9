import type { FindingCode } from '../../../base/errors/index.ts';
import type { Platform } from '../../../images/index.ts';
import type { JsonMap } from '../../../base/util/json-map.ts';
import type { YamlDocument } from '../../../kubernetes/yaml/index.ts';
import type { ValidatorName } from './rules/validators.ts';

/** The keys and indices that lead to a value. */
export type FieldPath = readonly (string | number)[];

/** A place that findings name: a file or folder, or a line of a file. */
export interface PlacedFile {
  /** Path as shown in findings, relative to the folder in which the command runs. */
  readonly file: string;
  readonly line?: number;
  /** Column in the line. Default: 1. */
  readonly column?: number;
}

/** A YAML document whose line numbers can be looked up. */
export interface PlacedDocument extends PlacedFile {
  readonly value: JsonMap;
  /** Parses the text again to obtain the places of values, because only the values are kept in memory. */
  readonly reread: () => YamlDocument;
}

/** An object of `manifests/`. Its fields may have any value; `apiVersion`, `kind` and `name` are `''` if they are not text. */
export interface BundleObject extends PlacedDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** A bundle that has been read. Files that could not be read are missing; they have been reported already. */
export interface LoadedBundle {
  /** Absolute path of the bundle's folder. */
  readonly path: string;
  /** Path of the bundle's folder as it appears in findings. */
  readonly dir: string;
  /** All objects of `manifests/`, including the ClusterServiceVersion and the CRDs, in the order of their files. */
  readonly objects: readonly BundleObject[];
  /** The ClusterServiceVersion; undefined if the bundle has none or several. */
  readonly csv: BundleObject | undefined;
  /** The CustomResourceDefinitions, including those of removed API versions. */
  readonly crds: readonly BundleObject[];
  /** The file of `metadata/` that has the field `annotations`. */
  readonly annotations: PlacedDocument | undefined;
  /** The files of `metadata/` that have the fields `dependencies` and `properties`. */
  readonly dependencies: PlacedDocument | undefined;
  readonly properties: PlacedDocument | undefined;
  /** The YAML files of `metadata/`. */
  readonly metadata: readonly MetadataFile[];
  /**
   * False if a file of `manifests/` could not be read. An object that seems to be missing may be in that file, so missing objects cannot be
   * reported then.
   */
  readonly complete: boolean;
}

/** A file of `metadata/`, with the count of its documents. */
interface MetadataFile extends PlacedFile {
  readonly documents: number;
}

/** Location of a finding: a file, or a field of a document. For a missing field, the place of its parent is used. */
export type Place = PlacedFile | readonly [PlacedDocument, FieldPath];

/** Reports a finding of a validator. */
export type Complain<Code extends string = FindingCode> = (
  code: Code,
  place: Place,
  message: string,
  ...fix: readonly string[]
) => void;

/** Reports findings of any rule, as errors or as warnings. */
export interface AnyReport {
  readonly error: Complain;
  readonly warn: Complain;
}

/** Settings that do not come from the bundle, but from `--optional-values` and the environment. */
export interface Settings {
  /** Value of `k8s-version`: the Kubernetes version for which the bundle is intended. `''` if not given. */
  readonly kubeVersion: string;
  /** Value of `index-path`: the path of a Dockerfile with labels, as the user wrote it, relative to `cwd`. `''` if not given. */
  readonly indexPath: string;
  /** Path of a JSON file with categories that replace the standard ones. `''` if not given. */
  readonly categoriesFile: string;
  /** Queries a registry for the platforms of an image; throws OpSdkError if the query fails. */
  readonly platformsOf: (image: string) => Promise<readonly Platform[]>;
  /** Absolute path of the folder to which other paths are relative. */
  readonly cwd: string;
  /** The validators that run, for rules that depend on another validator. */
  readonly selected: ReadonlySet<ValidatorName>;
}
