import type { ExplainedCodes } from '../base/errors/index.ts';

export const imageCodes = {
  'oci/archive-form': {
    exitCode: 2,
    title: 'An image does not fit into a docker archive',
    explain:
      'An archive for `docker load` contains one image for one platform with all of its layers. An OCI archive has no such limits.',
  },
  'oci/base-onbuild': {
    title: 'A base image has ONBUILD instructions',
    explain:
      'They are commands that run when another image is built on this one, and running them needs a container. op-sdk builds without one, and leaving them out would give a different image than the base requires.',
  },
  'oci/blob-missing': {
    title: 'A part of an image is missing',
    explain: 'A manifest refers to a layer, a configuration or another manifest that is missing.',
  },
  'oci/digest-mismatch': {
    title: 'A part of an image is not what its digest says',
    explain:
      'Each part of an image is named by the hash of its bytes. The bytes that were read have another one: they were damaged or truncated in transit or on disk, or replaced.',
  },
  'oci/image-not-found': {
    title: 'An image is not in a layout',
    explain:
      'Built images are in dist/images under their full names. The image was not built yet, or has another name.',
  },
  'oci/unfit-file': {
    title: 'A file cannot be put into an image',
    explain:
      'An image contains files, folders, and symbolic links to its own content. A link to elsewhere would point to nothing, or to something else, where the image is unpacked.',
  },
  'oci/invalid-destination': {
    exitCode: 2,
    title: 'The value of --to is invalid',
    explain:
      'Images are written to oci:DIR (a folder in the OCI image layout), oci-archive:FILE (the same as a tar archive) or docker-archive:FILE (for docker load). The name of the image comes from --tag.',
  },
  'oci/invalid-manifest': {
    title: 'A manifest is damaged',
    explain:
      'A document that should list the parts of an image is not JSON, lacks required fields, or is too large.',
  },
  'oci/invalid-reference': {
    exitCode: 2,
    title: 'The name of an image is invalid',
    explain:
      'Images are named registry/repository:tag, or registry/repository@sha256:… for exactly one. Repositories are in lower case; a name without registry belongs to docker.io.',
  },
  'oci/layer-type': {
    title: 'A layer of the base image has an unsuitable type',
    explain:
      "Layers are copied as they are. Docker's format knows no zstd layers; types that neither format knows could be anything.",
  },
  'oci/left-out': {
    title: 'A file is not part of the image',
    explain:
      "A bundle's image holds its manifests, metadata and tests, as bundle.Dockerfile says. What else lies in the folder stays behind.",
  },
  'oci/no-such-platform': {
    title: 'An image is not available for the platform',
    explain:
      'JavaScript runs on every platform, but the Node of the base image is for one. The base must offer each platform of --platform. The index of an image says what its parts are for; of those for which it does not, the configurations are read.',
  },
  'oci/not-a-layout': {
    title: 'A folder is not an OCI image layout',
    explain:
      'An OCI image layout has the files oci-layout and index.json and a folder blobs. op-sdk does not write images into a folder with other files.',
  },
  'oci/not-unpacked': {
    title: 'An image cannot be unpacked',
    explain:
      'The files of an image are read from its layers, with limits that no bundle reaches: 32 MiB for a layer, 64 MiB for all files, 20,000 files. Layers must be tar archives, plain or compressed by gzip, and no path may lead out of the image.',
  },
  'oci/not-an-image': {
    title: 'The base is not an image that can be built on',
    explain:
      'Registries also store charts, signatures and other artifacts. A base has a configuration with os and architecture, and one layer for each entry of its rootfs.',
  },
  'oci/authentication-required': {
    title: 'A registry requires credentials',
    explain:
      "No credentials for the registry were found. They are looked for in REGISTRY_AUTH_FILE or --authfile; else in containers' auth.json and docker's config.json with their credential helpers. `docker login` and `podman login` write them; in CI, write such a file.",
  },
  'oci/ca-file': {
    exitCode: 2,
    title: 'The file of --ca-file holds no certificates',
    explain: '--ca-file takes a PEM file with one or more certificates of authorities.',
  },
  'oci/credentials-file': {
    title: 'A file of credentials cannot be used',
    explain:
      "Credentials are read from files in the form of docker's config.json and containers' auth.json. The file was named (by --authfile or REGISTRY_AUTH_FILE) and is missing though the registry asks for credentials, cannot be read, or is not JSON of that form. Its content is never shown.",
  },
  'oci/denied': {
    title: 'A registry denies access',
    explain:
      'The registry accepts the credentials, but does not permit this in the repository. Some registries also answer so when the repository or project does not exist.',
  },
  'oci/login-not-used': {
    level: 'warning',
    title: 'Stored credentials are not used',
    explain:
      'A warning of `op-sdk registry login`. The first file with an entry for the registry is used, and the longest key in it: a file of podman comes before that of docker, and an entry for a part of the registry before that of the whole.',
  },
  'oci/login-unchecked': {
    level: 'warning',
    title: 'A registry does not check credentials',
    explain:
      'A warning of `op-sdk registry login`. The registry answers everybody, so that the credentials could not be tried. They are stored, as by docker, and used once the registry asks.',
  },
  'oci/login-unencrypted': {
    level: 'warning',
    title: 'Credentials are stored unencrypted',
    explain:
      "A warning of `op-sdk registry login`. The file holds user name and password in base64, which anybody can decode who can read it. A credential helper keeps them elsewhere: its name is in `credsStore` or `credHelpers` of docker's config.json.",
  },
  'oci/manifest-refused': {
    title: 'A registry refuses a manifest',
    explain:
      "The registry does not accept the manifest: it does not know the format, lacks a part that the manifest refers to, or has rules of its own. Old registries know Docker's format only.",
  },
  'oci/no-registry-named': {
    exitCode: 2,
    title: 'The name of an image does not say where to push it',
    explain:
      'A name without a registry belongs to the official images of docker.io, where only their maintainers can push. Usually the default name of the project, `controller:latest`, was not replaced.',
  },
  'oci/not-found': {
    title: 'The registry does not have the image',
    explain:
      'The repository, tag or digest does not exist. Private repositories are often reported as missing to those who may not read them.',
  },
  'oci/proxy': {
    title: 'A proxy does not lead to the registry',
    explain:
      'HTTPS goes through the proxy of HTTPS_PROXY with CONNECT, and the proxy refused the connection. NO_PROXY lists hosts, domains and networks that are reached without it.',
  },
  'oci/quota-exceeded': {
    title: 'A registry has no room for the image',
    explain:
      'The registry, or a proxy in front of it, refuses the upload because of its size or of a quota. The message comes from the registry.',
  },
  'oci/registry-error': {
    title: 'A registry gives an unexpected answer',
    explain:
      'The answer is a server error, or one that the distribution specification does not define, even after retries where these make sense. The server may not be a registry.',
  },
  'oci/registry-tls': {
    title: 'The connection to a registry is not trustworthy',
    explain:
      'The certificate of the server is not signed by a known authority, has expired, or is for another name. --ca-file adds the authority of your own registry; NODE_EXTRA_CA_CERTS does so for all programs that run on Node.',
  },
  'oci/registry-unreachable': {
    title: 'A registry cannot be reached',
    explain:
      'Its name is unknown, nobody listens there, or the connection is cut or silent, even after retries where these make sense. Behind a proxy, set HTTPS_PROXY. A base image need not come from this registry: --base names another one, or a layout on disk (oci:DIR).',
  },
  'oci/speaks-plain-http': {
    title: 'A registry does not speak HTTPS, or only HTTPS',
    explain:
      'Registries are reached over HTTPS. Only on this machine (localhost, 127.0.0.0/8, ::1) is plain HTTP used by default, and only if the server does not speak TLS at all. For other registries use --plain-http; for a mirror of --registry-mirror write http:// in front of it.',
  },
  'oci/too-many-requests': {
    title: 'A registry allows no more requests for now',
    explain:
      'The registry limits the rate of requests, often more strictly without a login. op-sdk waited and retried as often as it makes sense.',
  },
  'oci/unsafe-address': {
    title: 'A registry redirects to an unsafe address',
    explain:
      'A registry may name other hosts, for tokens and for storage. op-sdk does not follow from HTTPS to plain HTTP, or from an outside address to this machine or its networks, and never sends credentials to a server without TLS on another machine.',
  },
  'oci/wrong-credentials': {
    title: 'A registry does not accept the credentials',
    explain:
      'User name, password or token are wrong, or have expired. The message says where they come from.',
  },
} satisfies ExplainedCodes;
