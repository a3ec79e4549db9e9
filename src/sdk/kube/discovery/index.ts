/**
 * Discovery of the types that an API server serves: maps kinds to paths and scopes, for tools that handle arbitrary objects. Operators name
 * their types and do not use it.
 */
export {
  discover,
  createRestMapper,
  type RestMapper,
  type ApiDirectory,
  type ServedType,
} from './discover.ts';
