import { mkdir, readFile, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import { errnoOf, errnoText, pathExists } from '../../base/util/fs.ts';
import { isJsonMap, jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';
import { withLock } from '../../base/util/with-lock.ts';
import { writeWhole } from '../blob-files.ts';
import { connectRegistry } from './client.ts';
import {
  authFilePaths,
  loginFilePath,
  readAuthFile,
  type AuthFile,
  type Secret,
  type StorableSecret,
} from './credentials/auth-file.ts';
import { eraseWithHelper, storeWithHelper } from './credentials/credential-helper.ts';
import { findCredentials, lookUp, hostOfKey, namesPart } from './credentials/find-credentials.ts';
import { type RegistryOptions, credentialsKey, credentialsKeys } from './options.ts';

/** Describes where the credentials of a login were stored. */
interface StoredLogin {
  /** The file that holds the credentials, or that names the credential helper that holds them. */
  readonly file: string;
  /** The credential helper that holds the credentials: the program `docker-credential-<helper>`. */
  readonly helper?: string;
  /** Another file or helper whose credentials for the registry are used instead of the stored ones, because it is searched earlier. */
  readonly shadowedBy?: string;
  /** Parts of the registry that have credentials of their own. */
  readonly parts: readonly string[];
}

/**
 * Checks if a registry accepts credentials.
 * @returns false if the registry requires no credentials, so that the given ones cannot be checked
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
 * Stores credentials where docker stores them: in the credential helper that the credentials file names, else in the file itself.
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

/** Result of a logout. It shows if credentials were removed, and which place still has credentials for the registry. */
interface ErasedLogin {
  readonly file: string;
  /** True if credentials existed and were erased. */
  readonly erased: boolean;
  /** Other files and helpers that still have credentials for the registry. */
  readonly leftIn?: string;
}

/**
 * Erases the credentials of a registry from the file or helper in which {@link storeLogin} stores them.
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
  // An explicitly named file is the only file that is searched, and it may be missing, so skip the search.
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

/**
 * Returns the text of a credentials file in which the entry of a registry is set, or removed if `entry` is undefined. The rest of the text
 * keeps its order and indentation. Further entries for the entire registry are removed, because they might be found before the new one.
 * @param text text of the file; undefined if the file is missing
 */
export function withEntry(
  text: string | undefined,
  registry: string,
  entry: Readonly<Record<string, string>> | undefined,
): { readonly text: string; readonly removed: number } {
  const file = jsonMapOf(text === undefined || text.trim() === '' ? {} : (JSON.parse(text) as unknown));
  const before = Object.entries(jsonMapOf(file['auths']));
  const [key = registry] = credentialsKeys(registry);
  const others = before.filter(([each]) => each === key || !meansRegistry(each, registry));
  const auths = Object.fromEntries(
    entry === undefined ? others.filter(([each]) => each !== key) : others,
  ) as Record<string, unknown>;
  if (entry !== undefined) auths[key] = entry;
  const isEmpty = Object.keys(auths).length === 0 && file['auths'] === undefined;
  const changed: JsonMap = isEmpty ? file : { ...file, auths };
  const indentation = /^\s*\{\r?\n([ \t]+)/.exec(text ?? '')?.[1] ?? (isOneLine(text) ? '' : '\t');
  const end = /\s*$/.exec(text ?? '')?.[0] ?? '';
  return {
    text: JSON.stringify(changed, null, indentation) + (text?.trim() === '' ? '' : end),
    removed: before.filter(([each]) => meansRegistry(each, registry)).length,
  };
}

/** Returns true if a key of a credentials file names an entire registry, in one of the forms that container tools write. */
export function meansRegistry(key: string, registry: string): boolean {
  const names = [registry, ...credentialsKeys(registry)];
  return names.includes(key) || (!namesPart(key) && names.includes(hostOfKey(key)));
}

function isOneLine(text: string | undefined): boolean {
  return text !== undefined && /^\s*\{.+\}\s*$/.test(text) && !text.trim().includes('\n');
}

/**
 * Changes a credentials file atomically, and makes it readable only by its owner. If the path is a link, changes the target of the link.
 * @param change receives the text (undefined if the file is missing) and returns the new text, or undefined to leave the file unchanged
 * @throws OpSdkError `oci/credentials-file`, also if another program has changed the file in the meantime; the file is left unchanged then
 */
async function editAuthFile(
  path: string,
  signal: AbortSignal,
  change: (text: string | undefined) => string | undefined,
): Promise<void> {
  try {
    const target = (await pathExists(path)) ? await realpath(path) : path;
    const planned = change(await readText(target, path));
    if (planned === undefined) return;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await withLock(`${target}.op-sdk-lock`, { signal }, async () => {
      const before = await readText(target, path);
      const after = change(before);
      if (after === undefined) return;
      const decide = async (): Promise<boolean> => (await readText(target, path)) === before;
      if (!(await writeWhole(target, [Buffer.from(after)], { signal, decide, mode: 0o600 })))
        throw unusable(path, 'another program has changed it meanwhile', 'run the command again');
    });
  } catch (error) {
    if (errnoOf(error) === undefined || signal.aborted) throw error;
    throw unusable(path, `it cannot be written: ${errnoText(error)}`, 'name another file with --authfile');
  }
}

/** Returns the text of a credentials file after checking its form. Error messages never quote the content of the file. */
async function readText(target: string, path: string): Promise<string | undefined> {
  const text = await readFile(target, 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined || text.trim() === '') return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable(path, 'it is not JSON', 'repair the file, or name another one with --authfile');
  }
  const isFile = isJsonMap(value) && (value['auths'] === undefined || isJsonMap(value['auths']));
  if (isFile) return text;
  throw unusable(
    path,
    'expected an object with an object `auths`',
    'repair the file, or name another one with --authfile',
  );
}

function unusable(path: string, problem: string, fix: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/credentials-file',
    message: `the credentials in ${path} cannot be changed: ${problem}`,
    where: { file: path },
    fix: [fix],
  });
}
