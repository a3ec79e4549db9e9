/** Discovery of what an API server serves: kinds to paths and scopes, for tools that take any object. Operators name their types and never ask. */
export { discover } from './discover.ts';
export { createRestMapper, type RestMapper } from './rest-mapper.ts';
export type { ApiDirectory, ServedType } from './served-type.ts';
