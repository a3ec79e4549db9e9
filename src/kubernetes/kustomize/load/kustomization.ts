import { type Where, type FindingList, isOpSdkError } from '../../../base/errors/index.ts';
import type {
  ImageRule,
  LabelRule,
  PatchEntry,
  PathEntry,
  ReplacementEntry,
  ReplicaRule,
  SortOrder,
  TransformerRule,
  UnreadPatch,
  UnreadReplacement,
} from '../entries.ts';
import type { Behavior, GeneratorRule } from '../generators/make-object.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { TransformerConfig } from '../config/transformer-config.ts';
import type { Variable } from '../vars/variables.ts';
import { mapped, string } from '../../../base/util/json-reader.ts';
import {
  documentStyle,
  invalid,
  problemFindings,
  readJson,
  type JsonPath,
  type JsonProblem,
  type JsonReader,
} from '../../../base/util/read-json.ts';

/** Values of `buildMetadata` that are supported. */
export type BuildMetadata = 'originAnnotations' | 'transformerAnnotations';

/** Fields of a kustomization after the check. For a field that the file does not contain, the value is empty. */
export interface Fields {
  readonly kind: 'Kustomization' | 'Component';
  readonly resources: readonly PathEntry[];
  readonly components: readonly PathEntry[];
  /** Entries of `generators`: paths of files, or inline texts. */
  readonly generatorPlugins: readonly PathEntry[];
  /** Entries of `transformers`: paths of files, or inline texts. */
  readonly transformerPlugins: readonly PathEntry[];
  /** All generators of the kustomization. Generators of ConfigMaps come first. */
  readonly generators: readonly GeneratorRule[];
  readonly namespace: string;
  readonly namePrefix: string;
  readonly nameSuffix: string;
  readonly labels: readonly LabelRule[];
  readonly commonLabels: Readonly<Record<string, string>>;
  readonly commonAnnotations: Readonly<Record<string, string>>;
  readonly images: readonly ImageRule[];
  readonly replicas: readonly ReplicaRule[];
  readonly patches: readonly UnreadPatch[];
  readonly replacements: readonly UnreadReplacement[];
  readonly configurations: readonly PathEntry[];
  readonly crds: readonly PathEntry[];
  readonly vars: readonly Variable[];
  /** Only takes effect in the outermost kustomization. */
  readonly buildMetadata: readonly BuildMetadata[];
  readonly sortOrder: SortOrder | undefined;
}

/** Resource as written in its file. The resource is copied each time the file is used. */
export interface Template {
  readonly object: JsonObject;
  readonly where: Where;
}

/** ConfigMap or Secret that a generator has created, before the object is added to a build. */
export interface Generated extends Template {
  readonly behavior: Behavior;
  readonly isHashed: boolean;
  /**
   * True if the generator is configured in a file or text listed under `generators`; false if in `configMapGenerator` or `secretGenerator`.
   */
  readonly isPlugin: boolean;
  /** The size of the object's content, in bytes. */
  readonly bytes: number;
}

/** Transformer. The files that it names have been read already. */
export type LoadedTransformer =
  | Exclude<TransformerRule, { readonly type: 'patches' | 'replacements' }>
  | { readonly type: 'patches'; readonly patches: readonly PatchEntry[] }
  | { readonly type: 'replacements'; readonly replacements: readonly ReplacementEntry[] };

/** Folder with a kustomization, and the content of all files and folders that the kustomization names. */
export interface Folder {
  /** Name of the kustomization's file in findings. */
  readonly file: string;
  /** The absolute path of the folder, with symbolic links resolved. */
  readonly root: string;
  readonly fields: Fields;
  /** Resources of the files and folders under `resources` of the kustomization, in the same order. */
  readonly resources: readonly (readonly Template[] | Folder)[];
  readonly generated: readonly Generated[];
  readonly components: readonly Folder[];
  /** Configuration of transformers in this folder, merged with kustomize's default. */
  readonly config: TransformerConfig;
  readonly patches: readonly PatchEntry[];
  readonly replacements: readonly ReplacementEntry[];
  /** Transformers that are listed under `transformers`. They run after all other transformers. */
  readonly transformers: readonly LoadedTransformer[];
}

export type Locate = (path: JsonPath) => Where;

/**
 * Reads a value from a kustomization, or from a file that a kustomization names. Null counts as absent. Problems are reported as findings.
 * @param label name of the value in messages
 * @returns the parts of the value that could be read
 */
export function readChecked<T>(
  reader: JsonReader<T>,
  value: unknown,
  label: string,
  locate: Locate,
  findings: FindingList,
): T | undefined {
  const read = readJson(reader, value, label, { style: documentStyle });
  const codeOf = ({ isKey }: JsonProblem) => (isKey ? 'kustomize/unknown-field' : 'kustomize/invalid-value');
  findings.add(...problemFindings(read.problems, locate, codeOf));
  return read.value;
}

/** Reads a text. Like in kustomize, an empty text counts as absent. */
export const optionalText: JsonReader<string> = mapped(string, (read) => (read === '' ? undefined : read));

/** Reads a text that must not be empty. */
export const filledText: JsonReader<string> = mapped(string, (read, place) =>
  read === '' ? invalid(place, 'expected some text, got an empty string', 'complete it, or remove it') : read,
);

/** Wraps a reader of a mapping, so that the result also contains the mapping as written in the file. */
export function written<T>(
  reader: JsonReader<T>,
): JsonReader<{ readonly read: T; readonly value: JsonObject }> {
  return mapped(reader, (read, _place, value) => ({ read, value: value as JsonObject }));
}

/** Returns true if a field of a mapping has a value that is not absent, null or an empty text. */
export function says(value: unknown, field: string): boolean {
  const said = (value as Readonly<Record<string, unknown>>)[field];
  return said !== undefined && said !== null && said !== '';
}

/** Runs a parser. Errors of the parser become findings, so that the other files are still checked. */
export function reportParse<T>(findings: FindingList, parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    findings.add(...error.findings);
    return undefined;
  }
}
