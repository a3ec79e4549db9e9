import { OpSdkError } from '../../../base/errors/index.ts';
import type { ImageReference } from '../../types.ts';
import { type RegistryOptions, credentialsKey, credentialsKeys } from '../options.ts';
import {
  authFilePaths,
  isNamed,
  readAuthFile,
  type AuthEntry,
  type AuthFile,
  type FoundCredentials,
  type Secret,
} from './auth-file.ts';
import { askHelper } from './credential-helper.ts';

/**
 * Searches the files and helpers of docker and podman for the credentials of a repository. Uses the first file with an entry for the
 * registry. Within a file, searches credHelpers first, then credsStore, then auths. A key of auths may name only a part of the registry
 * (`registry.example.com/team`); the longest matching key is used.
 * @throws OpSdkError `oci/credentials-file`, also if an explicitly named file does not exist
 */
export async function findCredentials(
  { registry, repository }: Pick<ImageReference, 'registry' | 'repository'>,
  options: Pick<RegistryOptions, 'env' | 'home' | 'authFile' | 'signal' | 'timing'>,
): Promise<FoundCredentials> {
  const problems: string[] = [];
  for (const path of authFilePaths(options)) {
    const file = await readAuthFile(path);
    if (file === undefined) {
      if (isNamed(options)) throw missingAuthFile(path, registry, options.authFile !== undefined);
      continue;
    }
    const found = await inFile(file, registry, repository, options, problems);
    if (found !== undefined) return { ...found, problems };
  }
  return { problems };
}

async function inFile(
  file: AuthFile,
  registry: string,
  repository: string,
  options: Pick<RegistryOptions, 'env' | 'signal' | 'timing'>,
  problems: string[],
): Promise<{ readonly secret: Secret; readonly source: string } | undefined> {
  const scopes = scopesOf(registry, repository);
  const helper = lookUp(file.credHelpers, scopes) ?? file.credsStore;
  if (helper !== undefined && helper !== '') {
    const answer = await askHelper(helper, credentialsKey(registry), options);
    if (answer !== undefined && 'secret' in answer)
      return { secret: answer.secret, source: `docker-credential-${helper}, named in ${file.path}` };
    if (answer !== undefined) problems.push(`${answer.problem}; ${file.path} names it`);
  }
  const entry = lookUp(file.auths, scopes);
  if (entry === undefined) return undefined;
  const secret = secretOf(entry);
  if (secret !== undefined) return { secret, source: file.path };
  // Entries in the file are empty if a helper holds the secret, so empty entries are not a problem.
  if (Object.values(entry).some((field) => field !== '' && field !== undefined))
    problems.push(`the entry for ${registry} in ${file.path} holds no user name and password`);
  return undefined;
}

/**
 * Returns the keys to look up for a repository, most specific first: `[registry/a/b, registry/a, registry]`, each with all names of the
 * registry.
 */
function scopesOf(registry: string, repository: string): readonly string[] {
  const parts = repository === '' ? [] : repository.split('/');
  const paths = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
  const names = [...new Set([registry, ...credentialsKeys(registry)])];
  return [...paths.flatMap((path) => names.map((name) => `${name}/${path}`)), ...names];
}

/**
 * Looks up exact keys first, as containers/image does. The most specific key comes first: `registry.example.com/team`, then
 * `registry.example.com`. If none matches, applies docker's rule, which ignores the scheme of every key and everything from its first slash
 * on. So `https://registry.example.com/v1/`, `index.docker.io/v1/` and `registry.example.com:5000/v2/` match their registries. Among these
 * matches, the first key without a path, or with the path `v1` or `v2`, is used. If all have another path, the first match is used,
 * although it was written for a part of the registry. Source: docker `cli/config/credentials/file_store.go` (ConvertToHostname).
 */
export function lookUp<T>(map: Readonly<Record<string, T>>, scopes: readonly string[]): T | undefined {
  for (const scope of scopes) if (Object.hasOwn(map, scope)) return map[scope];
  for (const scope of scopes) {
    const keys = Object.keys(map).filter((each) => hostOfKey(each) === scope);
    const key = keys.find((each) => !namesPart(each)) ?? keys[0];
    if (key !== undefined) return map[key];
  }
  return undefined;
}

/** Returns the host of a key of a credentials file, without scheme and path. */
export function hostOfKey(key: string): string {
  return key.replace(/^https?:\/\//, '').split('/', 1)[0] ?? '';
}

/** Returns true if a key of a credentials file is for only a part of a registry, as in containers/image. A URL is never for a part. */
export function namesPart(key: string): boolean {
  return !/^https?:\/\/|^[^/]*(?:\/(?:v[12]\/?)?)?$/.test(key);
}

function secretOf(entry: AuthEntry): Secret | undefined {
  const text = (field: unknown): string => (typeof field === 'string' ? field : '');
  if (text(entry.registrytoken) !== '') return { kind: 'registry-token', token: text(entry.registrytoken) };
  if (text(entry.identitytoken) !== '') return { kind: 'identity-token', token: text(entry.identitytoken) };
  const decoded = decodeAuth(text(entry.auth));
  const username = decoded?.username ?? text(entry.username);
  const password = decoded?.password ?? text(entry.password);
  return username === '' ? undefined : { kind: 'password', username, password };
}

/** Decodes base64 of `username:password`; returns undefined for any other text. */
export function decodeAuth(
  auth: string,
): { readonly username: string; readonly password: string } | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(auth.trim())) return undefined;
  const text = Buffer.from(auth, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  // docker strips trailing NUL characters, too, because some programs fill the last block of the text with them.
  return { username: text.slice(0, colon), password: text.slice(colon + 1).replace(/\0+$/, '') };
}

/**
 * Creates the error for a credentials file that was named explicitly but is missing. No other source is tried, because the user relies on
 * this file and would not notice a fallback to anonymous access.
 */
function missingAuthFile(path: string, registry: string, byFlag: boolean): OpSdkError {
  const name = byFlag ? '--authfile' : 'REGISTRY_AUTH_FILE';
  return new OpSdkError({
    code: 'oci/credentials-file',
    message: `${registry} asks for credentials, and the file that ${name} names is missing: ${path}`,
    where: byFlag ? { flag: name } : { file: path },
    fix: [
      `create it: podman login --authfile ${path} ${registry}`,
      byFlag ? 'or leave --authfile out' : 'or unset REGISTRY_AUTH_FILE',
    ],
  });
}
