import { resolve } from 'node:path';
import type { RegistryOptions } from '../../../oci/registry/options.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import { packageInfo } from '../../package-info.ts';

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
