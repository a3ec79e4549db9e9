/**
 * Images without a daemon: image names, reproducible layers, manifests and indexes, the layout on disk that holds built images, and
 * archives of images. The registry client is in `registry/`. The code in this module does not depend on the purpose of an image.
 */
export { imageCodes } from './codes.ts';
export { formatReference, parseReference, tagOrDigest, withDefaultTag } from './reference.ts';
export {
  mediaTypes,
  type Descriptor,
  type ImageContent,
  type ImageFormat,
  type ImageReference,
  type Platform,
  resolvePlace,
  type Place,
} from './types.ts';
export { readBlob, createLayer, sha256, type Layer } from './blob.ts';
export { buildImage, joinPlatforms, type BuildImageOptions, type BuiltImage } from './build-image.ts';
export { checkDestination, parseDestination, writeImage, type Destination } from './destination.ts';
export { folderEntries, type LayerEntry } from './folder-entries.ts';
export { imagePlatforms, formatPlatform, parsePlatforms, selectPlatform } from './platforms.ts';
export { openCached } from './image-cache.ts';
export { imageStore, listLayout, readLayout, type LayoutEntry } from './layout.ts';
export { imageParts, isIndex, readIndex, readImageManifest } from './manifest.ts';
export type { PlatformImage } from './image-config.ts';
export { artifactContent } from './artifact.ts';
export { attach } from './referrer.ts';
export { storeImage } from './store-image.ts';
export { asksForCredentials, loadAuthorities } from './registry/authorities.ts';
export { identityTokenUser } from './registry/credentials/credential-helper.ts';
export { findCredentials } from './registry/credentials/find-credentials.ts';
export type { StorableSecret } from './registry/credentials/auth-file.ts';
export { checkLogin, storeLogin, eraseLogin } from './registry/login.ts';
export { parseMirror, type RegistryMirror } from './registry/mirrors.ts';
export { type RegistryOptions, credentialsKeys } from './registry/options.ts';
export { pullImage } from './registry/pull-image.ts';
export { pushImage } from './registry/push-image.ts';
export { imageLabels, unpackImage } from './unpack-image.ts';
