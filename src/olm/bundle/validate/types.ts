import type { FindingCode } from '../../../base/errors/index.ts';
import type { Platform } from '../../../images/index.ts';
import type { JsonMap } from '../../../base/util/json-map.ts';
import type { YamlDocument } from '../../../kubernetes/yaml/index.ts';
import type { ValidatorName } from './rules/validators.ts';

/** The keys and indices that lead to a value. */
export type FieldPath = readonly (string | number)[];

/** A place that findings name: a whole file or folder, or a line of one. */
export interface PlacedFile {
  /** Path as shown in findings, relative to the folder in which the command runs. */
  readonly file: string;
  readonly line?: number;
  /** Default: 1. */
  readonly column?: number;
}

/** A YAML document whose line numbers can be looked up. */
export interface PlacedDocument extends PlacedFile {
  readonly value: JsonMap;
  /** Parses the text again to obtain the places of values: only the values are kept in memory. */
  readonly reread: () => YamlDocument;
}

/** An object of `manifests/`. Its fields may have any value; `apiVersion`, `kind` and `name` are `''` if they are not text. */
export interface BundleObject extends PlacedDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** A bundle as it was read. Files that could not be read are absent; they have been reported. */
export interface LoadedBundle {
  /** Absolute path. */
  readonly path: string;
  /** The folder as findings name it. */
  readonly dir: string;
  /** All objects of `manifests/`, the CSV and the CRDs among them, in the order of their files. */
  readonly objects: readonly BundleObject[];
  /** The ClusterServiceVersion; undefined too if there are several. */
  readonly csv: BundleObject | undefined;
  /** The CustomResourceDefinitions, including those of removed API versions. */
  readonly crds: readonly BundleObject[];
  /** The file of `metadata/` that has `annotations`. */
  readonly annotations: PlacedDocument | undefined;
  /** The files of `metadata/` that have `dependencies` and `properties`. */
  readonly dependencies: PlacedDocument | undefined;
  readonly properties: PlacedDocument | undefined;
  /** The YAML files of `metadata/`, each as it was read. */
  readonly metadata: readonly MetadataFile[];
  /** False if a file of `manifests/` could not be read, so that missing objects cannot be reported. */
  readonly complete: boolean;
}

/** A file of `metadata/` with several documents, or with one. */
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

/** Reports findings of any rule, as errors or warnings. */
export interface AnyReport {
  readonly error: Complain;
  readonly warn: Complain;
}

/** Settings beside the bundle: `--optional-values`, and the environment. */
export interface Settings {
  /** `k8s-version`: the Kubernetes version that the bundle is for. `''` if not given. */
  readonly kubeVersion: string;
  /** `index-path`: a Dockerfile with labels, as given, relative to `cwd`. `''` if not given. */
  readonly indexPath: string;
  /** A JSON file with categories that replace the standard ones. `''` if not given. */
  readonly categoriesFile: string;
  /** Queries a registry for the platforms of an image; throws OpSdkError if that fails. */
  readonly platformsOf: (image: string) => Promise<readonly Platform[]>;
  /** Absolute. */
  readonly cwd: string;
  /** The validators that run. */
  readonly selected: ReadonlySet<ValidatorName>;
}
