import { composeContent, descriptorOf } from './blob.ts';
import type { ImageManifest } from './manifest.ts';
import { mediaTypes, type Descriptor, type ImageContent } from './types.ts';

/** A document about an image, such as its bill of materials. */
interface Attachment {
  /** Media type of the document, by which clients find it among the referrers of the image. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** Name of the file to which clients write the document. */
  readonly fileName: string;
}

/** The empty JSON object, which artifacts without configuration name as theirs. Source: OCI image-spec, manifest.md. */
const emptyConfig = { mediaType: 'application/vnd.oci.empty.v1+json', bytes: Buffer.from('{}') };

/**
 * Attaches a document to an image: the image becomes the subject of an artifact that holds the document. Both are stored and pushed
 * together. The image itself, and so its digest, stays the same.
 * @see https://github.com/opencontainers/image-spec/blob/main/manifest.md#guidelines-for-artifact-usage
 */
export function attach(content: ImageContent, { mediaType, bytes, fileName }: Attachment): ImageContent {
  const { mediaType: type, digest, size } = content.root;
  const config = descriptorOf(emptyConfig.mediaType, emptyConfig.bytes);
  const layer = descriptorOf(mediaType, bytes);
  const manifest: ImageManifest = {
    schemaVersion: 2,
    mediaType: mediaTypes.oci.manifest,
    artifactType: mediaType,
    config,
    layers: [{ ...layer, annotations: { 'org.opencontainers.image.title': fileName } }],
    subject: { mediaType: type, digest, size },
  };
  const manifestBytes = Buffer.from(JSON.stringify(manifest));
  const referrer: Descriptor = {
    ...descriptorOf(mediaTypes.oci.manifest, manifestBytes),
    artifactType: mediaType,
  };
  const own = new Map<string, Uint8Array>([
    [config.digest, emptyConfig.bytes],
    [layer.digest, bytes],
    [referrer.digest, manifestBytes],
  ]);
  const attached = composeContent(content.root, own);
  return {
    root: content.root,
    referrers: [...(content.referrers ?? []), referrer],
    read: (descriptor) => (own.has(descriptor.digest) ? attached : content).read(descriptor),
  };
}
