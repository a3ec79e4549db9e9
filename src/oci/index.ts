/**
 * Images without a daemon: names of images, reproducible layers, manifests and indexes, the layout on disk in which built
 * images live, and archives of them. What talks to registries is in `registry/`. Nothing here knows what an image is for.
 */
export { formatReference, parseReference, tagOrDigest } from './reference.ts';
export {
  mediaTypes,
  type Descriptor,
  type ImageContent,
  type ImageFormat,
  type ImageReference,
  type Platform,
} from './types.ts';
