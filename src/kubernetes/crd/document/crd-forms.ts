import {
  anyObject,
  bool,
  list,
  number,
  object,
  record,
  string,
  integer,
  unchecked,
} from '../../../base/util/json-reader.ts';
import { type JsonReader, documentStyle, readJson, type JsonProblem } from '../../../base/util/read-json.ts';
import type { JsonMap } from '../../../base/util/json-map.ts';

/** Returns a reader that also accepts null, because the API server decodes a null item or value as an empty one. */
function orNull(reader: JsonReader<unknown>): JsonReader<unknown> {
  return (value, place) => (value === null ? undefined : reader(value, place));
}

/**
 * Returns the parts of a document that the API server could not decode, and the fields that it drops. In a problem, `isKey` marks such a
 * field.
 */
export function formProblems(form: JsonReader<unknown>, document: JsonMap): readonly JsonProblem[] {
  return readJson(form, document, 'the document', { style: documentStyle }).problems;
}

// The following parts of a definition are the same, or nearly the same, in v1beta1 and v1.

const names = object({
  plural: string,
  singular: string,
  shortNames: list(string),
  kind: string,
  listKind: string,
  categories: list(string),
});

const scale = object({
  specReplicasPath: string,
  statusReplicasPath: string,
  labelSelectorPath: string,
});

const selectableFields = list(orNull(object({ jsonPath: string })));

/**
 * Returns a reader for printer columns.
 * @param own fields of a column that differ between v1beta1 and v1
 */
function printerColumns(own: Readonly<Record<string, JsonReader<unknown>>>): JsonReader<unknown> {
  return list(orNull(object({ name: string, type: string, format: string, description: string, ...own })));
}

function clientConfig(port: JsonReader<number>): JsonReader<unknown> {
  return object({
    url: string,
    caBundle: string,
    service: object({ namespace: string, name: string, path: string, port }),
  });
}

/**
 * Form of a v1 CustomResourceDefinition. Schemas are checked separately. Metadata and status are not described here, because they are
 * common to all objects. Source: apiextensions v1 `types.go`.
 */
export const v1Form = object({
  apiVersion: string,
  kind: string,
  metadata: object(
    { name: string, labels: record(orNull(string)), annotations: record(orNull(string)) },
    { others: 'ignore' },
  ),
  status: object({ storedVersions: list(string) }, { others: 'ignore' }),
  spec: object({
    group: string,
    scope: string,
    preserveUnknownFields: bool,
    names,
    conversion: object({
      strategy: string,
      webhook: object({
        clientConfig: clientConfig(number),
        conversionReviewVersions: list(string),
      }),
    }),
    versions: list(
      orNull(
        object({
          name: string,
          served: bool,
          storage: bool,
          deprecated: bool,
          deprecationWarning: string,
          schema: object({ openAPIV3Schema: anyObject }),
          subresources: object({ status: anyObject, scale }),
          additionalPrinterColumns: printerColumns({ priority: number, jsonPath: string }),
          selectableFields,
        }),
      ),
    ),
  }),
});

/** Fields of v1beta1 that are set either once for all versions, or in each version. */
const perVersion = {
  subresources: object({ status: unchecked, scale }),
  additionalPrinterColumns: printerColumns({ priority: integer, JSONPath: string }),
  selectableFields,
};

const validation = object({ openAPIV3Schema: unchecked });

/** Form of a v1beta1 CustomResourceDefinition. Source: apiextensions v1beta1 `types.go`. */
export const v1beta1Form = object({
  apiVersion: string,
  kind: string,
  metadata: unchecked,
  status: unchecked,
  spec: object({
    group: string,
    version: string,
    names,
    scope: string,
    validation,
    versions: list(
      orNull(
        object({
          name: string,
          served: bool,
          storage: bool,
          deprecated: bool,
          deprecationWarning: string,
          schema: validation,
          ...perVersion,
        }),
      ),
    ),
    conversion: object({
      strategy: string,
      webhookClientConfig: clientConfig(integer),
      conversionReviewVersions: list(string),
    }),
    preserveUnknownFields: bool,
    ...perVersion,
  }),
});
