import type { FindingList } from '../base/errors/index.ts';
import { mediaTypes, type Descriptor, type ImageFormat } from './types.ts';

/** The names of one kind of layer in both formats. */
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

/** Media types that only OCI has. */
const ociOnly = [
  'application/vnd.oci.image.layer.v1.tar+zstd',
  'application/vnd.oci.image.layer.nondistributable.v1.tar+zstd',
];

/** Layers of a base as a manifest of this format lists them: other names for the same bytes. */
export function convertLayers(
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
