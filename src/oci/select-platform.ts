import { OpSdkError } from '../errors/index.ts';
import { readBlob } from './blob.ts';
import { parseImageConfig, type ImageConfig } from './image-config.ts';
import { isIndex, isManifest, readIndex, readImageManifest, type ImageManifest } from './manifest.ts';
import { formatPlatform, isSamePlatform } from './platform.ts';
import { mediaTypes, type Descriptor, type ImageContent, type Platform } from './types.ts';

/** An image for one platform, with what is needed to build on it. */
export interface PlatformImage {
  readonly content: ImageContent;
  readonly manifest: ImageManifest;
  readonly config: ImageConfig;
}

/** The largest configuration that is read, in bytes. */
const largestConfig = 4 * 1024 * 1024;

/**
 * Finds the part of an image that is for a platform, and checks that it is an image of layers.
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
  const found = manifests.find(
    (entry) => isManifest(entry) && entry.platform !== undefined && isSamePlatform(entry.platform, platform),
  );
  if (found === undefined) {
    const offered = manifests.flatMap((entry) => (entry.platform === undefined ? [] : [entry.platform]));
    // Build tools keep attestations under this name.
    throw noSuchPlatform(
      name,
      platform,
      offered.filter(({ os }) => os !== 'unknown'),
    );
  }
  return readPlatformImage({ root: found, read: (descriptor) => image.read(descriptor) }, name);
}

/**
 * Reads the manifest and the configuration of an image for one platform.
 * @throws OpSdkError `oci/not-an-image`, `oci/invalid-manifest`, and what reading throws
 */
export async function readPlatformImage(content: ImageContent, name: string): Promise<PlatformImage> {
  if (!isManifest(content.root)) throw notAnImage(name, content.root, `it is a ${content.root.mediaType}`);
  const manifest = await readImageManifest(content, content.root);
  const { config: described, artifactType } = manifest;
  const isImage = [mediaTypes.oci.config, mediaTypes.docker.config].some(
    (type) => type === described.mediaType,
  );
  if (!isImage || artifactType !== undefined)
    throw notAnImage(name, content.root, `it is an artifact (${artifactType ?? described.mediaType})`);
  if (described.size > largestConfig)
    throw notAnImage(name, content.root, `its configuration has ${described.size} bytes`);
  const config = parseImageConfig(await readBlob(content, described), described, name);
  const layers = manifest.layers.length;
  const diffIds = config.rootfs.diff_ids.length;
  if (layers !== diffIds)
    throw notAnImage(name, content.root, `its manifest has ${layers} layers, its configuration ${diffIds}`);
  return { content, manifest, config };
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

function notAnImage(name: string, { digest }: Descriptor, why: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/not-an-image',
    message: `${name} is not a container image: ${why}`,
    where: { object: digest },
    fix: ['name a container image with --base, such as node:24-slim'],
  });
}
