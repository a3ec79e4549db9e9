import type { CatalogEntry } from './entry.ts';

export const kustomizeErrors = {} as const satisfies Record<`kustomize/${string}`, CatalogEntry>;
