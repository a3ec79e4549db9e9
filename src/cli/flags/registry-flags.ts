import type { Command } from 'commander';
import { booleanFlag } from './common.ts';

/** Options that {@link registryFlags} parses. */
export interface RegistryFlags {
  readonly plainHttp?: boolean;
  readonly caFile?: string;
  readonly skipTlsVerify?: boolean;
  readonly authfile?: string;
  readonly registryMirror?: readonly string[];
}

/** Declares the flags that say how to talk to a registry. */
export function registryFlags(command: Command): Command {
  return connectionFlags(command).option(
    '--authfile <file>',
    'read credentials from this file only (default: those of docker and podman)',
  );
}

/** Declares those of {@link registryFlags} that say how a registry is reached. */
export function connectionFlags(command: Command): Command {
  booleanFlag(command, 'plain-http', 'use plain HTTP to reach the registry', false);
  command.option('--ca-file <file>', 'a PEM file with the certificate authority of the registry');
  booleanFlag(command, 'skip-tls-verify', 'accept any certificate of the registry', false);
  return command;
}

/** {@link registryFlags} of a command that pulls images. */
export function pullFlags(command: Command): Command {
  return registryFlags(command).option(
    '--registry-mirror <registry=mirror>',
    'ask a mirror first, such as docker.io=mirror.example.com/hub, with http:// in front of the mirror for plain HTTP; may be repeated',
    (text: string, before: readonly string[]) => [...before, text],
    [],
  );
}
