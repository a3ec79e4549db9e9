import { anyObject, flag, list, number, object, record, string } from '../../../base/util/json-reader.ts';
import { orNull } from './form-problems.ts';
import { clientConfig, names, printerColumns, scale, selectableFields } from './shared-form.ts';

/** Source: apiextensions v1 `types.go`. Schemas have a check of their own; metadata and status are those of every object. */
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
    preserveUnknownFields: flag,
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
          served: flag,
          storage: flag,
          deprecated: flag,
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
