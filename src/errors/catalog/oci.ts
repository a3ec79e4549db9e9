import type { CatalogEntry } from './entry.ts';

export const ociErrors = {
  'oci/archive-form': {
    title: 'An image does not fit into a docker archive',
    explain:
      'What `docker load` reads holds one image for one platform with all of its layers. An OCI archive has no such limits.',
    exit: 2,
  },
  'oci/base-onbuild': {
    title: 'A base image has ONBUILD instructions',
    explain:
      'They are commands for whoever builds on the image, and running them needs a container. op-sdk builds without one, and leaving them out would make another image than the base asks for.',
    exit: 1,
  },
  'oci/blob-missing': {
    title: 'A part of an image is missing',
    explain:
      'A manifest refers to a layer, a configuration or another manifest that is not where the image is.',
    exit: 1,
  },
  'oci/digest-mismatch': {
    title: 'A part of an image is not what its digest says',
    explain:
      'Each part of an image is named by the hash of its bytes. The bytes that were read have another one: they were damaged or cut off on the way or on disk, or somebody replaced them.',
    exit: 1,
  },
  'oci/image-not-found': {
    title: 'An image is not in a layout',
    explain:
      'Built images live in dist/images under their full names. The image was not built yet, or under another name.',
    exit: 1,
  },
  'oci/invalid-bundle-file': {
    title: 'A file of a bundle cannot be put into an image',
    explain:
      'An image holds files, folders, and symbolic links that stay inside the bundle. A link to elsewhere would point to nothing, or to something else, where the bundle is unpacked.',
    exit: 1,
  },
  'oci/invalid-destination': {
    title: 'The value of --to is not understood',
    explain:
      'Images are written to oci:DIR (a folder in the OCI image layout), oci-archive:FILE (the same as a tar archive) or docker-archive:FILE (for docker load). The name of the image comes from --tag.',
    exit: 2,
  },
  'oci/invalid-manifest': {
    title: 'A manifest is damaged',
    explain:
      'A document that should list the parts of an image is not JSON, lacks required fields, or is too large.',
    exit: 1,
  },
  'oci/invalid-reference': {
    title: 'A text is no name of an image',
    explain:
      'Images are named registry/repository:tag, or registry/repository@sha256:… for exactly one. Repositories are in lower case; a name without registry belongs to docker.io.',
    exit: 2,
  },
  'oci/layer-type': {
    title: 'A layer of the base image has an unsuitable type',
    explain:
      "Layers are copied as they are. Docker's format knows no zstd layers; types that neither format knows could be anything.",
    exit: 1,
  },
  'oci/no-such-platform': {
    title: 'An image is not for the wanted platform',
    explain:
      'JavaScript runs on every platform, but the Node of the base image is for one. The base must offer each platform of --platform.',
    exit: 1,
  },
  'oci/not-a-layout': {
    title: 'A folder is no OCI image layout',
    explain:
      'An OCI image layout has the files oci-layout and index.json and a folder blobs. op-sdk does not put images between other files.',
    exit: 1,
  },
  'oci/not-an-image': {
    title: 'Something in a registry is no image that can be built on',
    explain:
      'Registries hold charts, signatures and other artifacts, too. A base has a configuration with os and architecture, and one layer for each entry of its rootfs.',
    exit: 1,
  },
} as const satisfies Record<`oci/${string}`, CatalogEntry>;
