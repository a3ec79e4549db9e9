/**
 * Types and functions with which users declare their APIs: utility types, `defineResource`, `rbac`, object metadata. The module is bundled
 * into operators, so it has no dependencies and hardly any code.
 */
export type {
  ObjectMeta,
  OwnerReference,
  ManagedFieldsEntry,
  ListMeta,
  NamedObjectMeta,
  KubeObject,
  KubeList,
  CustomResource,
  Condition,
} from './meta.ts';
export type {
  Int32,
  Int64,
  Integer,
  Float32,
  Double,
  Float,
  Quantity,
  IntOrString,
  DateTime,
  Duration,
  Base64,
  Json,
  JsonObject,
  EmptyObject,
  RawExtension,
  EmbeddedResource,
  AtomicMap,
  AtomicObject,
  EmbeddedObjectMeta,
  ListMap,
  ListSet,
  AtomicList,
  ExactlyOneOf,
  AtMostOneOf,
  AtLeastOneOf,
} from './types.ts';
export type {
  FieldPath,
  JsonPath,
  ScalarPath,
  SchemaObject,
  StandardJsonSchema,
  DeepReadonly,
  Mutable,
  Stored,
  StoredCopy,
} from './standard-schema.ts';
export {
  type GroupOf,
  type ObjectOf,
  type Resource,
  type VersionOf,
  externalResource,
  type ExternalResource,
  ifServed,
  metadataOnly,
  type PartialObjectMetadata,
} from './resource.ts';
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
export {
  conditionReasonFormat,
  conditionTypeFormat,
  eventNameFormat,
  hasFormat,
  type NameFormat,
} from './name-formats.ts';
