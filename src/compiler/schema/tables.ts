import { SchemaTableError, structuralSchema, tableNameOf } from '../../kubernetes/tables/index.ts';
import type { JSONSchemaProps } from '../../kubernetes/crd/json-schema-props.ts';

const recursionCut = '`@k8s {"type": "object", "x-kubernetes-preserve-unknown-fields": true}` on the field';

/** The outcome of looking a built-in type up. */
export type BuiltIn =
  | { readonly schema: JSONSchemaProps }
  | {
      readonly code: 'schema/recursive-type' | 'schema/unsupported-type';
      readonly message: string;
      readonly fix: string;
    };

/**
 * The canonical schema of a built-in Kubernetes type, the caller's own. Condition comes with its descriptions; those of the other types
 * would make a CRD with a Pod template too big for client-side apply.
 *
 * @param file the entry under `opsdk/k8s/`, such as `core/v1`
 * @param typeName the type's name there, such as `ContainerPort`
 * @param descriptions keep them whatever the type. Default: false
 */
export function builtInSchema(file: string, typeName: string, descriptions = false): BuiltIn {
  const name = tableNameOf(file, typeName);
  if (name === undefined) {
    const message = `\`${typeName}\` of 'opsdk/k8s/${file}' has no schema that could stand in a CRD`;
    return { code: 'schema/unsupported-type', message, fix: 'write out the fields that you need' };
  }
  try {
    return {
      schema: sorted(structuralSchema(name, { descriptions: descriptions || typeName === 'Condition' })),
    };
  } catch (error) {
    if (!(error instanceof SchemaTableError)) throw error;
    const code = error.reason === 'recursive' ? 'schema/recursive-type' : 'schema/unsupported-type';
    const message = `\`${typeName}\` cannot stand in a CRD: ${error.message}`;
    return {
      code,
      message,
      fix: `write out the fields that you need, or keep unknown fields: ${recursionCut}`,
    };
  }
}

// As in schemas made from interfaces: the order of `required` means nothing, and a sorted list does not change with the source.
function sorted(schema: JSONSchemaProps): JSONSchemaProps {
  schema.required?.sort();
  const { items, properties, additionalProperties } = schema;
  const parts = [items, ...Object.values(properties ?? {}), additionalProperties];
  for (const part of parts) if (typeof part === 'object') sorted(part);
  return schema;
}
