import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpSdkError } from '../../../base/errors/index.ts';
import { errnoOf, errnoText } from '../../../base/util/fs.ts';
import { object, record, string } from '../../../base/util/json-reader.ts';
import { documentStyle, readJson, unexpected, type JsonReader } from '../../../base/util/read-json.ts';
import type { RegistryOptions } from '../options.ts';

/** One entry of an {@link AuthFile}: credentials for a registry, or for a part of a registry. */
export interface AuthEntry {
  /** User name and password: base64 of `username:password`. */
  readonly auth?: string;
  readonly username?: string;
  readonly password?: string;
  readonly identitytoken?: string;
  readonly registrytoken?: string;
}

/**
 * Content of a credentials file: docker's config.json or containers' auth.json, which have the same form.
 * @see https://github.com/containers/image/blob/main/docs/containers-auth.json.5.md
 * @see https://docs.docker.com/reference/cli/docker/login/#credential-stores
 */
export interface AuthFile {
  readonly path: string;
  readonly auths: Readonly<Record<string, AuthEntry>>;
  readonly credHelpers: Readonly<Record<string, string>>;
  readonly credsStore?: string;
}

type Places = Pick<RegistryOptions, 'env' | 'home' | 'authFile'>;

function homeOf({ env, home }: Pick<Places, 'env' | 'home'>): string | undefined {
  return home ?? nonEmpty(env['HOME']) ?? nonEmpty(env['USERPROFILE']);
}

function dockerConfigFolder(places: Places): string | undefined {
  const home = homeOf(places);
  return nonEmpty(places.env['DOCKER_CONFIG']) ?? (home === undefined ? undefined : join(home, '.docker'));
}

/**
 * Returns the files in which credentials are searched, in this order. If a file was named explicitly, only this file is searched, as by
 * podman and skopeo.
 */
export function authFilePaths(places: Places): readonly string[] {
  const named = namedFile(places);
  if (named !== undefined) return [named];
  const { env } = places;
  const home = homeOf(places);
  const runtime = nonEmpty(env['XDG_RUNTIME_DIR']);
  const config = nonEmpty(env['XDG_CONFIG_HOME']) ?? (home === undefined ? undefined : join(home, '.config'));
  const docker = dockerConfigFolder(places);
  return [
    ...(runtime === undefined ? withoutSession() : [join(runtime, 'containers', 'auth.json')]),
    ...(config === undefined ? [] : [join(config, 'containers', 'auth.json')]),
    ...(docker === undefined ? [] : [join(docker, 'config.json')]),
  ];
}

/**
 * Returns the file in which a login is stored: the explicitly named file, else docker's config.json.
 * @throws OpSdkError `oci/credentials-file` if no file was named and the folder of docker's config.json is unknown
 */
export function loginFilePath(places: Places): string {
  const docker = dockerConfigFolder(places);
  const path = namedFile(places) ?? (docker === undefined ? undefined : join(docker, 'config.json'));
  if (path !== undefined) return path;
  throw new OpSdkError({
    code: 'oci/credentials-file',
    message: 'the folder for credentials is unknown: neither HOME nor DOCKER_CONFIG is set',
    fix: ['name a file with --authfile'],
  });
}

function namedFile({ env, authFile }: Places): string | undefined {
  return authFile ?? nonEmpty(env['REGISTRY_AUTH_FILE']);
}

/** Returns true if a credentials file was named explicitly, by a flag or by REGISTRY_AUTH_FILE. */
export function isNamed(places: Places): boolean {
  return namedFile(places) !== undefined;
}

/**
 * Returns the credentials files that podman, buildah and skopeo use for users without a systemd session, such as root. Source:
 * containers-auth.json(5).
 */
function withoutSession(): readonly string[] {
  const user = process.getuid?.();
  if (process.platform !== 'linux' || user === undefined) return [];
  return [`/run/containers/${user}/auth.json`];
}

/**
 * Reads and checks a credentials file.
 * @returns undefined if the file does not exist
 * @throws OpSdkError `oci/credentials-file`
 */
export async function readAuthFile(path: string): Promise<AuthFile | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw unreadable(path, `it cannot be read: ${errnoText(error)}`);
  }
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : (JSON.parse(text) ?? {});
  } catch {
    // The error message of JSON.parse quotes the text, which holds passwords. Therefore, this message is not used.
    throw unreadable(path, 'it is not JSON');
  }
  const { value: read, problems } = readJson(authFileReader, withoutNulls(value), 'the file', {
    style: documentStyle,
  });
  // The fixes of the problems are omitted, because they may quote values, which may be secret.
  if (read === undefined || problems.length > 0)
    throw unreadable(path, ...problems.map(({ message }) => message));
  const { auths = {}, credHelpers = {}, credsStore = '' } = read;
  return { path, auths, credHelpers, ...(credsStore === '' ? {} : { credsStore }) };
}

/** Removes null fields. Go's decoder treats null as absent at every depth, and programs write `null` for registries without credentials. */
function withoutNulls(value: unknown, depth = 3): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === 0) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(present.map(([key, member]) => [key, withoutNulls(member, depth - 1)]));
}

/** Accepts anything except objects and lists, because some programs have written numbers into text fields. */
const plain: JsonReader<unknown> = (value, place) =>
  typeof value === 'object' && value !== null
    ? unexpected(value, place, 'a string', 'write a string')
    : value;

const authFileReader = object(
  {
    auths: record(record(plain) as JsonReader<AuthEntry>),
    credHelpers: record(string),
    credsStore: string,
  },
  { others: 'ignore' },
);

function unreadable(path: string, ...problems: readonly string[]): OpSdkError {
  return new OpSdkError(
    problems.map((problem) => ({
      code: 'oci/credentials-file',
      message: `the credentials in ${path} cannot be used: ${problem}`,
      where: { file: path },
      fix: ['repair the file, or name another one with --authfile'],
    })),
  );
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** Credentials for a registry. */
export type Secret =
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  /** Is exchanged for a token at the token server: OAuth 2's refresh token. */
  | { readonly kind: 'identity-token'; readonly token: string }
  /** Is shown to the registry as it is. */
  | { readonly kind: 'registry-token'; readonly token: string };

/** Secrets that `login` stores. Registry tokens are excluded, because a registry token is issued for a single command. */
export type StorableSecret = Exclude<Secret, { readonly kind: 'registry-token' }>;

export interface FoundCredentials {
  readonly secret?: Secret;
  /** Origin of the secret, for messages: a file, or a credential helper and the file that names it. */
  readonly source?: string;
  /**
   * Reasons why files and helpers with an entry for this registry yielded no credentials. The reasons matter only if the registry requires
   * credentials.
   */
  readonly problems: readonly string[];
}
