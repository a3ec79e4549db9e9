import { relative, resolve, sep } from 'node:path';

/** The parts of an image name: `registry/repository[:tag][@digest]`. */
export interface ImageReference {
  /** Host, and port if one is given: `registry.example.com:5000`. */
  readonly registry: string;
  /** Path without leading slash: `team/operator`. */
  readonly repository: string;
  readonly tag?: string;
  /** Digest of the image: `sha256:…` */
  readonly digest?: string;
}

/** Platform of an image. The JavaScript of an operator is the same on all platforms, but the base image differs. */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string;
}

/**
 * Points to bytes by their digest.
 * @see https://github.com/opencontainers/image-spec/blob/main/descriptor.md
 */
export interface Descriptor {
  readonly mediaType: string;
  /** Digest of the bytes: `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** The size in bytes. */
  readonly size: number;
  readonly platform?: Platform;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Alternative locations of the bytes, for layers that must not be copied. */
  readonly urls?: readonly string[];
  /** Type of the artifact, if the bytes are the manifest of one. */
  readonly artifactType?: string;
}

/**
 * An image as a set of blobs with one root. Images that are built, stored in a layout, pulled or pushed all have this form. Nothing is held
 * in memory; a blob is read on demand, and read again if a transfer restarts.
 */
export interface ImageContent {
  /** Descriptor of the manifest, or of the index that lists the manifests for several platforms. */
  readonly root: Descriptor;
  /** Manifests of artifacts about the image, which have it as their subject. Default: none. */
  readonly referrers?: readonly Descriptor[];
  /**
   * Reads a blob or manifest. Each call starts at the beginning.
   * @throws OpSdkError `oci/blob-missing`; `oci/digest-mismatch` at the end if the bytes do not match the digest
   */
  read(descriptor: Descriptor): AsyncIterable<Uint8Array>;
}

/** Format of images: the OCI image format, or Docker's image manifest version 2, schema 2. */
export type ImageFormat = 'oci' | 'docker';

/** Media types of both formats. */
export const mediaTypes = {
  oci: {
    index: 'application/vnd.oci.image.index.v1+json',
    manifest: 'application/vnd.oci.image.manifest.v1+json',
    config: 'application/vnd.oci.image.config.v1+json',
    layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  },
  docker: {
    index: 'application/vnd.docker.distribution.manifest.list.v2+json',
    manifest: 'application/vnd.docker.distribution.manifest.v2+json',
    config: 'application/vnd.docker.container.image.v1+json',
    layer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
  },
} as const;

/** A file or folder on disk, and its path as shown in error messages. */
export interface Place {
  /** The absolute path. */
  readonly path: string;
  /** The path as shown in error messages: relative to the folder in which the command runs if that is shorter, else absolute. */
  readonly shown: string;
}

/** Resolves a path relative to a folder. */
export function resolvePlace(cwd: string, text: string): Place {
  const path = resolve(cwd, text);
  const way = relative(cwd, path);
  const isBelow = way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && path.endsWith(way);
  return { path, shown: isBelow ? way.split(sep).join('/') : path };
}
