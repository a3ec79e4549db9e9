import { OpSdkError } from '../errors/index.ts';
import { readBlob } from './blob.ts';
import { mediaTypes, type Descriptor, type ImageContent } from './types.ts';

/** The manifest of an image for one platform: its configuration and its layers, lowest first. */
export interface ImageManifest {
  readonly schemaVersion: 2;
  readonly mediaType?: string;
  /** Set for things that are no image but are kept in registries, too. */
  readonly artifactType?: string;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The index over the manifests of several platforms. */
export interface ImageIndex {
  readonly schemaVersion: 2;
  readonly mediaType?: string;
  readonly manifests: readonly Descriptor[];
  readonly annotations?: Readonly<Record<string, string>>;
}

/** More than any real manifest; registries have the same limit. */
const largestManifest = 4 * 1024 * 1024;

/** Whether a descriptor points to an index or manifest list. */
export function isIndex({ mediaType }: Pick<Descriptor, 'mediaType'>): boolean {
  return mediaType === mediaTypes.oci.index || mediaType === mediaTypes.docker.index;
}

/** Whether a descriptor points to a manifest of one image. */
export function isManifest({ mediaType }: Pick<Descriptor, 'mediaType'>): boolean {
  return mediaType === mediaTypes.oci.manifest || mediaType === mediaTypes.docker.manifest;
}

/** Whether a layer may lie elsewhere than with its image: such layers are referred to, never copied. */
export function isForeignLayer({ mediaType }: Pick<Descriptor, 'mediaType'>): boolean {
  return (
    mediaType.startsWith('application/vnd.oci.image.layer.nondistributable.v1.') ||
    mediaType.startsWith('application/vnd.docker.image.rootfs.foreign.')
  );
}

/**
 * Reads an index.
 * @throws OpSdkError `oci/invalid-manifest`, and what reading throws
 */
export async function readIndex(content: ImageContent, descriptor: Descriptor): Promise<ImageIndex> {
  const value = await readDocument(content, descriptor);
  if (!Array.isArray(value['manifests']) || !value['manifests'].every(isDescriptor))
    throw invalid(descriptor, 'it has no list of manifests');
  return value as unknown as ImageIndex;
}

/**
 * Reads a manifest.
 * @throws OpSdkError `oci/invalid-manifest`, and what reading throws
 */
export async function readImageManifest(
  content: ImageContent,
  descriptor: Descriptor,
): Promise<ImageManifest> {
  const value = await readDocument(content, descriptor);
  if (!isDescriptor(value['config'])) throw invalid(descriptor, 'it has no configuration');
  if (!Array.isArray(value['layers']) || !value['layers'].every(isDescriptor))
    throw invalid(descriptor, 'it has no list of layers');
  return value as unknown as ImageManifest;
}

/** What an image consists of, everything once, in an order in which it may be stored. */
export interface ImageParts {
  /** Configurations and layers, without layers that lie elsewhere. */
  readonly blobs: readonly Descriptor[];
  /** Manifests and indexes; each comes after all that it refers to, the root last. */
  readonly manifests: readonly Descriptor[];
}

/**
 * Lists all that an image consists of, by reading its manifests.
 * @throws OpSdkError `oci/invalid-manifest`, and what reading throws
 */
export async function imageParts(content: ImageContent): Promise<ImageParts> {
  const blobs = new Map<string, Descriptor>();
  const manifests = new Map<string, Descriptor>();
  const visit = async (descriptor: Descriptor, depth: number): Promise<void> => {
    if (manifests.has(descriptor.digest)) return;
    if (depth > 4) throw invalid(descriptor, 'indexes are nested too deeply');
    if (isIndex(descriptor)) {
      for (const child of (await readIndex(content, descriptor)).manifests) await visit(child, depth + 1);
    } else {
      const { config, layers } = await readImageManifest(content, descriptor);
      for (const blob of [config, ...layers]) if (!isForeignLayer(blob)) blobs.set(blob.digest, blob);
    }
    manifests.set(descriptor.digest, descriptor);
  };
  await visit(content.root, 0);
  return { blobs: [...blobs.values()], manifests: [...manifests.values()] };
}

/** Whether a value of JSON has the form of a descriptor. */
export function isDescriptor(value: unknown): value is Descriptor {
  if (typeof value !== 'object' || value === null) return false;
  const { mediaType, digest, size } = value as Partial<Record<string, unknown>>;
  return (
    typeof mediaType === 'string' &&
    typeof digest === 'string' &&
    /^sha256:[0-9a-f]{64}$/.test(digest) &&
    Number.isSafeInteger(size) &&
    (size as number) >= 0
  );
}

async function readDocument(content: ImageContent, descriptor: Descriptor): Promise<Record<string, unknown>> {
  if (descriptor.size > largestManifest) throw invalid(descriptor, `it has ${descriptor.size} bytes`);
  const bytes = await readBlob(content, descriptor);
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw invalid(descriptor, 'it is not a JSON object');
}

function invalid({ digest, mediaType }: Descriptor, why: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/invalid-manifest',
    message: `the manifest ${digest} (${mediaType}) is not one: ${why}`,
    where: { object: digest },
    fix: ['build or push the image again, or name another one'],
  });
}
