import type { CatalogEntry } from './entry.ts';

export const schemaErrors = {} as const satisfies Record<`schema/${string}`, CatalogEntry>;
