import type { CatalogEntry } from './entry.ts';

export const projectErrors = {} as const satisfies Record<`project/${string}`, CatalogEntry>;
