import { composeContent, descriptorOf } from './blob.ts';
import type { ImageManifest } from './manifest.ts';
import { mediaTypes, type ImageContent } from './types.ts';

/** A document or an archive that registries store beside images. */
interface Artifact {
  /** Media type and bytes of the configuration. Its media type tells clients the kind of the artifact. */
  readonly config: { readonly mediaType: string; readonly bytes: Uint8Array };
  readonly layer: { readonly mediaType: string; readonly bytes: Uint8Array };
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * Returns an artifact with one layer as the content of an image, which can be pushed.
 * @see https://github.com/opencontainers/image-spec/blob/main/manifest.md#guidelines-for-artifact-usage
 */
export function artifactContent({ config, layer, annotations }: Artifact): ImageContent {
  const parts = [config, layer].map(({ mediaType, bytes }) => descriptorOf(mediaType, bytes));
  const [configDescriptor, layerDescriptor] = parts as [(typeof parts)[0], (typeof parts)[0]];
  const manifest: ImageManifest = {
    schemaVersion: 2,
    mediaType: mediaTypes.oci.manifest,
    config: configDescriptor,
    layers: [layerDescriptor],
    annotations,
  };
  const bytes = Buffer.from(JSON.stringify(manifest));
  const root = descriptorOf(mediaTypes.oci.manifest, bytes);
  return composeContent(
    root,
    new Map([
      [configDescriptor.digest, config.bytes],
      [layerDescriptor.digest, layer.bytes],
      [root.digest, bytes],
    ]),
  );
}
