import { isObject, type JsonValue } from './json.ts';

/** A CEL rule. Source: apiextensions v1 `ValidationRule`. */
export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

/** All fields of apiextensions v1 `JSONSchemaProps`, including fields that the API server refuses in a CRD. */
export interface JSONSchemaProps {
  id?: string;
  $schema?: string;
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  title?: string;
  default?: JsonValue;
  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  maxItems?: number;
  minItems?: number;
  uniqueItems?: boolean;
  multipleOf?: number;
  enum?: JsonValue[];
  maxProperties?: number;
  minProperties?: number;
  required?: string[];
  items?: JSONSchemaProps;
  allOf?: JSONSchemaProps[];
  oneOf?: JSONSchemaProps[];
  anyOf?: JSONSchemaProps[];
  not?: JSONSchemaProps;
  properties?: Record<string, JSONSchemaProps>;
  additionalProperties?: JSONSchemaProps | boolean;
  patternProperties?: Record<string, JSONSchemaProps>;
  dependencies?: Record<string, JSONSchemaProps | string[]>;
  additionalItems?: JSONSchemaProps | boolean;
  definitions?: Record<string, JSONSchemaProps>;
  externalDocs?: { description?: string; url?: string };
  example?: JsonValue;
  nullable?: boolean;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-map-type'?: string;
  'x-kubernetes-validations'?: ValidationRule[];
}

/**
 * Names of the fields of JSONSchemaProps that a CRD may use, because the API server does not refuse them. Source: apiextensions
 * `validation.go`.
 */
export const crdSchemaFields = fieldNames(
  'description type format title default maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems multipleOf enum maxProperties minProperties',
  'required items allOf oneOf anyOf not properties additionalProperties externalDocs example nullable x-kubernetes-preserve-unknown-fields x-kubernetes-embedded-resource x-kubernetes-int-or-string x-kubernetes-list-map-keys x-kubernetes-list-type x-kubernetes-map-type x-kubernetes-validations',
);

/** The fields of JSONSchemaProps that the API server refuses in a CRD. Source: apiextensions `validation.go`. */
export const refusedSchemaFields = fieldNames(
  'id $schema $ref uniqueItems patternProperties dependencies additionalItems definitions',
);

function fieldNames(...lines: readonly string[]): readonly (keyof JSONSchemaProps)[] {
  return lines.flatMap((line) => line.split(' ') as (keyof JSONSchemaProps)[]);
}

/** A schema of a CRD or of a built-in kind. The code that reads a schema follows its references only when it reaches them. */
export interface Schema extends Omit<JSONSchemaProps, 'items' | 'properties' | 'additionalProperties'> {
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  /**
   * Values that the API server of one Kubernetes version accepts. API servers of later versions may accept more. Set only in schemas of
   * built-in types.
   */
  readonly knownValues?: readonly JsonValue[];
  /** True for a quantity, which may be written as a number or as text. Set only in schemas of built-in types. */
  readonly isQuantity?: boolean;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

/**
 * Returns true if a schema has a default. A default of null counts as absent, because the API server cannot distinguish null from an absent
 * default. Source: apiextensions `Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps`.
 */
export function hasDefault(schema: { readonly default?: unknown }): boolean {
  return schema.default !== undefined && schema.default !== null;
}

/** Returns the schema of a field; undefined if the object's schema does not declare the field. */
export function fieldSchema(schema: Schema, name: string): Schema | undefined {
  const { properties } = schema;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Returns the schema of the values of a map (`additionalProperties`); undefined if the schema declares none. */
export function valueSchema({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

export const isOpen = (schema: Schema): boolean => schema['x-kubernetes-preserve-unknown-fields'] === true;

/**
 * Calls a function for a value and for every nested value that the schema describes. Outer values come before the values inside of them.
 *
 * @param at path of the value as the API server writes it: `spec.list[0].map[key]`
 */
export function visitSchema(
  value: JsonValue,
  schema: Schema,
  visit: (value: JsonValue, schema: Schema, path: readonly (string | number)[], at: string) => void,
  path: readonly (string | number)[] = [],
  at = '',
): void {
  visit(value, schema, path, at);
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const [index, item] of (value as readonly JsonValue[]).entries())
      visitSchema(item, items, visit, [...path, index], `${at}[${index}]`);
  } else if (isObject(value)) {
    const values = valueSchema(schema);
    for (const [name, item] of Object.entries(value)) {
      const property = fieldSchema(schema, name);
      const inside = property === undefined ? `${at}[${name}]` : at === '' ? name : `${at}.${name}`;
      const inner = property ?? values;
      if (inner !== undefined) visitSchema(item, inner, visit, [...path, name], inside);
    }
  }
}
