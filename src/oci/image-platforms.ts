import { isIndex, readIndex } from './manifest.ts';
import { readPlatformImage } from './select-platform.ts';
import type { ImageContent, Platform } from './types.ts';

/**
 * What an image runs on: the platforms of its index without those of attestations, or the one of its configuration.
 * @param name of the image, for the messages
 * @throws OpSdkError `oci/not-an-image`, `oci/invalid-manifest`, and what reading throws
 */
export async function imagePlatforms(image: ImageContent, name: string): Promise<readonly Platform[]> {
  if (!isIndex(image.root)) {
    const { os, architecture } = (await readPlatformImage(image, name)).config;
    return [{ os, architecture }];
  }
  const { manifests } = await readIndex(image, image.root);
  return manifests
    .flatMap(({ platform }) => (platform === undefined ? [] : [platform]))
    .filter(({ os, architecture }) => isKnown(os) && isKnown(architecture));
}

// Build tools keep attestations under this name.
const isKnown = (text: unknown): boolean => typeof text === 'string' && text !== '' && text !== 'unknown';
