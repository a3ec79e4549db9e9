import { isJsonMap, type JsonMap } from '../../../base/util/json-map.ts';
import { textOf } from './fields.ts';

/** Examples of custom resources, or why they cannot be read. */
export type ParsedExamples = { readonly examples: readonly JsonMap[] } | { readonly problem: string };

/** The objects in the text of the annotation `alm-examples`, as Go reads it: nothing and null are no objects. */
export function parseExamples(text: string): ParsedExamples {
  if (text === '') return { examples: [] };
  let examples: unknown;
  try {
    examples = JSON.parse(text);
  } catch (problem) {
    if (!(problem instanceof SyntaxError)) throw problem;
    return { problem: `is not JSON: ${problem.message}` };
  }
  if (examples === null) return { examples: [] };
  if (!Array.isArray(examples) || !examples.every(isExample))
    return { problem: 'is not a list of objects that have a kind' };
  return { examples };
}

function isExample(value: unknown): value is JsonMap {
  return isJsonMap(value) && textOf(value['kind']) !== '';
}
