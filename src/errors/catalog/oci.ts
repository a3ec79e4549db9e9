import type { CatalogEntry } from './entry.ts';

export const ociErrors = {} as const satisfies Record<`oci/${string}`, CatalogEntry>;
