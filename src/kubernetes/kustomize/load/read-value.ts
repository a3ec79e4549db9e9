import type { FindingList, Where } from '../../../base/errors/index.ts';
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
import type { JsonObject } from '../resource.ts';

export type Locate = (path: JsonPath) => Where;

/**
 * Reads a value of a kustomization or of a file that it names. Null counts as absent.
 * @param label the whole, for messages
 * @returns what could be read; the rest has become findings
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

/** Text; as in kustomize, an empty one is absent. */
export const optionalText: JsonReader<string> = mapped(string, (read) => (read === '' ? undefined : read));

/** Text that says something. */
export const filledText: JsonReader<string> = mapped(string, (read, place) =>
  read === '' ? invalid(place, 'expected some text, got an empty string', 'complete it, or remove it') : read,
);

/** A mapping, as it is written. */
export function written<T>(
  reader: JsonReader<T>,
): JsonReader<{ readonly read: T; readonly value: JsonObject }> {
  return mapped(reader, (read, _place, value) => ({ read, value: value as JsonObject }));
}

/** Returns true if a field of a mapping has a value: not absent, null or an empty text. */
export function says(value: unknown, field: string): boolean {
  const said = (value as Readonly<Record<string, unknown>>)[field];
  return said !== undefined && said !== null && said !== '';
}
