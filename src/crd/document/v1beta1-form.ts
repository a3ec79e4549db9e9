import { flag, integer, list, object, string, unchecked } from '../../util/json-reader.ts';
import { orNull } from './form-problems.ts';

const names = object({
  plural: string,
  singular: string,
  shortNames: list(string),
  kind: string,
  listKind: string,
  categories: list(string),
});

/** What may be said for all versions at once, or in each. */
const perVersion = {
  subresources: object({
    status: unchecked,
    scale: object({ specReplicasPath: string, statusReplicasPath: string, labelSelectorPath: string }),
  }),
  additionalPrinterColumns: list(
    orNull(
      object({
        name: string,
        type: string,
        format: string,
        description: string,
        priority: integer,
        JSONPath: string,
      }),
    ),
  ),
  selectableFields: list(orNull(object({ jsonPath: string }))),
};

const validation = object({ openAPIV3Schema: unchecked });

const clientConfig = object({
  url: string,
  caBundle: string,
  service: object({ namespace: string, name: string, path: string, port: integer }),
});

/** Source: apiextensions v1beta1 `types.go`. */
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
          served: flag,
          storage: flag,
          deprecated: flag,
          deprecationWarning: string,
          schema: validation,
          ...perVersion,
        }),
      ),
    ),
    conversion: object({
      strategy: string,
      webhookClientConfig: clientConfig,
      conversionReviewVersions: list(string),
    }),
    preserveUnknownFields: flag,
    ...perVersion,
  }),
});
