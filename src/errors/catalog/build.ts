import type { CatalogEntry } from './entry.ts';

export const buildErrors = {} as const satisfies Record<`build/${string}`, CatalogEntry>;
