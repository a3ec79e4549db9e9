import { flag, list, number, object, record, string } from '../../util/json-reader.ts';
import { orNull } from './form-problems.ts';

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
    names: object({
      plural: string,
      singular: string,
      shortNames: list(string),
      kind: string,
      listKind: string,
      categories: list(string),
    }),
    conversion: object({
      strategy: string,
      webhook: object({
        clientConfig: object({
          url: string,
          caBundle: string,
          service: object({ namespace: string, name: string, path: string, port: number }),
        }),
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
          schema: object({ openAPIV3Schema: object({}, { others: 'ignore' }) }),
          subresources: object({
            status: object({}, { others: 'ignore' }),
            scale: object({
              specReplicasPath: string,
              statusReplicasPath: string,
              labelSelectorPath: string,
            }),
          }),
          additionalPrinterColumns: list(
            orNull(
              object({
                name: string,
                type: string,
                format: string,
                description: string,
                priority: number,
                jsonPath: string,
              }),
            ),
          ),
          selectableFields: list(orNull(object({ jsonPath: string }))),
        }),
      ),
    ),
  }),
});
