import { OpSdkError } from '../base/errors/index.ts';
import { readBlob } from './blob.ts';
import { parseImageConfig, type ImageConfig } from './image-config.ts';
import { isManifest, readImageManifest, type ImageManifest } from './manifest.ts';
import { mediaTypes, type Descriptor, type ImageContent } from './types.ts';

/** An image for one platform, with what is needed to build on it. */
export interface PlatformImage {
  readonly content: ImageContent;
  readonly manifest: ImageManifest;
  readonly config: ImageConfig;
}

/** The largest configuration that is read, in bytes. */
const largestConfig = 4 * 1024 * 1024;

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

function notAnImage(name: string, { digest }: Descriptor, why: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/not-an-image',
    message: `${name} is not a container image: ${why}`,
    where: { object: digest },
    fix: ['name a container image with --base, such as node:24-slim'],
  });
}
