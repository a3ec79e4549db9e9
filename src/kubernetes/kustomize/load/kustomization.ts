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

/** The supported values of `buildMetadata`. */
export type BuildMetadata = 'originAnnotations' | 'transformerAnnotations';

/** The checked fields of a kustomization. Absent fields are empty. */
export interface Fields {
  readonly kind: 'Kustomization' | 'Component';
  readonly resources: readonly PathEntry[];
  readonly components: readonly PathEntry[];
  /** Paths of files, or inline texts. */
  readonly generatorPlugins: readonly PathEntry[];
  /** Paths of files, or inline texts. */
  readonly transformerPlugins: readonly PathEntry[];
  /** All generators of the kustomization, those of ConfigMaps first. */
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
  /** Used only if this is the outermost kustomization. */
  readonly buildMetadata: readonly BuildMetadata[];
  readonly sortOrder: SortOrder | undefined;
}

/** A resource as it is in its file. It is copied each time the file is used. */
export interface Template {
  readonly object: JsonObject;
  readonly where: Where;
}

/** A ConfigMap or Secret as its generator makes it, before the object is added to a build. */
export interface Generated extends Template {
  readonly behavior: Behavior;
  readonly isHashed: boolean;
  /** True if the generator is in a plugin file; false if it is in a field of the kustomization itself. */
  readonly isPlugin: boolean;
  /** The size of the object's content, in bytes. */
  readonly bytes: number;
}

/** A transformer whose files have been read. */
export type LoadedTransformer =
  | Exclude<TransformerRule, { readonly type: 'patches' | 'replacements' }>
  | { readonly type: 'patches'; readonly patches: readonly PatchEntry[] }
  | { readonly type: 'replacements'; readonly replacements: readonly ReplacementEntry[] };

/** A folder with the content of everything that its kustomization names. */
export interface Folder {
  /** The name of the kustomization in findings. */
  readonly file: string;
  /** The absolute path of the folder, with symbolic links resolved. */
  readonly root: string;
  readonly fields: Fields;
  /** The resources of files and folders, in the order of the kustomization. */
  readonly resources: readonly (readonly Template[] | Folder)[];
  readonly generated: readonly Generated[];
  readonly components: readonly Folder[];
  /** The folder's configuration merged with kustomize's default. */
  readonly config: TransformerConfig;
  readonly patches: readonly PatchEntry[];
  readonly replacements: readonly ReplacementEntry[];
  /** The entries of `transformers`. They run after all other transformers. */
  readonly transformers: readonly LoadedTransformer[];
}

export type Locate = (path: JsonPath) => Where;

/**
 * Reads a value of a kustomization or of a file that it names. Null counts as absent.
 * @param label names the value in messages
 * @returns the readable parts; problems are reported as findings
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

/** Wraps a reader, so that it also returns the mapping as it is written. */
export function written<T>(
  reader: JsonReader<T>,
): JsonReader<{ readonly read: T; readonly value: JsonObject }> {
  return mapped(reader, (read, _place, value) => ({ read, value: value as JsonObject }));
}

/** Returns true if a field of a mapping has a value, so it is not absent, null or an empty text. */
export function says(value: unknown, field: string): boolean {
  const said = (value as Readonly<Record<string, unknown>>)[field];
  return said !== undefined && said !== null && said !== '';
}

/** Runs a parser. Its errors become findings, so that the other files are still checked. */
export function reportParse<T>(findings: FindingList, parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    findings.add(...error.findings);
    return undefined;
  }
}
