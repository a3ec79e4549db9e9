import type { CatalogEntry } from './entry.ts';

export const runtimeErrors = {} as const satisfies Record<`runtime/${string}`, CatalogEntry>;
