import { runCommand, type CommandEnd } from '../../../util/exec.ts';
import { defaultTiming, type RegistryOptions } from '../options.ts';
import type { Secret } from './types.ts';

/** What a helper said: a secret, nothing about this registry, or why it failed. */
export type HelperAnswer = { readonly secret: Secret } | { readonly problem: string } | undefined;

/** The user name by which helpers mark identity tokens. */
const identityTokenUser = '<token>';

/**
 * Asks a credential helper of docker, the program `docker-credential-<name>` on the PATH.
 * @param key the registry as docker names it to helpers
 * @returns undefined if the helper has nothing for the registry
 * @see https://github.com/docker/docker-credential-helpers#development
 */
export async function askHelper(
  name: string,
  key: string,
  { env, signal, timing }: Pick<RegistryOptions, 'env' | 'signal' | 'timing'>,
): Promise<HelperAnswer> {
  // The name comes from a file, and becomes part of a program's path.
  if (!/^[\w.-]+$/.test(name))
    return { problem: `${JSON.stringify(name)} is not a valid name of a credential helper` };
  const program = `docker-credential-${name}`;
  const limit = timing?.helperTimeout ?? defaultTiming.helperTimeout;
  const late = AbortSignal.timeout(limit);
  let end: CommandEnd;
  try {
    const either = AbortSignal.any([signal, late]);
    end = await runCommand(program, ['get'], {
      cwd: process.cwd(),
      env,
      signal: either,
      input: `${key}\n`,
    });
  } catch (error) {
    if (signal.aborted || !late.aborted) throw error;
    return { problem: `${program} did not answer within ${Math.ceil(limit / 1000)} s` };
  }
  if (end.startError === 'ENOENT') return { problem: `${program} is not on the PATH` };
  if (end.exitCode !== 0) {
    if (/credentials not found/i.test(end.output)) return undefined;
    // Its output is not shown: nobody knows what a helper says of the secrets it holds.
    return { problem: `${program} failed (${end.startError ?? `exit code ${end.exitCode ?? 'none'}`})` };
  }
  const secret = readAnswer(end.stdout);
  return secret === undefined ? { problem: `${program} did not answer in the form of a helper` } : { secret };
}

function readAnswer(stdout: string): Secret | undefined {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    return undefined;
  }
  const { Username: username, Secret: secret } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (typeof secret !== 'string' || secret === '') return undefined;
  if (username === identityTokenUser) return { kind: 'identity-token', token: secret };
  if (typeof username !== 'string' || username === '') return undefined;
  return { kind: 'password', username, password: secret };
}
