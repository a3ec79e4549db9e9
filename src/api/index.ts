/**
 * The vocabulary in which users declare their APIs: utility types, `defineResource`, `rbac`, object metadata.
 * Ships inside operators; no dependencies, next to no code.
 */
export type * from './meta.ts';
export type * from './types.ts';
export type { JsonPath } from './paths.ts';
export { resourceToken, type ObjectOf, type Resource } from './resource.ts';
export { defaultPlural } from './plural.ts';
export { defineResource, type PrinterColumn, type ResourceDefinition } from './define-resource.ts';
export { rbac, type RbacRule } from './rbac.ts';
