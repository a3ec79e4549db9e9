/**
 * `opsdk`: all that an operator's source needs. Declare an API (`defineResource` and the utility types), write a controller
 * (`defineController` and its helpers), run it (`createManager`, `operatorMain`). Built-in kinds are in `opsdk/k8s/<group>/<version>`,
 * test control planes in `opsdk/testing`. Names are kept few: what only tools or tests need is not exported here, and
 * test/golden/exports lists every one.
 */
export type * from './api/meta.ts';
export type * from './api/types.ts';
export {
  defineResource,
  rbac,
  resourceToken,
  type JsonPath,
  type ObjectOf,
  type PrinterColumn,
  type RbacRule,
  type Resource,
  type ResourceDefinition,
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
  type Client,
  type ObjectKey,
  type Reader,
} from './kube/index.ts';
export { OpSdkError } from './errors/index.ts';
