import type { Json } from '../objects/index.ts';
import { kinds, prefixes } from './generated/names.ts';
import { schemas } from './generated/schemas.ts';

/**
 * Returns the name under which the table of schemas contains a type that users import from `opsdk/k8s/<file>`.
 *
 * @param file the file, such as `core/v1`
 * @param typeName the name of the type, such as `ContainerPort`
 * @returns a name such as `io.k8s.api.core.v1.ContainerPort`; undefined if the type does not exist
 */
export function tableNameOf(file: string, typeName: string): string | undefined {
  if (!Object.hasOwn(prefixes, file)) return undefined;
  const name = `${prefixes[file] ?? ''}${typeName}`;
  return Object.hasOwn(schemas, name) || Object.hasOwn(knownTypes, name) ? name : undefined;
}

/**
 * Returns the name under which the table of schemas contains a built-in kind.
 *
 * @param apiVersion group and version, such as `apps/v1` or `v1`
 * @returns a name such as `io.k8s.api.apps.v1.Deployment`; undefined if the kind is not built in
 */
export function tableNameOfKind(apiVersion: string, kind: string): string | undefined {
  const key = `${apiVersion} ${kind}`;
  return Object.hasOwn(kinds, key) ? kinds[key] : undefined;
}

/** A kind that is built into Kubernetes. */
export interface BuiltInKind {
  /** The full name of the API group, such as `networking.k8s.io`; empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The file of the module `opsdk/k8s/<file>` that exports the kind, such as `networking/v1`. */
  readonly file: string;
}

/** All built-in kinds that can be imported from `opsdk/k8s/*`. */
export function kindsInTables(): readonly BuiltInKind[] {
  return Object.entries(kinds).flatMap(([key, name]): readonly BuiltInKind[] => {
    const [apiVersion = '', kind = ''] = key.split(' ');
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const file = `${group === '' ? 'core' : (group.split('.')[0] ?? '')}/${version}`;
    return prefixes[file] !== undefined && name.startsWith(prefixes[file])
      ? [{ group, version, kind, file }]
      : [];
  });
}

/** Pattern of a quantity such as `500m` or `2Gi`. Source: controller-tools `pkg/crd/known_types.go`. */
const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

const strings = (): StructuralSchema => ({ type: 'object', additionalProperties: { type: 'string' } });

/** Returns the schema of IntOrString. Do not reorder the items of `anyOf`, because the API server accepts only this order. */
const intOrString = (): StructuralSchema => ({
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
});

/**
 * Schemas of types with special semantics that their OpenAPI schema lacks. The schemas equal those that controller-gen writes. The schema
 * of embedded metadata declares the fields that users set in templates (controller-gen's `generateEmbeddedObjectMeta`), because the API
 * server would prune these fields from an object without declared fields.
 */
export const knownTypes: Readonly<Record<string, () => StructuralSchema>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': () => ({ ...intOrString(), pattern: quantityPattern }),
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': intOrString,
  'io.k8s.apimachinery.pkg.runtime.RawExtension': () => ({
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  }),
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': () => ({
    'x-kubernetes-preserve-unknown-fields': true,
  }),
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': () => ({ type: 'string', format: 'date-time' }),
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': () => ({ type: 'string', format: 'date-time' }),
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': () => ({
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  }),
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': () => ({
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

/** A type that users can import from `opsdk/k8s/<file>`. */
export interface TableType {
  /** The file in `opsdk/k8s`, such as `core/v1`. */
  readonly file: string;
  /** The name by which users import the type, such as `ContainerPort`. */
  readonly typeName: string;
  /** The name of the type in the table of schemas, such as `io.k8s.api.core.v1.ContainerPort`. */
  readonly name: string;
}

/** Returns the types of one file of `opsdk/k8s`, in the order of the table of schemas; empty for a file that does not exist. */
export function tableTypesOf(file: string): readonly TableType[] {
  const prefix = Object.hasOwn(prefixes, file) ? prefixes[file] : undefined;
  if (prefix === undefined) return [];
  return Object.keys(schemas)
    .filter((name) => name.startsWith(prefix) && !name.slice(prefix.length).includes('.'))
    .map((name) => ({ file, typeName: name.slice(prefix.length), name }));
}

const parsed = new Map<string, TableSchema>();

/**
 * Returns the schema of a built-in type as the API server describes it. The schema contains references to other types, and patch
 * strategies. Both are needed to merge and check objects. All callers share the result, so do not change it.
 *
 * @param name name in the table of schemas, such as `io.k8s.api.core.v1.Container`
 * @returns the schema, or undefined for a name that the table does not contain
 */
export function tableSchema(name: string): TableSchema | undefined {
  const known = parsed.get(name);
  if (known !== undefined || !Object.hasOwn(schemas, name)) return known;
  const schema = JSON.parse(schemas[name] ?? '') as TableSchema;
  parsed.set(name, schema);
  return schema;
}

/** Validation keywords that occur both in schemas of built-in types and in schemas of CRDs. They are copied to CRDs unchanged. */
interface Validation {
  readonly type?: string;
  readonly format?: string;
  /**
   * The default that the API server really sets. The API server's OpenAPI documents also list Go's zero values as defaults; these are
   * removed.
   */
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
}

/**
 * The schema of a built-in type, or of a part of one, as the API server describes it. It refers to other types by name, and includes patch
 * strategies.
 */
export interface TableSchema extends Validation {
  /** Name of another type whose schema applies. The keywords beside `$ref` refine that schema. */
  readonly $ref?: string;
  /**
   * The values that the API server of this Kubernetes version accepts. API servers of later versions may accept more, so a CRD must not be
   * restricted to these values.
   */
  readonly knownValues?: readonly string[];
  readonly properties?: Readonly<Record<string, TableSchema>>;
  readonly items?: TableSchema;
  readonly additionalProperties?: TableSchema;
  /** The strategy by which kustomize and `kubectl patch` merge the list or object: `merge`, `retainKeys`, or both, separated by a comma. */
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

/** A schema that is valid in a CRD, because it is structural and has no references. The caller owns the object and may change it. */
export interface StructuralSchema {
  type?: string;
  description?: string;
  format?: string;
  default?: Json;
  enum?: Json[];
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
