/**
 * Images without a daemon: names of images, reproducible layers, manifests and indexes, the layout on disk in which built
 * images live, and archives of them. What talks to registries is in `registry/`. Nothing here knows what an image is for.
 */
export { formatReference, parseReference, tagOrDigest, withDefaultTag } from './reference.ts';
export {
  mediaTypes,
  type Descriptor,
  type ImageContent,
  type ImageFormat,
  type ImageReference,
  type Platform,
} from './types.ts';
export { readBlob } from './blob.ts';
export { buildImage, joinPlatforms, type BuildImageOptions, type BuiltImage } from './build-image.ts';
export { checkDestination, parseDestination, writeImage, type Destination } from './destination.ts';
export { folderEntries, type LayerEntry } from './folder-entries.ts';
export { createLayer, sha256, type Layer } from './layer.ts';
export { imagePlatforms } from './image-platforms.ts';
export { openCached } from './image-cache.ts';
export { imageStore, listLayout, readLayout, type LayoutEntry } from './layout.ts';
export { imageParts, isIndex, readIndex, readImageManifest } from './manifest.ts';
export { resolvePlace, type Place } from './place.ts';
export { formatPlatform, parsePlatforms } from './platform.ts';
export type { PlatformImage } from './platform-image.ts';
export { selectPlatform } from './select-platform.ts';
export { storeImage } from './store-image.ts';
