/** JSON as the tables hold it. */
export type TableValue = null | boolean | number | string | TableValue[] | { [key: string]: TableValue };

/** Validation keywords that both kinds of schema share: a CRD gets them as they are. */
interface Validation {
  readonly type?: string;
  readonly format?: string;
  /** Only real defaults: Go's zero values, which the API server's documents are full of, are gone. */
  readonly default?: TableValue;
  readonly enum?: readonly TableValue[];
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
}

/** A built-in type, or a part of it, as the API server describes it: other types by name, patch strategies included. */
export interface TableSchema extends Validation {
  /** The name of another type, which the keywords beside it refine. */
  readonly $ref?: string;
  /** The values that the server of this version accepts. A later one may accept more, so a CRD must not freeze them. */
  readonly knownValues?: readonly string[];
  readonly properties?: Readonly<Record<string, TableSchema>>;
  readonly items?: TableSchema;
  readonly additionalProperties?: TableSchema;
  /** The strategy by which kustomize and `kubectl patch` merge the list or object: `merge`, `retainKeys`, or both with a comma. */
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

/** A schema that may stand in a CRD as it is: structural, without references. The caller owns it. */
export interface StructuralSchema {
  type?: string;
  description?: string;
  format?: string;
  default?: TableValue;
  enum?: TableValue[];
  minimum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  required?: string[];
  properties?: Record<string, StructuralSchema>;
  items?: StructuralSchema;
  additionalProperties?: StructuralSchema;
  anyOf?: StructuralSchema[];
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: string;
}
