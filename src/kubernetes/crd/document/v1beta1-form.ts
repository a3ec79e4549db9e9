import { flag, integer, list, object, string, unchecked } from '../../../base/util/json-reader.ts';
import { orNull } from './form-problems.ts';
import { clientConfig, names, printerColumns, scale, selectableFields } from './shared-form.ts';

/** Fields that are set for all versions at once, or in each. */
const perVersion = {
  subresources: object({ status: unchecked, scale }),
  additionalPrinterColumns: printerColumns({ priority: integer, JSONPath: string }),
  selectableFields,
};

const validation = object({ openAPIV3Schema: unchecked });

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
      webhookClientConfig: clientConfig(integer),
      conversionReviewVersions: list(string),
    }),
    preserveUnknownFields: flag,
    ...perVersion,
  }),
});
