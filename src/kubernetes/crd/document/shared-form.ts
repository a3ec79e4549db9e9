import { list, object, string } from '../../../base/util/json-reader.ts';
import type { JsonReader } from '../../../base/util/read-json.ts';
import { orNull } from './form-problems.ts';

// The parts of a definition that v1beta1 and v1 write alike, or nearly so.

export const names = object({
  plural: string,
  singular: string,
  shortNames: list(string),
  kind: string,
  listKind: string,
  categories: list(string),
});

export const scale = object({
  specReplicasPath: string,
  statusReplicasPath: string,
  labelSelectorPath: string,
});

export const selectableFields = list(orNull(object({ jsonPath: string })));

/** @param own the fields of a column that differ */
export function printerColumns(own: Readonly<Record<string, JsonReader<unknown>>>): JsonReader<unknown> {
  return list(orNull(object({ name: string, type: string, format: string, description: string, ...own })));
}

export function clientConfig(port: JsonReader<number>): JsonReader<unknown> {
  return object({
    url: string,
    caBundle: string,
    service: object({ namespace: string, name: string, path: string, port }),
  });
}
