/**
 * The vocabulary in which users declare their APIs: utility types, `defineResource`, `rbac`, object metadata.
 * Ships inside operators; no dependencies, next to no code.
 */
export type * from './meta.ts';
export type * from './types.ts';
export type { FieldPath, JsonPath, ScalarPath } from './paths.ts';
export type { GroupOf, ObjectOf, Resource, VersionOf } from './resource.ts';
export type { SchemaObject, StandardJsonSchema } from './standard-schema.ts';
export type { DeepReadonly, Mutable, Stored, StoredCopy } from './stored.ts';
export { metadataOnly, type PartialObjectMetadata } from './metadata-only.ts';
export { externalResource, type ExternalResource } from './external-resource.ts';
export {
  defineResource,
  type CelRule,
  type DefinitionForm,
  type Conversion,
  type ConversionClientConfig,
  type PrinterColumn,
  type ResourceDefinition,
  type ScaleSubresource,
  type SchemaResourceDefinition,
  type StandardField,
} from './define-resource.ts';
export { rbac, type RbacRule } from './rbac.ts';
