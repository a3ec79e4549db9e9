import { FindingList } from '../base/errors/index.ts';
import { composeContent, descriptorOf, type Layer } from './blob.ts';
import type { ContainerConfig, HistoryEntry, ImageConfig, PlatformImage } from './image-config.ts';
import type { ImageIndex, ImageManifest } from './manifest.ts';
import { mediaTypes, type ImageContent, type ImageFormat, type Platform, type Descriptor } from './types.ts';

/** Fixed creation time of images, because equal content must give equal bytes. */
const epoch = '1970-01-01T00:00:00Z';

export interface BuildImageOptions {
  readonly format: ImageFormat;
  readonly platform: Platform;
  /** Layers to put on the base image, lowest first. */
  readonly layers: readonly Layer[];
  /**
   * Settings that override the configuration of the base image. Labels are merged; a new entrypoint also drops the command of the base
   * image.
   */
  readonly config: ContainerConfig;
  /** Base image, on which the layers are put. Default: none, as with `FROM scratch`. */
  readonly base?: PlatformImage;
  /** Annotations of the manifest, used only in OCI's format, because Docker's format has none. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An image for one platform, which can be a part of an index for several platforms. */
export interface BuiltImage {
  readonly platform: Platform;
  readonly content: ImageContent;
  /** The digests of all blobs and manifests that {@link BuiltImage.content} can read. */
  readonly digests: readonly string[];
}

/**
 * Builds an image: creates configuration and manifest from layers and, if given, a base image. The result depends only on the arguments;
 * the layers of the base image are not read.
 * @throws OpSdkError `oci/layer-type`, `oci/base-onbuild`: all findings
 */
export function buildImage(options: BuildImageOptions): BuiltImage {
  const { format, layers, base, annotations, platform } = options;
  const types = mediaTypes[format];
  const findings = new FindingList();
  if (base !== undefined) checkOnBuild(base, findings);
  const baseLayers = convertLayers(base?.manifest.layers ?? [], format, findings);
  findings.throwIfAny();
  const config = jsonBytes(imageConfig(options));
  const manifest: ImageManifest = {
    schemaVersion: 2,
    mediaType: types.manifest,
    config: descriptorOf(types.config, config),
    layers: [
      ...baseLayers,
      ...layers.map(({ bytes, digest }) => ({ mediaType: types.layer, digest, size: bytes.length })),
    ],
    ...(format === 'oci' && annotations !== undefined ? { annotations } : {}),
  };
  const bytes = jsonBytes(manifest);
  const root = descriptorOf(types.manifest, bytes);
  const own = new Map<string, Uint8Array>(layers.map((layer) => [layer.digest, layer.bytes]));
  own.set(manifest.config.digest, config).set(root.digest, bytes);
  const borrowed = new Map<string, ImageContent>();
  if (base !== undefined) for (const { digest } of baseLayers) borrowed.set(digest, base.content);
  return {
    platform,
    content: composeContent(root, own, borrowed),
    digests: [...own.keys(), ...borrowed.keys()],
  };
}

/**
 * Joins images for several platforms into one image. A single image is returned as it is; several images become an index in the given
 * order.
 * @throws TypeError if `images` is empty
 */
export function joinPlatforms(images: readonly BuiltImage[], format: ImageFormat): ImageContent {
  const [first] = images;
  if (first === undefined) throw new TypeError('an image needs a platform');
  if (images.length === 1) return first.content;
  const mediaType = mediaTypes[format].index;
  const index: ImageIndex = {
    schemaVersion: 2,
    mediaType,
    manifests: images.map(({ content, platform }) => ({ ...content.root, platform })),
  };
  const bytes = jsonBytes(index);
  const root = descriptorOf(mediaType, bytes);
  const borrowed = new Map(
    images.flatMap(({ content, digests }) => digests.map((digest) => [digest, content])),
  );
  return composeContent(root, new Map([[root.digest, bytes]]), borrowed);
}

function imageConfig({ platform, layers, config, base }: BuildImageOptions): ImageConfig {
  const under = base?.config;
  const { architecture, os, variant } = under ?? platform;
  const container = { ...under?.config, ...config };
  // As in a Dockerfile, a new entrypoint drops the old command, because the old arguments have no meaning for it.
  if (config.Entrypoint !== undefined && config.Cmd === undefined) delete container['Cmd'];
  const labels = { ...under?.config?.Labels, ...config.Labels };
  return {
    architecture,
    os,
    ...(variant === undefined ? {} : { variant }),
    ...(under?.author === undefined ? {} : { author: under.author }),
    created: epoch,
    config: { ...container, ...(Object.keys(labels).length === 0 ? {} : { Labels: sortedByKey(labels) }) },
    rootfs: {
      type: 'layers',
      diff_ids: [...(under?.rootfs.diff_ids ?? []), ...layers.map(({ diffId }) => diffId)],
    },
    history: [
      ...baseHistory(base),
      ...layers.map(({ createdBy }) => ({ created: epoch, created_by: createdBy })),
    ],
  };
}

/**
 * Returns the history of a base image. Tools match history and layers, so the history must have an entry for each layer of the base image.
 */
function baseHistory(base: PlatformImage | undefined): readonly HistoryEntry[] {
  if (base === undefined) return [];
  const history = base.config.history ?? [];
  const layers = base.manifest.layers.length;
  const described = history.filter(({ empty_layer }) => empty_layer !== true).length;
  if (described === layers) return history;
  return Array.from({ length: layers }, () => ({ created: epoch, comment: 'a layer of the base image' }));
}

/** Reports ONBUILD instructions of a base image, because op-sdk cannot execute them without containers. */
function checkOnBuild({ config, content }: PlatformImage, findings: FindingList): void {
  const triggers = config.config?.['OnBuild'];
  if (!Array.isArray(triggers) || triggers.length === 0) return;
  findings.add({
    code: 'oci/base-onbuild',
    message: `the base image has ONBUILD instructions (${triggers.join('; ')}), which only a build in a container can carry out`,
    where: { object: content.root.digest },
    fix: ['name a base without them', 'build with the Dockerfile: make docker-build'],
  });
}

function sortedByKey(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Media types of the same kind of layer in the formats of OCI and Docker. */
const equivalents: readonly Readonly<Record<ImageFormat, string>>[] = [
  { oci: mediaTypes.oci.layer, docker: mediaTypes.docker.layer },
  { oci: 'application/vnd.oci.image.layer.v1.tar', docker: 'application/vnd.docker.image.rootfs.diff.tar' },
  {
    oci: 'application/vnd.oci.image.layer.nondistributable.v1.tar+gzip',
    docker: 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip',
  },
  {
    oci: 'application/vnd.oci.image.layer.nondistributable.v1.tar',
    docker: 'application/vnd.docker.image.rootfs.foreign.diff.tar',
  },
];

/** Media types that exist only in OCI's format. */
const ociOnly = [
  'application/vnd.oci.image.layer.v1.tar+zstd',
  'application/vnd.oci.image.layer.nondistributable.v1.tar+zstd',
];

/** Converts the layers of a base image to the media types of a format. The bytes of the layers remain the same. */
function convertLayers(
  layers: readonly Descriptor[],
  format: ImageFormat,
  findings: FindingList,
): readonly Descriptor[] {
  return layers.map((layer) => {
    const { mediaType, digest } = layer;
    const known = equivalents.find((names) => names.oci === mediaType || names.docker === mediaType);
    if (known !== undefined) return { ...layer, mediaType: known[format] };
    const isOciOnly = ociOnly.includes(mediaType);
    if (isOciOnly && format === 'oci') return layer;
    findings.add({
      code: 'oci/layer-type',
      message: isOciOnly
        ? `the base has a layer that Docker's format has no name for: ${mediaType}`
        : `the base has a layer of an unknown type: ${mediaType}`,
      where: { object: digest },
      fix: isOciOnly ? ['build with --format oci'] : ['name another base'],
    });
    return layer;
  });
}
