import type { CatalogEntry } from './entry.ts';

export const manifestsErrors = {} as const satisfies Record<`manifests/${string}`, CatalogEntry>;
