import { runCommand, type CommandEnd } from '../../../base/util/exec.ts';
import { defaultTiming, type RegistryOptions } from '../options.ts';
import type { Secret, StorableSecret } from './auth-file.ts';

/** Answer of a credential helper: a secret, or the description of a problem; undefined if the helper has no entry for the registry. */
type HelperAnswer = { readonly secret: Secret } | { readonly problem: string } | undefined;

/** The user name with which credential helpers mark an identity token. */
export const identityTokenUser = '<token>';

type HelperOptions = Pick<RegistryOptions, 'env' | 'signal' | 'timing'>;

/**
 * Gets a secret from a docker credential helper, the program `docker-credential-<name>` on the PATH.
 * @param key name that docker uses for the registry when it calls helpers
 * @returns undefined if the helper has no entry for the registry
 * @see https://github.com/docker/docker-credential-helpers#development
 */
export async function askHelper(name: string, key: string, options: HelperOptions): Promise<HelperAnswer> {
  const end = await callHelper(name, 'get', `${key}\n`, options);
  if (end === undefined || 'problem' in end) return end;
  const secret = readAnswer(end.stdout);
  return secret === undefined
    ? { problem: `docker-credential-${name} did not answer in the format of a credential helper` }
    : { secret };
}

/**
 * Stores a secret with a credential helper.
 * @returns a description of the problem if the helper did not store the secret
 */
export async function storeWithHelper(
  name: string,
  key: string,
  secret: StorableSecret,
  options: HelperOptions,
): Promise<string | undefined> {
  const [Username, Secret] =
    secret.kind === 'password' ? [secret.username, secret.password] : [identityTokenUser, secret.token];
  const input = JSON.stringify({ ServerURL: key, Username, Secret });
  const end = await callHelper(name, 'store', input, options);
  if (end === undefined) return `docker-credential-${name} did not store the credentials`;
  return 'problem' in end ? end.problem : undefined;
}

/**
 * Erases the secret of a registry with a credential helper.
 * @returns a description of the problem if the helper failed
 */
export async function eraseWithHelper(
  name: string,
  key: string,
  options: HelperOptions,
): Promise<string | undefined> {
  const end = await callHelper(name, 'erase', `${key}\n`, options);
  return end !== undefined && 'problem' in end ? end.problem : undefined;
}

/**
 * Runs a credential helper.
 * @returns undefined if the helper reports that it has no entry for the registry
 */
async function callHelper(
  name: string,
  verb: 'get' | 'store' | 'erase',
  input: string,
  { env, signal, timing }: HelperOptions,
): Promise<{ readonly stdout: string } | { readonly problem: string } | undefined> {
  // The name of the helper comes from a file and becomes part of the path of a program, so check it.
  if (!/^[\w.-]+$/.test(name))
    return { problem: `${JSON.stringify(name)} is not a valid name of a credential helper` };
  const program = `docker-credential-${name}`;
  const limit = timing?.helperTimeout ?? defaultTiming.helperTimeout;
  const late = AbortSignal.timeout(limit);
  let end: CommandEnd;
  try {
    const either = AbortSignal.any([signal, late]);
    end = await runCommand(program, [verb], { cwd: process.cwd(), env, signal: either, input });
  } catch (error) {
    if (signal.aborted || !late.aborted) throw error;
    return { problem: `${program} did not answer within ${Math.ceil(limit / 1000)} s` };
  }
  if (end.startError === 'ENOENT') return { problem: `${program} is not on the PATH` };
  if (end.exitCode === 0) return { stdout: end.stdout };
  if (/credentials not found/i.test(end.output)) return undefined;
  // The output is not shown, because it may contain secrets that the helper stores.
  return { problem: `${program} failed (${end.startError ?? `exit code ${end.exitCode ?? 'none'}`})` };
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
