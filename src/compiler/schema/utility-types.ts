import type { JSONSchemaProps } from '../../kubernetes/crd/index.ts';
import { SchemaTableError, structuralSchema, tableNameOf } from '../../kubernetes/tables/index.ts';

/** Pattern of a quantity, as controller-gen writes it. Source: apimachinery `resource.Quantity`. */
const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

const intOrString = (): JSONSchemaProps => ({
  // The API server requires integer before string.
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
});

const anyObject = (): JSONSchemaProps => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
const strings = (): JSONSchemaProps => ({ type: 'object', additionalProperties: { type: 'string' } });

/** Schemas of the utility types of `opsdk` that do not depend on a type argument, by name. Each call returns a new object. */
export const fixedUtilityTypes: Readonly<Record<string, () => JSONSchemaProps>> = {
  Int32: () => ({ type: 'integer', format: 'int32' }),
  Int64: () => ({ type: 'integer', format: 'int64' }),
  Integer: () => ({ type: 'integer' }),
  Float32: () => ({ type: 'number', format: 'float' }),
  Double: () => ({ type: 'number', format: 'double' }),
  Float: () => ({ type: 'number' }),
  Quantity: () => ({ ...intOrString(), pattern: quantityPattern }),
  IntOrString: intOrString,
  DateTime: () => ({ type: 'string', format: 'date-time' }),
  Duration: () => ({ type: 'string', format: 'duration' }),
  Base64: () => ({ type: 'string', format: 'byte' }),
  Json: () => ({ 'x-kubernetes-preserve-unknown-fields': true }),
  JsonObject: anyObject,
  RawExtension: anyObject,
  EmptyObject: () => ({ type: 'object' }),
  EmbeddedObjectMeta: () => ({
    type: 'object',
    properties: {
      annotations: strings(),
      finalizers: { type: 'array', items: { type: 'string' } },
      labels: strings(),
      name: { type: 'string' },
      namespace: { type: 'string' },
    },
  }),
};

/**
 * Returns the schema of EmbeddedResource for any kind. It is used if EmbeddedResource has no type argument, or if its argument is the base
 * type of all objects.
 */
export const embeddedAnything = (): JSONSchemaProps => ({
  ...anyObject(),
  'x-kubernetes-embedded-resource': true,
});

const recursionCut = '`@k8s {"type": "object", "x-kubernetes-preserve-unknown-fields": true}` on the field';

/** Result of looking up a built-in type. */
export type BuiltIn =
  | { readonly schema: JSONSchemaProps }
  | {
      readonly code: 'schema/recursive-type' | 'schema/unsupported-type';
      readonly message: string;
      readonly fix: string;
    };

/**
 * Returns the schema of a built-in Kubernetes type. The caller may change the returned copy. By default, only Condition keeps its
 * descriptions, because with the descriptions of other types, a CRD with a Pod template would be too large for client-side apply.
 *
 * @param file path of the module under `opsdk/k8s/`, such as `core/v1`
 * @param typeName name of the type in that module, such as `ContainerPort`
 * @param descriptions true to keep the descriptions of every type. Default: false
 */
export function builtInSchema(file: string, typeName: string, descriptions = false): BuiltIn {
  const name = tableNameOf(file, typeName);
  if (name === undefined) {
    const message = `\`${typeName}\` of 'opsdk/k8s/${file}' has no schema that can be used in a CRD`;
    return { code: 'schema/unsupported-type', message, fix: 'write out the fields that you need' };
  }
  try {
    return {
      schema: sorted(structuralSchema(name, { descriptions: descriptions || typeName === 'Condition' })),
    };
  } catch (error) {
    if (!(error instanceof SchemaTableError)) throw error;
    const code = error.reason === 'recursive' ? 'schema/recursive-type' : 'schema/unsupported-type';
    const message = `\`${typeName}\` cannot be used in a CRD: ${error.message}`;
    return {
      code,
      message,
      fix: `write out the fields that you need, or keep unknown fields: ${recursionCut}`,
    };
  }
}

// Sorts `required`, as in schemas that are generated from interfaces. The order has no meaning, and with a sorted list the schema stays the
// same if the fields in the source are reordered.
function sorted(schema: JSONSchemaProps): JSONSchemaProps {
  schema.required?.sort();
  const { items, properties, additionalProperties } = schema;
  const parts = [items, ...Object.values(properties ?? {}), additionalProperties];
  for (const part of parts) if (typeof part === 'object') sorted(part);
  return schema;
}
