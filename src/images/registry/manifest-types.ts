import { mediaTypes } from '../types.ts';

/** The kinds of manifest that are understood. Without them all in Accept, registries answer 404 for what they have. */
export const manifestTypes: readonly string[] = [
  mediaTypes.oci.index,
  mediaTypes.oci.manifest,
  mediaTypes.docker.index,
  mediaTypes.docker.manifest,
];

/** The Accept header for manifests. */
export const acceptedManifests = manifestTypes.join(', ');

/** The largest manifest that is read, in bytes: registries take no larger ones. */
export const largestManifest = 4 * 1024 * 1024;
