import { resolve } from 'node:path';
import { FindingList, isOpSdkError, OpSdkError, type Finding } from '../../../base/errors/index.ts';
import {
  parseMirror,
  type RegistryMirror,
  type RegistryOptions,
  parseReference,
  credentialsKeys,
  type ImageReference,
} from '../../../images/index.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import { packageInfo } from '../../package-info.ts';
import { invalidFlag } from '../input/flag-values.ts';

/**
 * Returns the options of the registry client, from the flags and the environment of the command. The options include a reporter for the
 * progress.
 */
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

/**
 * Reads the registry mirrors from `--registry-mirror`. If the flag is not given, reads them from the environment. @throws OpSdkError
 * `cli/invalid-value`
 */
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

/**
 * Splits the value at spaces and commas. A value that contains a password is not split, because passwords may contain commas, and a part of
 * a password would not be redacted in messages.
 */
function splitMirrors(value: string): readonly string[] {
  return value.includes('@') ? [value] : value.split(/[\s,]+/).filter((text) => text !== '');
}

const variable = 'OPSDK_REGISTRY_MIRRORS';

/**
 * Parses the registry that an argument names. Accepts every form that docker accepts, including a URL.
 * @throws OpSdkError `cli/invalid-value`
 */
export function parseRegistry(text: string): string {
  const host = text.replace(/^https?:\/\//, '').replace(/\/(?:v[12]\/?)?$/, '');
  if (credentialsKeys('docker.io').includes(host)) return 'docker.io';
  const registry = host.includes('/') || host.includes('@') ? undefined : registryOf(host);
  if (registry === host) return registry;
  throw new OpSdkError(
    invalidFlag(
      '<registry>',
      // A URL with `@` may contain a password, so the message does not repeat the URL.
      text.includes('@')
        ? 'invalid registry: expected host or host:port'
        : `invalid registry '${text}': expected host or host:port`,
      'write it without a repository: registry.example.com, localhost:5000, docker.io',
    ),
  );
}

function registryOf(host: string): string | undefined {
  try {
    return parseReference(`${host}/repository`).registry;
  } catch (error) {
    if (isOpSdkError(error)) return undefined;
    throw error;
  }
}

/**
 * Returns a finding if the name of an image to push has neither a registry nor an owner, because Docker Hub would treat the image as one of
 * its official images.
 * @param text the name of the image as the user gave it
 * @param flag the flag or argument that contained the name
 */
export function noRegistryNamed(
  { registry, repository }: ImageReference,
  text: string,
  flag: string,
): Finding | undefined {
  if (registry !== 'docker.io' || !repository.startsWith('library/')) return undefined;
  const name = repository.slice('library/'.length);
  return {
    code: 'oci/no-registry-named',
    message: `${text} names no registry, so it cannot be pushed`,
    where: { flag },
    fix: [
      `build and push it under a name of yours: registry.example.com/team/${name}:v0.1.0, or docker.io/you/${name}:v0.1.0`,
      'with make, set IMG: make docker-build docker-push IMG=registry.example.com/team/name:v0.1.0',
    ],
  };
}
