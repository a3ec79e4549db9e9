import { isOpSdkError, type FindingList, type Where } from '../../../base/errors/index.ts';
import { parseKubernetesYaml, type KubernetesDocument, type YamlDocument } from '../../yaml/index.ts';
import type { Copy } from '../build/copies.ts';
import type { PatchEntry } from '../entries.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  readJsonPatchStep,
  type JsonPatchStep,
} from '../../objects/index.ts';
import { noteWritten } from '../written-values.ts';
import type { PatchPath } from './merge-list.ts';

/** Strategic merge patch: an object that is merged into resources. */
export interface MergePatch {
  readonly kind: 'merge';
  readonly object: JsonObject;
  readonly locate: (path: PatchPath) => Where;
}

/** JSON 6902 patch: a list of steps, each with its source location. */
export interface StepPatch {
  readonly kind: 'steps';
  readonly steps: readonly { readonly step: JsonPatchStep; readonly where: Where }[];
}

/**
 * Parses a patch and determines its kind, like kustomize: an object is a strategic merge patch, and a list contains the steps of a JSON
 * 6902 patch.
 *
 * @returns several patches if the text contains several objects; an empty list if the text is empty; undefined after a problem, which is
 * reported as a finding
 */
export function readPatch(
  entry: PatchEntry,
  findings: FindingList,
  copy: Copy,
): readonly MergePatch[] | readonly [StepPatch] | undefined {
  const inline = 'file' in entry.where && entry.where.file === entry.file;
  const documents = parse(entry, inline, findings);
  if (documents === undefined) return undefined;
  // Line numbers within an inline patch would be misleading, because the text is part of another file.
  const locator = (document: YamlDocument) => (path: PatchPath) =>
    inline ? entry.where : document.locate(path);
  const invalid = (where: Where, message: string, ...fix: string[]): undefined => {
    findings.add({ code: 'kustomize/invalid-patch', message, where, fix });
    return undefined;
  };

  const [first] = documents;
  if (first !== undefined && Array.isArray(first.value)) {
    const where = locator(first)([]);
    if (entry.from === 'patchesStrategicMerge')
      return invalid(
        where,
        'patchesStrategicMerge holds a JSON 6902 patch',
        'move it to `patches`, with a target',
      );
    if (entry.text.trimStart().startsWith('[') && !isJson(entry.text))
      return invalid(
        where,
        'kustomize reads a patch that begins with [ as JSON, which this is not',
        'write the steps as a YAML list, each behind a -, or as JSON with all names in quotes',
      );
    if (documents.length > 1)
      return invalid(
        where,
        'a JSON 6902 patch is one document: kustomize reads the first alone',
        'make it one list',
      );
    return readSteps(copy(first.value as Json[]), locator(first), invalid);
  }
  const objects = documents.flatMap((document) =>
    objectsIn(document, copy(document.value as Json), [], locator(document)),
  );
  const bad = objects.find(({ object }) => !isIdentified(object));
  if (bad !== undefined)
    return invalid(
      bad.locate([]),
      'invalid patch: expected an object with kind and metadata.name, or a list of JSON 6902 operations',
      'name the kind and the metadata.name of the resource, with a target any name will do',
    );
  if (objects.length > 0 && entry.from === 'patchesJson6902')
    return invalid(entry.where, 'patchesJson6902 holds a strategic merge patch', 'move it to `patches`');
  if (objects.length === 0 && entry.from !== 'patches')
    return invalid(entry.where, 'the patch is empty', 'write the patch, or remove the entry');
  return objects as readonly MergePatch[];
}

function parse(
  { text, file, where }: PatchEntry,
  inline: boolean,
  findings: FindingList,
): readonly KubernetesDocument[] | undefined {
  try {
    const documents = isStepList(text)
      ? parseKubernetesYaml(text, file, { lastLine: 'as-written' })
      : parseKubernetesYaml(text, file, { reader: 'kustomize' });
    return documents.filter(({ value }) => !isEmpty(value));
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    findings.add(...error.findings.map((finding) => (inline ? { ...finding, where } : finding)));
    return undefined;
  }
}

/**
 * Returns true if the first line of a text shows that it contains the steps of a JSON 6902 patch. kustomize parses steps like Kubernetes'
 * other tools, but parses strategic merge patches differently, so the kind must be known before parsing.
 */
export function isStepList(text: string): boolean {
  return /^(?:\s|#.*|---(?=\s))*[-[]/.test(text);
}

function readSteps(
  list: readonly Json[],
  locate: (path: PatchPath) => Where,
  invalid: (where: Where, message: string, ...fix: string[]) => undefined,
): readonly [StepPatch] | undefined {
  let failed = false;
  const steps = list.flatMap((item, index) => {
    const where = locate([index]);
    const read = readJsonPatchStep(item);
    if ('step' in read) return [{ step: read.step, where }];
    failed = true;
    invalid(
      read.field === undefined ? where : locate([index, read.field]),
      `step ${index + 1} of the JSON 6902 patch: ${read.problem}`,
      'correct the step',
    );
    return [];
  });
  return failed ? undefined : [{ kind: 'steps', steps }];
}

/** Returns the object of a document. If the kind of the object ends in `List`, returns the items of the list instead. */
function objectsIn(
  document: KubernetesDocument,
  value: Json,
  path: PatchPath,
  locate: (path: PatchPath) => Where,
): readonly { kind: 'merge'; object: Json; locate: (path: PatchPath) => Where }[] {
  if (isObject(value) && Array.isArray(value['items']) && isListKind(value['kind']))
    return value['items'].flatMap((item, index) =>
      objectsIn(document, item, [...path, 'items', index], locate),
    );
  noteWritten(value, document.texts, path, { isPatch: true });
  return [{ kind: 'merge', object: value, locate: (inner) => locate([...path, ...inner]) }];
}

function isIdentified(object: Json): boolean {
  if (!isObject(object) || typeof object['kind'] !== 'string' || object['kind'] === '') return false;
  const metadata = object['metadata'];
  return isObject(metadata) && typeof metadata['name'] === 'string' && metadata['name'] !== '';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isListKind(kind: Json | undefined): boolean {
  return typeof kind === 'string' && kind.endsWith('List');
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
