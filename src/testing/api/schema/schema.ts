import type { JSONSchemaProps } from '../../../kubernetes/crd/json-schema-props.ts';

/** A schema of a CRD, or of a built-in kind, whose references are resolved where they are met. */
export interface Schema extends Omit<JSONSchemaProps, 'items' | 'properties' | 'additionalProperties'> {
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  /** Only in schemas of built-in kinds: a list or object of Go that is written out only when it is not empty. */
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

/** The schema of a field; undefined if the schema does not know it. */
export function fieldSchema(schema: Schema, name: string): Schema | undefined {
  const { properties } = schema;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The schema of the values of a map; undefined if there is none. */
export function valueSchema({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

export const isOpen = (schema: Schema): boolean => schema['x-kubernetes-preserve-unknown-fields'] === true;

/** Fields that every resource has, whatever its schema says. */
export const resourceFieldNames: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
