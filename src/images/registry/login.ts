import { OpSdkError } from '../../base/errors/index.ts';
import { connectRegistry } from './client.ts';
import { authFilePaths, loginFilePath, readAuthFile, type AuthFile } from './credentials/auth-file.ts';
import { eraseWithHelper, storeWithHelper } from './credentials/credential-helper.ts';
import { editAuthFile, meansRegistry, withEntry } from './credentials/edit-auth-file.ts';
import { findCredentials, lookUp } from './credentials/find-credentials.ts';
import type { Secret, StorableSecret } from './credentials/types.ts';
import type { RegistryOptions } from './options.ts';
import { credentialsKey, credentialsKeys } from './registry-host.ts';

/** Where a login is kept. */
export interface StoredLogin {
  /** The file, which holds the credentials or names the helper that does. */
  readonly file: string;
  /** The program `docker-credential-<helper>`. */
  readonly helper?: string;
  /** The place whose other credentials are used in place of these, in its order before the file. */
  readonly shadowedBy?: string;
  /** Parts of the registry with credentials of their own. */
  readonly parts: readonly string[];
}

/**
 * Asks a registry whether it accepts credentials.
 * @returns false if it asks nobody for credentials, so that they are neither right nor wrong
 * @throws OpSdkError `oci/wrong-credentials`, `oci/…`
 */
export async function checkLogin(
  registry: string,
  secret: StorableSecret,
  options: RegistryOptions,
): Promise<boolean> {
  let asked = false;
  const client = await connectRegistry({ registry, repository: '' }, 'log in to', {
    ...options,
    credentials: () => {
      asked = true;
      return { secret, source: 'this command', problems: [] };
    },
  });
  try {
    const response = await client.request({
      method: 'GET',
      url: '/v2/',
      scopes: [],
      expect: [200, 202, 204, 404],
      what: 'GET /v2/',
    });
    response.discard();
    return asked;
  } finally {
    client.close();
  }
}

/**
 * Stores credentials where docker does: in the helper that the file names, else in the file.
 * @throws OpSdkError `oci/credentials-file`
 */
export async function storeLogin(
  registry: string,
  secret: StorableSecret,
  options: RegistryOptions,
): Promise<StoredLogin> {
  const file = loginFilePath(options);
  const before = await readAuthFile(file);
  const helper = helperOf(before, registry);
  if (helper !== undefined) {
    const problem = await storeWithHelper(helper, credentialsKey(registry), secret, options);
    if (problem !== undefined) throw helperFailed(file, problem);
  }
  const entry = helper === undefined ? entryOf(secret) : {};
  await editAuthFile(file, options.signal, (text) => withEntry(text, registry, entry).text);
  const found = await findCredentials({ registry, repository: '' }, options);
  const isFound = found.secret !== undefined && isSameSecret(found.secret, secret);
  return {
    file,
    ...(helper === undefined ? {} : { helper }),
    ...(isFound ? {} : { shadowedBy: found.source ?? found.problems.join('; ') }),
    parts: Object.keys(before?.auths ?? {}).filter(
      (key) => key.startsWith(`${registry}/`) && !meansRegistry(key, registry),
    ),
  };
}

/** Outcome of a logout: the removed credentials, and those that are left. */
export interface ErasedLogin {
  readonly file: string;
  /** True if there were credentials. */
  readonly erased: boolean;
  /** Other files and helpers, which still have credentials for the registry. */
  readonly leftIn?: string;
}

/**
 * Erases the credentials of a registry from where {@link storeLogin} stores them.
 * @throws OpSdkError `oci/credentials-file`
 */
export async function eraseLogin(registry: string, options: RegistryOptions): Promise<ErasedLogin> {
  const file = loginFilePath(options);
  const before = await readAuthFile(file);
  if (before === undefined) return { file, erased: false, ...(await leftIn(registry, options)) };
  const helper = helperOf(before, registry);
  let erased = false;
  if (helper !== undefined) {
    const own = await findCredentials({ registry, repository: '' }, { ...options, authFile: file });
    erased = own.secret !== undefined;
    const problem = await eraseWithHelper(helper, credentialsKey(registry), options);
    if (problem !== undefined && erased) throw helperFailed(file, problem);
  }
  await editAuthFile(file, options.signal, (text) => {
    if (text === undefined) return undefined;
    const after = withEntry(text, registry, undefined);
    if (after.removed === 0) return undefined;
    erased = true;
    return after.text;
  });
  return { file, erased, ...(await leftIn(registry, options)) };
}

async function leftIn(registry: string, options: RegistryOptions): Promise<{ readonly leftIn?: string }> {
  const paths = authFilePaths(options);
  // A file that was named is the only one, and need not exist.
  if (paths.length === 1) return {};
  const { secret, source } = await findCredentials({ registry, repository: '' }, options);
  return secret === undefined || source === undefined ? {} : { leftIn: source };
}

function helperOf(file: AuthFile | undefined, registry: string): string | undefined {
  if (file === undefined) return undefined;
  return lookUp(file.credHelpers, [registry, ...credentialsKeys(registry)]) ?? file.credsStore;
}

function entryOf(secret: StorableSecret): Readonly<Record<string, string>> {
  if (secret.kind === 'identity-token') return { identitytoken: secret.token };
  return { auth: Buffer.from(`${secret.username}:${secret.password}`).toString('base64') };
}

function isSameSecret(found: Secret, stored: StorableSecret): boolean {
  if (found.kind === 'password' && stored.kind === 'password')
    return found.username === stored.username && found.password === stored.password;
  return found.kind === 'identity-token' && stored.kind === 'identity-token' && found.token === stored.token;
}

function helperFailed(file: string, problem: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/credentials-file',
    message: `the credential helper that ${file} names cannot be used: ${problem}`,
    where: { file },
    fix: ['repair the helper, or name another file with --authfile'],
  });
}
