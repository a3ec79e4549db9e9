/**
 * `opsdk`: all that an operator's source needs. Declare an API (`defineResource` and the utility types), write a controller
 * (`defineController` and its helpers), run it (`createManager`, `operatorMain`). Built-in kinds are in `opsdk/k8s/<group>/<version>`,
 * test control planes in `opsdk/testing`. Names are kept few: what only tools or tests need is not exported here, and
 * test/golden/exports lists every one. Every type that a signature mentions is here too.
 */
export type * from './api/meta.ts';
export type * from './api/types.ts';
export {
  defineResource,
  externalResource,
  metadataOnly,
  rbac,
  type CelRule,
  type DefinitionForm,
  type Conversion,
  type ConversionClientConfig,
  type DeepReadonly,
  type ExternalResource,
  type FieldPath,
  type GroupOf,
  type JsonPath,
  type Mutable,
  type ObjectOf,
  type PartialObjectMetadata,
  type PrinterColumn,
  type RbacRule,
  type Resource,
  type ResourceDefinition,
  type ScalarPath,
  type ScaleSubresource,
  type StandardField,
  type Stored,
  type VersionOf,
} from './api/index.ts';
export * from './runtime/index.ts';
export {
  ApiError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  type ApplyObject,
  type ApplyOptions,
  type CallOptions,
  type CallTarget,
  type Client,
  type ClusterReader,
  type Cluster,
  type CreateObject,
  type Credentials,
  type DeepPartial,
  type DeleteOptions,
  type DeleteResult,
  type HeaderValues,
  type JsonPatchOperation,
  type ListOptions,
  type LiveReader,
  type ObjectKey,
  type Patch,
  type Reader,
  type Status,
  type StatusOf,
  type TlsMaterial,
  type WriteOptions,
  type Writer,
} from './kube/index.ts';
export { OpSdkError, type ErrorCode, type Finding, type FindingCode, type Where } from './errors/index.ts';
