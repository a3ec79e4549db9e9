import type { FindingCode } from '../../../base/errors/index.ts';
import type { Platform } from '../../../images/index.ts';
import type { JsonMap } from '../../../base/util/json-map.ts';
import type { YamlDocument } from '../../../kubernetes/yaml/index.ts';
import type { ValidatorName } from './rules/validators.ts';

/** The keys and indices that lead to a value. */
export type FieldPath = readonly (string | number)[];

/** A place that findings name: a whole file or folder, or a line of one. */
export interface PlacedFile {
  /** As findings name it, relative to the folder in which the command runs. */
  readonly file: string;
  readonly line?: number;
  /** Default: 1. */
  readonly column?: number;
}

/** A YAML document and the way back to the lines that it was written on. */
export interface PlacedDocument extends PlacedFile {
  readonly value: JsonMap;
  /** The document with its places, for which its text is read again: what a document holds is kept, its places are not. */
  readonly reread: () => YamlDocument;
}

/** An object of `manifests/`. Its fields may be anything; the three named here are `''` if they are no text. */
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
  /** The CustomResourceDefinitions, also those of versions that are gone. */
  readonly crds: readonly BundleObject[];
  /** The file of `metadata/` that has `annotations`. */
  readonly annotations: PlacedDocument | undefined;
  /** The files of `metadata/` that have `dependencies` and `properties`. */
  readonly dependencies: PlacedDocument | undefined;
  readonly properties: PlacedDocument | undefined;
  /** The YAML files of `metadata/`, each as it was read. */
  readonly metadata: readonly MetadataFile[];
  /** False if something in `manifests/` could not be read, so that nothing can be said about what is missing. */
  readonly complete: boolean;
}

/** A file of `metadata/` with several documents, or with one. */
interface MetadataFile extends PlacedFile {
  readonly documents: number;
}

/** Subject of a finding: a file, or a field of a document. A field that does not exist gives the place of what contains it. */
export type Place = PlacedFile | readonly [PlacedDocument, FieldPath];

/** Takes what the rules of a validator find. */
export type Complain<Code extends string = FindingCode> = (
  code: Code,
  place: Place,
  message: string,
  ...fix: readonly string[]
) => void;

/** Takes findings at both levels, of any rules. */
export interface AnyReport {
  readonly error: Complain;
  readonly warn: Complain;
}

/** Settings beside the bundle: `--optional-values`, and the environment. */
export interface Settings {
  /** `k8s-version`: the Kubernetes that the bundle is for. `''` without. */
  readonly kubeVersion: string;
  /** `index-path`: a Dockerfile with labels. As given, relative to `cwd`. `''` without. */
  readonly indexPath: string;
  /** A JSON file with categories in the place of the standard ones. `''` without. */
  readonly categoriesFile: string;
  /** Asks a registry what an image runs on; throws OpSdkError if it cannot. */
  readonly platformsOf: (image: string) => Promise<readonly Platform[]>;
  /** Absolute. */
  readonly cwd: string;
  /** The validators that run. */
  readonly selected: ReadonlySet<ValidatorName>;
}
