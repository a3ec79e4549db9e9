import { attestedPlatform, namedPlatform, unnamedImages } from './index-entries.ts';
import { isIndex, readIndex } from './manifest.ts';
import { readPlatformImage } from './platform-image.ts';
import type { ImageContent, Platform } from './types.ts';

/**
 * Returns the platforms of an image: the platforms of its index without those of attestations, or of the configurations for which the
 * index names none; of an image without index, the one of its configuration.
 * @param name of the image, for the messages
 * @throws OpSdkError `oci/not-an-image`, `oci/invalid-manifest`, and what reading throws
 */
export async function imagePlatforms(image: ImageContent, name: string): Promise<readonly Platform[]> {
  if (!isIndex(image.root)) {
    const { os, architecture } = (await readPlatformImage(image, name)).config;
    return [{ os, architecture }];
  }
  const { manifests } = await readIndex(image, image.root);
  const platforms = manifests
    .flatMap((entry) => namedPlatform(entry) ?? [])
    .filter(({ os, architecture }) => os !== attestedPlatform && architecture !== attestedPlatform);
  for await (const { config } of unnamedImages(image, manifests, name)) {
    const { os, architecture } = config;
    platforms.push({ os, architecture });
  }
  return platforms;
}
