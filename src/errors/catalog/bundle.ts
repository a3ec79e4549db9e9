import type { CatalogEntry } from './entry.ts';

export const bundleErrors = {} as const satisfies Record<`bundle/${string}`, CatalogEntry>;
