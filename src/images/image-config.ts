import { OpSdkError } from '../base/errors/index.ts';
import { list, object, string } from '../base/util/json-reader.ts';
import { documentStyle, readJson } from '../base/util/read-json.ts';
import { type Descriptor, type Platform, mediaTypes, type ImageContent } from './types.ts';
import { readBlob } from './blob.ts';
import { isManifest, readImageManifest, type ImageManifest } from './manifest.ts';

/** Settings with which the containers of an image start. The formats of Docker and OCI have the same fields. */
export interface ContainerConfig {
  /** User and group, by name or number: `65532:65532`. */
  readonly User?: string;
  /** Environment variables, each as `NAME=value`. */
  readonly Env?: readonly string[];
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly WorkingDir?: string;
  readonly Labels?: Readonly<Record<string, string>>;
  /** Other fields that a base image may have, such as ports, volumes and the stop signal. */
  readonly [field: string]: unknown;
}

/** One build step in the history of an image. */
export interface HistoryEntry {
  readonly created?: string;
  readonly created_by?: string;
  readonly comment?: string;
  /** True if the step added no layer. */
  readonly empty_layer?: boolean;
}

/**
 * The configuration of an image.
 * @see https://github.com/opencontainers/image-spec/blob/main/config.md
 */
export interface ImageConfig extends Platform {
  readonly created?: string;
  readonly author?: string;
  readonly 'os.version'?: string;
  readonly 'os.features'?: readonly string[];
  readonly config?: ContainerConfig;
  readonly rootfs: { readonly type: 'layers'; readonly diff_ids: readonly string[] };
  readonly history?: readonly HistoryEntry[];
}

/**
 * Reads the configuration of an image.
 * @param name name of the image, for the message
 * @throws OpSdkError `oci/not-an-image`
 */
export function parseImageConfig(bytes: Uint8Array, { digest }: Descriptor, name: string): ImageConfig {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (isImageConfig(value)) return value;
  throw new OpSdkError({
    code: 'oci/not-an-image',
    message: `${name} cannot be run: its configuration ${digest} has no os, architecture and rootfs`,
    where: { object: digest },
    fix: ['name a container image, not a chart, a bundle of policies or another artifact'],
  });
}

const missing = 'add it';
const configReader = object(
  {
    os: string,
    architecture: string,
    rootfs: object({ diff_ids: list(string) }, { required: { diff_ids: missing }, others: 'ignore' }),
  },
  { required: { os: missing, architecture: missing, rootfs: missing }, others: 'ignore' },
);

function isImageConfig(value: unknown): value is ImageConfig {
  const { value: config, problems } = readJson(configReader, value, 'the configuration', {
    style: documentStyle,
  });
  return problems.length === 0 && config?.os !== '' && config?.architecture !== '';
}

/** An image for one platform, with its manifest and configuration, which are needed to build another image on it. */
export interface PlatformImage {
  readonly content: ImageContent;
  readonly manifest: ImageManifest;
  readonly config: ImageConfig;
}

/** Maximum size in bytes of an image configuration that is read. */
const largestConfig = 4 * 1024 * 1024;

/**
 * Reads the manifest and the configuration of an image for one platform.
 * @throws OpSdkError `oci/not-an-image`, `oci/invalid-manifest`, and the errors of reading
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
