import { dryRunFlag } from './common.ts';
import { flag, type OptionsOf } from './flag.ts';

/** Subset of {@link registryFlags} for the connection to a registry. */
export const connectionFlags = {
  'plain-http': flag.boolean('use plain HTTP to reach the registry'),
  'ca-file': flag.text('file', 'a PEM file with the certificate authority of the registry'),
  'skip-tls-verify': flag.boolean('accept any certificate of the registry'),
};

/** Flags for the connection to a registry and its credentials. */
export const registryFlags = {
  ...connectionFlags,
  authfile: flag.text('file', 'read credentials from this file only (default: those of docker and podman)'),
};

/** Flags of a command that pulls images: {@link registryFlags} and mirrors. */
export const pullFlags = {
  ...registryFlags,
  'registry-mirror': flag.list(
    'registry=mirror',
    'ask a mirror first, such as docker.io=mirror.example.com/hub, with http:// in front of the mirror for plain HTTP; may be repeated',
    { default: [] },
  ),
};

/** Options of {@link pullFlags}. Commands with only some of these flags leave the rest undefined. */
export type RegistryFlags = Partial<OptionsOf<typeof pullFlags>>;

/** Flags of a command that builds an image: the name of the image, its format and its destination. */
export const outputFlags = {
  tag: flag.text('reference', 'the name of the image: registry.example.com/team/name:v0.1.0', { short: 't' }),
  to: flag.text(
    'place',
    'oci:DIR, oci-archive:FILE or docker-archive:FILE (default: dist/images, which push reads)',
  ),
  format: flag.choice('format', ['oci', 'docker'], 'the format of the image (default: oci)'),
  ...dryRunFlag,
};
export type OutputOptions = OptionsOf<typeof outputFlags>;

export const imageFlag = {
  image: flag.text('reference', 'the image of the operator, written into config/manager (make: IMG)'),
};

/** Flags of a command that pushes a built image. */
export const pushFlags = {
  from: flag.text('place', 'oci:DIR: push from this layout (default: dist/images)'),
  ...registryFlags,
};
export type PushOptions = OptionsOf<typeof pushFlags>;

/** Kinds of images that can be pushed, with their names in help. */
export const pushedKinds = {
  bundle: 'bundle',
  image: 'image of an operator',
  catalog: 'image of a catalogue',
} as const;
export type PushedKind = keyof typeof pushedKinds;

/** Output that the push command of each kind prints after the digest, for the help text. */
const printsToo = {
  bundle: '',
  image: '',
  catalog:
    ',\nand the objects by which OLM learns of the catalogue: a CatalogSource for v0, a ClusterCatalog for v1',
} as const;

/** Returns the positional argument of a command that pushes a built image. */
export const pushArgument = (kind: PushedKind) =>
  ['[image]', `the name of the image (default: the ${pushedKinds[kind]} that was built last)`] as const;

/** Returns the help text of a command that pushes a built image. */
export const pushHelp = (kind: PushedKind): string => `
Pushes what \`op-sdk ${kind} build\` has built, and prints the digest that the registry stored${printsToo[kind]}.
Registries are reached over HTTPS; on this machine (localhost, 127.0.0.1) plain HTTP is used with
registries that do not speak TLS. Credentials are those of docker and podman: REGISTRY_AUTH_FILE,
containers' auth.json, docker's config.json and their credential helpers. HTTPS_PROXY and NO_PROXY
are respected.`;
