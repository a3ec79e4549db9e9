/** In which versions the objects of custom resources are stored: shows it, rewrites them, and checks whether a version can go. */
export { checkStorage, type ProjectDefinition, type VersionUse } from './check-storage.ts';
export { migrateStorage, type Migration, type MigrationRequest } from './migrate-storage.ts';
export { readStoredDefinition, type StoredDefinition } from './stored-definition.ts';
