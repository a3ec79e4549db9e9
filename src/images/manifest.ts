import { OpSdkError } from '../base/errors/index.ts';
import { integer, list, mapped, object, string } from '../base/util/json-reader.ts';
import { documentStyle, invalid as invalidPart, readJson, type JsonReader } from '../base/util/read-json.ts';
import { readBlob } from './blob.ts';
import { mediaTypes, type Descriptor, type ImageContent } from './types.ts';

/** The manifest of an image for one platform. It refers to the configuration and to the layers, lowest layer first. */
export interface ImageManifest {
  readonly schemaVersion: 2;
  readonly mediaType?: string;
  /** Set only in manifests of registry artifacts that are not images. */
  readonly artifactType?: string;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  /** The manifest or index that an artifact is about. */
  readonly subject?: Descriptor;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The index that lists the manifests of an image for several platforms. */
export interface ImageIndex {
  readonly schemaVersion: 2;
  readonly mediaType?: string;
  readonly manifests: readonly Descriptor[];
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Maximum size of a manifest in bytes. Registries have the same limit, and real manifests are smaller. */
const largestManifest = 4 * 1024 * 1024;

const again = 'build or push the image again, or name another one';

/** Returns true if a descriptor points to an OCI index or a Docker manifest list. */
export function isIndex({ mediaType }: Pick<Descriptor, 'mediaType'>): boolean {
  return mediaType === mediaTypes.oci.index || mediaType === mediaTypes.docker.index;
}

/** Returns true if a descriptor points to a manifest of one image. */
export function isManifest({ mediaType }: Pick<Descriptor, 'mediaType'>): boolean {
  return mediaType === mediaTypes.oci.manifest || mediaType === mediaTypes.docker.manifest;
}

/** Returns true if a layer may be stored outside its image. Images only refer to such a layer; it is never copied. */
export function isForeignLayer({ mediaType }: Pick<Descriptor, 'mediaType'>): boolean {
  return (
    mediaType.startsWith('application/vnd.oci.image.layer.nondistributable.v1.') ||
    mediaType.startsWith('application/vnd.docker.image.rootfs.foreign.')
  );
}

/**
 * Reads and checks the index of an image for several platforms.
 * @throws OpSdkError `oci/invalid-manifest`, and the errors of reading
 */
export function readIndex(content: ImageContent, descriptor: Descriptor): Promise<ImageIndex> {
  return readDocument(indexReader, content, descriptor);
}

/**
 * Reads and checks the manifest of an image for one platform.
 * @throws OpSdkError `oci/invalid-manifest`, and the errors of reading
 */
export function readImageManifest(content: ImageContent, descriptor: Descriptor): Promise<ImageManifest> {
  return readDocument(manifestReader, content, descriptor);
}

/** Parts of an image without duplicates, in an order in which they can be stored. */
interface ImageParts {
  /** Configurations and layers, except layers that are stored outside the image. */
  readonly blobs: readonly Descriptor[];
  /** Manifests and indexes. Each follows everything that it refers to: the root is last, and only followed by its referrers. */
  readonly manifests: readonly Descriptor[];
}

/**
 * Lists all parts of an image and of its referrers by reading the manifests.
 * @throws OpSdkError `oci/invalid-manifest`, and the errors of reading
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
  for (const root of [content.root, ...(content.referrers ?? [])]) await visit(root, 0);
  return { blobs: [...blobs.values()], manifests: [...manifests.values()] };
}

const digestReader = mapped(string, (digest, place) =>
  /^sha256:[0-9a-f]{64}$/.test(digest)
    ? digest
    : invalidPart(place, 'expected sha256: and 64 hexadecimal digits', again),
);

const sizeReader = mapped(integer, (size, place) =>
  size >= 0 ? size : invalidPart(place, 'expected a number of bytes', again),
);

const descriptorReader = object(
  { mediaType: string, digest: digestReader, size: sizeReader },
  { required: { mediaType: again, digest: again, size: again }, others: 'ignore' },
);
const indexReader = object(
  { manifests: list(descriptorReader) },
  { required: { manifests: again }, others: 'ignore' },
);
const manifestReader = object(
  { config: descriptorReader, layers: list(descriptorReader) },
  { required: { config: again, layers: again }, others: 'ignore' },
);

/** Returns true if a JSON value has the form of a descriptor. */
export function isDescriptor(value: unknown): value is Descriptor {
  return readJson(descriptorReader, value, 'the descriptor', { style: documentStyle }).problems.length === 0;
}

/** Returns true if a JSON value has the form of an image index. */
export function isImageIndex(value: unknown): value is ImageIndex {
  return readJson(indexReader, value, 'the index', { style: documentStyle }).problems.length === 0;
}

/** Reads and checks a JSON document. Returns the document unchanged, including fields that are not checked. */
async function readDocument<T>(
  reader: JsonReader<unknown>,
  content: ImageContent,
  descriptor: Descriptor,
): Promise<T> {
  if (descriptor.size > largestManifest) throw invalid(descriptor, `it has ${descriptor.size} bytes`);
  const bytes = await readBlob(content, descriptor);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalid(descriptor, 'it is not JSON');
  }
  const { problems } = readJson(reader, value, 'the manifest', { style: documentStyle });
  if (problems.length > 0) throw invalid(descriptor, ...problems.map(({ message }) => message));
  return value as T;
}

function invalid({ digest, mediaType }: Descriptor, ...problems: readonly string[]): OpSdkError {
  return new OpSdkError(
    problems.map((problem) => ({
      code: 'oci/invalid-manifest',
      message: `invalid manifest ${digest} (${mediaType}): ${problem}`,
      where: { object: digest },
      fix: [again],
    })),
  );
}
