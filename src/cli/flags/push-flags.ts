import type { Command } from 'commander';
import { registryFlags, type RegistryFlags } from './registry-flags.ts';
import { moreHelp } from './common.ts';

/** Options that {@link pushFlags} parses. */
export interface PushOptions extends RegistryFlags {
  readonly from?: string;
}

/** Images that can be pushed, with their names in help. */
export const pushedKinds = {
  bundle: 'bundle',
  image: 'image of an operator',
  catalog: 'image of a catalogue',
} as const;
export type PushedKind = keyof typeof pushedKinds;

/** Output beside the digest. */
const printsToo = {
  bundle: '',
  image: '',
  catalog:
    ',\nand the objects by which OLM learns of the catalogue: a CatalogSource for v0, a ClusterCatalog for v1',
} as const;

/** Declares the argument and the flags of a command that pushes a built image. */
export function pushFlags(command: Command, kind: PushedKind): void {
  command.argument(
    '[image]',
    `the name of the image (default: the ${pushedKinds[kind]} that was built last)`,
  );
  command.option('--from <place>', 'oci:DIR: push from this layout (default: dist/images)');
  registryFlags(command);
  moreHelp(
    command,
    `
Pushes what \`op-sdk ${kind} build\` has built, and prints the digest that the registry stored${printsToo[kind]}.
Registries are reached over HTTPS; on this machine (localhost, 127.0.0.1) plain HTTP is used with
registries that do not speak TLS. Credentials are those of docker and podman: REGISTRY_AUTH_FILE,
containers' auth.json, docker's config.json and their credential helpers. HTTPS_PROXY and NO_PROXY
are respected.`,
  );
}
