import type { JsonMap } from '../../../base/util/json-map.ts';
import { documentStyle, readJson, type JsonProblem, type JsonReader } from '../../../base/util/read-json.ts';

/** An item or a value that may be null, which the API server decodes as one that says nothing. */
export function orNull(reader: JsonReader<unknown>): JsonReader<unknown> {
  return (value, place) => (value === null ? undefined : reader(value, place));
}

/** Where a document does not decode as the API server decodes it; `isKey`: fields that it drops. */
export function formProblems(form: JsonReader<unknown>, document: JsonMap): readonly JsonProblem[] {
  return readJson(form, document, 'the document', { style: documentStyle }).problems;
}
