import type { CatalogEntry } from './entry.ts';

export const clusterErrors = {} as const satisfies Record<`cluster/${string}`, CatalogEntry>;
