import { resolve } from 'node:path';
import { FindingList } from '../../../base/errors/index.ts';
import { parseMirror, type RegistryMirror } from '../../../images/registry/mirrors.ts';
import type { RegistryOptions } from '../../../images/registry/options.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import { packageInfo } from '../../package-info.ts';
import { invalidFlag } from '../input/flag-values.ts';

/** The options of the registry client that the flags and the world of a command say. Progress is reported as it comes. */
export function registryOptions(context: CliContext, flags: RegistryFlags): RegistryOptions {
  const { caFile, authfile } = flags;
  const mirrors = readMirrors(context, flags);
  return {
    env: context.env,
    signal: context.signal,
    plainHttp: flags.plainHttp === true,
    skipTlsVerify: flags.skipTlsVerify === true,
    ...(caFile === undefined ? {} : { caFile: resolve(context.cwd, caFile) }),
    ...(authfile === undefined ? {} : { authFile: resolve(context.cwd, authfile) }),
    ...(mirrors.length === 0 ? {} : { mirrors }),
    userAgent: `op-sdk/${packageInfo().version}`,
    onProgress: (line) => context.report.step(line),
  };
}

/** The mirrors of `--registry-mirror`; without it, those of the environment. @throws OpSdkError `cli/invalid-value` */
function readMirrors({ env }: CliContext, { registryMirror = [] }: RegistryFlags): readonly RegistryMirror[] {
  const isFlag = registryMirror.length > 0;
  const name = isFlag ? '--registry-mirror' : variable;
  const texts = isFlag ? registryMirror : splitMirrors(env[variable] ?? '');
  const findings = new FindingList();
  const mirrors = texts.flatMap((text): readonly RegistryMirror[] => {
    const mirror = parseMirror(text);
    if (typeof mirror !== 'string') return [mirror];
    findings.add({
      ...invalidFlag(
        '--registry-mirror',
        `${name}: ${mirror}`,
        `write ${name}${isFlag ? ' ' : '='}docker.io=mirror.example.com/hub`,
      ),
      ...(isFlag ? {} : { where: { object: variable } }),
    });
    return [];
  });
  findings.throwIfAny();
  return mirrors;
}

/** One text if it has a password in it, which may have commas: a part of a password is not recognized as one. */
function splitMirrors(value: string): readonly string[] {
  return value.includes('@') ? [value] : value.split(/[\s,]+/).filter((text) => text !== '');
}

const variable = 'OPSDK_REGISTRY_MIRRORS';
