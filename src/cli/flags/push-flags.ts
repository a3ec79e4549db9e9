import type { Command } from 'commander';
import { registryFlags, type RegistryFlags } from './registry-flags.ts';
import { moreHelp } from './common.ts';

/** What {@link pushFlags} parses. */
export interface PushOptions extends RegistryFlags {
  readonly from?: string;
}

/** Declares the argument and the flags of a command that pushes a built image. */
export function pushFlags(command: Command, kind: 'bundle' | 'image'): void {
  const which = kind === 'bundle' ? 'bundle' : 'image of an operator';
  command.argument('[image]', `the name of the image (default: the ${which} that was built last)`);
  command.option('--from <place>', 'oci:DIR: push from this layout (default: dist/images)');
  registryFlags(command);
  moreHelp(
    command,
    `
Pushes what \`op-sdk ${kind} build\` has built, and prints the digest that the registry stored.
Registries are reached over HTTPS; on this machine (localhost, 127.0.0.1) plain HTTP is used with
registries that do not speak TLS. Credentials are those of docker and podman: REGISTRY_AUTH_FILE,
containers' auth.json, docker's config.json and their credential helpers. HTTPS_PROXY and NO_PROXY
are respected.`,
  );
}
