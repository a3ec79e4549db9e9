/** Discovery of what an API server serves: kinds to paths and scopes, for tools that take any object. Operators name their types and never ask. */
export {
  discover,
  createRestMapper,
  type RestMapper,
  type ApiDirectory,
  type ServedType,
} from './discover.ts';
