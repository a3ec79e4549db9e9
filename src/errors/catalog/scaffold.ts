import type { CatalogEntry } from './entry.ts';

export const scaffoldErrors = {} as const satisfies Record<`scaffold/${string}`, CatalogEntry>;
