/**
 * Discovery of the types that an API server serves. Maps kinds to paths and scopes, for tools that handle arbitrary objects. Operators do
 * not use discovery, because they declare their types.
 */
export {
  discover,
  createRestMapper,
  type RestMapper,
  type ApiDirectory,
  type ServedType,
} from './discover.ts';
