import { isOpSdkError, type Finding } from '../../../base/errors/index.ts';
import { isJsonMap } from '../../../base/util/json-map.ts';
import { parseKubernetesYaml, type KubernetesDocument } from '../../../kubernetes/yaml/kubernetes-yaml.ts';
import { tooLargeYaml, yamlLimits, type YamlBudget } from '../../../kubernetes/yaml/limits.ts';
import { isEmptyDocument, yamlStreamParts, type StreamPart } from '../../../kubernetes/yaml/stream.ts';
import { mapOf } from './fields.ts';
import type { PlacedDocument } from './types.ts';

/** The first document of a file that holds anything. */
export interface ReadDocument extends PlacedDocument {
  /** The document itself; anything but a mapping is read as an empty one. */
  readonly object: PlacedDocument;
  readonly isMap: boolean;
  /** Number of documents of the file that are not empty. */
  readonly documents: number;
  /** The line on which it begins: 1, unless documents before it hold nothing. */
  readonly firstLine: number;
}

/**
 * Reads the one document of a file that OLM reads.
 * @param refuse takes the findings if it cannot be read
 * @returns undefined after findings; `empty` if there is none
 */
export function readDocument(
  text: string,
  file: string,
  budget: YamlBudget,
  refuse: (findings: readonly Finding[]) => void,
): ReadDocument | 'empty' | undefined {
  let first: StreamPart | undefined;
  let isOwn = false;
  let documents = 0;
  for (const part of yamlStreamParts(text)) {
    if (isEmptyDocument(part.text)) continue;
    documents += 1;
    if (first !== undefined) continue;
    first = part;
    isOwn = part.line === 1;
  }
  if (first === undefined) return 'empty';
  // What follows cannot be wrong, as nobody reads it; what comes before counts for the lines.
  const own = isOwn ? first.text : text;
  const before = budget.left('values');
  let document: KubernetesDocument | undefined;
  try {
    [document] = parseKubernetesYaml(own, file, { roundIntegers: true, budget });
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    refuse(error.findings);
    return undefined;
  }
  if (document === undefined) return 'empty';
  if (before - budget.left('values') > yamlLimits.valuesOfObject) {
    refuse([tooLargeYaml('valuesOfObject', { file, line: first.line, column: 1 })]);
    return undefined;
  }
  const { value, reread } = document;
  const object: PlacedDocument = { file, value: mapOf(value), reread };
  const isMap = isJsonMap(value);
  return { ...object, object, isMap, documents, firstLine: first.line };
}
