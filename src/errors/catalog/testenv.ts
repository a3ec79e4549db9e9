import type { CatalogEntry } from './entry.ts';

export const testenvErrors = {} as const satisfies Record<`testenv/${string}`, CatalogEntry>;
