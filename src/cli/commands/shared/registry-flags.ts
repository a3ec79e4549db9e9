import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { RegistryOptions } from '../../../oci/registry/options.ts';
import type { CliContext } from '../../command.ts';
import { booleanFlag } from '../../flags.ts';
import { packageInfo } from '../../package-info.ts';

/** What {@link registryFlags} parses. */
export interface RegistryFlags {
  readonly plainHttp?: boolean;
  readonly caFile?: string;
  readonly skipTlsVerify?: boolean;
  readonly authfile?: string;
}

/** Declares the flags that say how to talk to a registry. */
export function registryFlags(command: Command): Command {
  booleanFlag(command, 'plain-http', 'talk plain HTTP to the registry', false);
  command.option('--ca-file <file>', 'a PEM file with the certificate authority of the registry');
  booleanFlag(command, 'skip-tls-verify', 'accept whatever certificate the registry shows', false);
  return command.option(
    '--authfile <file>',
    'read credentials from this file only (default: those of docker and podman)',
  );
}

/** The options of the registry client that the flags and the world of a command say. Progress is reported as it comes. */
export function registryOptions(context: CliContext, flags: RegistryFlags): RegistryOptions {
  const { caFile, authfile } = flags;
  return {
    env: context.env,
    signal: context.signal,
    plainHttp: flags.plainHttp === true,
    skipTlsVerify: flags.skipTlsVerify === true,
    ...(caFile === undefined ? {} : { caFile: resolve(context.cwd, caFile) }),
    ...(authfile === undefined ? {} : { authFile: resolve(context.cwd, authfile) }),
    userAgent: `op-sdk/${packageInfo().version}`,
    onProgress: (line) => context.report.step(line),
  };
}
