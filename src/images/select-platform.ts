import { OpSdkError } from '../base/errors/index.ts';
import { isIndex, isManifest, readIndex } from './manifest.ts';
import { formatPlatform, isSamePlatform } from './platform.ts';
import { readPlatformImage, type PlatformImage } from './platform-image.ts';
import type { ImageContent, Platform } from './types.ts';
import { attestedPlatform, namedPlatform, unnamedImages } from './index-entries.ts';

/**
 * Finds the part of an image that is for a platform, and checks that it is an image of layers. What an index says of its
 * manifests comes first; where that does not fit, the configurations of those count of which it says nothing.
 * @param name of the image, for the messages
 * @throws OpSdkError `oci/no-such-platform`, `oci/not-an-image`, `oci/invalid-manifest`, and what reading throws
 */
export async function selectPlatform(
  image: ImageContent,
  platform: Platform,
  name: string,
): Promise<PlatformImage> {
  if (!isIndex(image.root)) {
    const selected = await readPlatformImage(image, name);
    if (isSamePlatform(selected.config, platform)) return selected;
    throw noSuchPlatform(name, platform, [selected.config]);
  }
  const { manifests } = await readIndex(image, image.root);
  const offered: Platform[] = [];
  for (const entry of manifests) {
    const named = namedPlatform(entry);
    if (named === undefined || named.os === attestedPlatform) continue;
    if (isManifest(entry) && isSamePlatform(named, platform))
      return readPlatformImage({ root: entry, read: (descriptor) => image.read(descriptor) }, name);
    offered.push(named);
  }
  for await (const unnamed of unnamedImages(image, manifests, name)) {
    if (isSamePlatform(unnamed.config, platform)) return unnamed;
    offered.push(unnamed.config);
  }
  throw noSuchPlatform(name, platform, offered);
}

function noSuchPlatform(name: string, platform: Platform, offered: readonly Platform[]): OpSdkError {
  const names = [...new Set(offered.map(formatPlatform))];
  const list = names.length === 0 ? 'no platform' : names.join(', ');
  return new OpSdkError({
    code: 'oci/no-such-platform',
    message: `${name} is not for ${formatPlatform(platform)}; it is for ${list}`,
    where: { flag: '--platform' },
    fix: [
      ...(names.length === 0 ? [] : [`ask for what it has: --platform ${names.join(',')}`]),
      'name another image with --base',
    ],
  });
}
