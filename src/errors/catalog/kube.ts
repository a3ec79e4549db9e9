import type { CatalogEntry } from './entry.ts';

export const kubeErrors = {} as const satisfies Record<`kube/${string}`, CatalogEntry>;
