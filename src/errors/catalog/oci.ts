import type { CatalogEntry } from './entry.ts';

export const ociErrors = {
  'oci/invalid-reference': {
    title: 'A text is no name of an image',
    explain:
      'Images are named registry/repository:tag, or registry/repository@sha256:… for exactly one. Repositories are in lower case; a name without registry belongs to docker.io.',
    exit: 2,
  },
} as const satisfies Record<`oci/${string}`, CatalogEntry>;
