import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  None,
  refreshTokenGrant,
  type CustomFetchOptions,
} from 'openid-client';
import { dump } from 'js-yaml';
import { secrets, type SharedRun, createWire } from '../../net/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import { isEntry, type NamedEntry, pem, text } from './kubeconfig-file.ts';
import type { CredentialSource } from './plugin-credentials.ts';
import { loadGoYaml } from './kubeconfig-types.ts';

/** Time limit in milliseconds for the identity provider to renew a token. */
const renewLimit = 60_000;
/** Milliseconds before expiry at which a token is renewed. Source: client-go `plugin/pkg/client/auth/oidc`, `expiryDelta`. */
const expiryDelta = 10_000;
/** Maximum size of a response of the identity provider, in bytes. */
const maxAnswer = 4 * 1024 * 1024;

interface OidcOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the current time in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Creates a credential source from the identity provider of a user (`auth-provider: oidc`). Returns the id-token while it is valid, and
 * renews it with the refresh-token. The new id-token and the new refresh-token are written to the kubeconfig, because a provider may accept
 * each refresh-token only once. Source: client-go `plugin/pkg/client/auth/oidc/oidc.go`.
 */
export function oidcProvider(user: NamedEntry, options: OidcOptions): CredentialSource {
  const { env, now = () => Date.now() } = options;
  const provider = user.value['auth-provider'];
  const given = isEntry(provider) && isEntry(provider['config']) ? provider['config'] : {};
  const config: NamedEntry = {
    name: `the identity provider of ${user.name}`,
    value: { ...given },
    file: user.file,
  };
  let idToken = text(config, 'id-token');
  let refreshToken = text(config, 'refresh-token');
  const fail = (why: string): OpSdkError =>
    new OpSdkError({
      code: 'kube/credentials-failed',
      message: `the identity provider of user ${user.name} ${why}`,
      where: { file: user.file },
      fix: ['log in again with the tool that wrote the kubeconfig'],
    });
  const ask: CredentialSource['ask'] = async (run) => {
    const known = idToken === undefined ? undefined : expiryOf(idToken);
    if (idToken !== undefined && known === undefined) throw fail('gave an id-token that is not a valid JWT');
    if (idToken !== undefined && known !== undefined && known - expiryDelta > now())
      return { token: idToken, expires: known - expiryDelta };
    if (refreshToken === undefined)
      throw fail('gave no token: the id-token is missing or has expired, and the refresh-token is absent');
    const issuer = text(config, 'idp-issuer-url');
    if (issuer === undefined || !URL.canParse(issuer))
      throw fail(`cannot be reached: idp-issuer-url: expected a URL, got ${JSON.stringify(issuer ?? '')}`);
    let answer: { readonly id_token?: string | undefined; readonly refresh_token?: string | undefined };
    try {
      answer = await refresh(new URL(issuer), refreshToken, config, env, run);
    } catch (error) {
      // The error has no `cause`, because the cause may contain parts of the exchange with the identity provider whose secrets are not
      // redacted.
      throw fail(`did not renew the id-token: ${secrets.redact(messagesOf(error))}`);
    }
    if (answer.id_token === undefined)
      throw fail('did not renew the id-token: its answer holds none; log in with the scope "openid"');
    secrets.hide(answer.id_token);
    const renewed =
      answer.refresh_token === undefined || answer.refresh_token === '' ? refreshToken : answer.refresh_token;
    secrets.hide(renewed);
    idToken = answer.id_token;
    refreshToken = renewed;
    await persistAuthProvider(user, { 'id-token': idToken, 'refresh-token': refreshToken }).catch(
      (error: unknown) => {
        // The renewed tokens remain valid for this process, but the next process may have to log in again.
        process.emitWarning(
          `the renewed tokens of user ${user.name} cannot be written to ${user.file}: ${(error as Error).message}`,
          'KubernetesWarning',
        );
      },
    );
    return { token: idToken, expires: (expiryOf(idToken) ?? now() + expiryDelta) - expiryDelta };
  };
  return {
    subject: `identity provider of user ${user.name}`,
    limit: () => renewLimit,
    late: (limit) => fail(`did not answer within ${limit / 1000} s`),
    ask,
  };
}

async function refresh(
  issuer: URL,
  refreshToken: string,
  config: NamedEntry,
  env: Readonly<Record<string, string | undefined>>,
  run: SharedRun,
): Promise<{ readonly id_token?: string | undefined; readonly refresh_token?: string | undefined }> {
  const ca = await pem(config, 'idp-certificate-authority')?.(run.signal);
  const wire = createWire({
    env,
    ca: ca === undefined ? undefined : [ca],
    connectTimeout: 30_000,
    idleTimeout: 30_000,
  });
  const fetchByWire = async (
    url: string,
    { method, headers, body }: CustomFetchOptions,
  ): Promise<Response> => {
    const bytes =
      body === undefined || body === null ? undefined : Buffer.from(await new Response(body).arrayBuffer());
    const response = await wire.send({
      method,
      url: new URL(url),
      headers: { ...headers, ...(bytes === undefined ? {} : { 'content-length': String(bytes.length) }) },
      ...(bytes === undefined ? {} : { body: once(bytes) }),
      signal: run.signal,
    });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxAnswer) throw new Error(`the answer is longer than ${maxAnswer} bytes`);
    }
    const type = response.header('content-type');
    const text = Buffer.concat(chunks).toString('utf8');
    return new Response(response.status === 200 ? lenient(text) : text, {
      status: response.status,
      headers: type === undefined ? {} : { 'content-type': type },
    });
  };
  let idToken: string | undefined;
  /**
   * Removes the id-token and replaces the issuer in a response of the identity provider, because openid-client would validate them more
   * strictly than kubectl. As with kubectl, only the API server validates them.
   */
  const lenient = (text: string): string => {
    const answer: unknown = JSON.parse(text);
    if (!isEntry(answer)) return text;
    const { id_token: given, ...rest } = answer;
    if (typeof given === 'string') idToken = given;
    return JSON.stringify('issuer' in rest ? { ...rest, issuer: issuer.href } : rest);
  };
  const clientId = text(config, 'client-id') ?? '';
  const secret = text(config, 'client-secret');
  const insecure = issuer.protocol === 'http:';
  try {
    const found = await discovery(issuer, clientId, undefined, None(), {
      [customFetch]: fetchByWire,
      timeout: 30,
      ...(insecure ? { execute: [allowInsecureRequests] } : {}),
    });
    // Tries the client authentication methods in the same order as Go's oauth2: first credentials in the header, as OpenID Connect
    // specifies, then credentials in the form.
    const ways = secret === undefined ? [None()] : [ClientSecretBasic(secret), ClientSecretPost(secret)];
    let failure: unknown;
    for (const way of ways) {
      const client = new Configuration(found.serverMetadata(), clientId, secret, way);
      client[customFetch] = fetchByWire;
      client.timeout = 30;
      if (insecure) allowInsecureRequests(client);
      try {
        const { refresh_token } = await refreshTokenGrant(client, refreshToken);
        return { id_token: idToken, refresh_token };
      } catch (error) {
        failure ??= error;
        if (run.signal.aborted) break;
      }
    }
    throw failure;
  } finally {
    wire.close();
  }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** Returns the expiry of a token in milliseconds since 1970; undefined if the token is not a JWT or has no expiry. */
function expiryOf(token: string): number | undefined {
  const [, payload, signature, ...rest] = token.split('.');
  if (payload === undefined || signature === undefined || rest.length > 0) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const exp = isEntry(claims) ? claims['exp'] : undefined;
    return typeof exp === 'number' ? Math.floor(exp) * 1000 : undefined;
  } catch {
    return undefined;
  }
}

function messagesOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { error_description: description } = error as { error_description?: unknown };
  const why = typeof description === 'string' ? `: ${description}` : '';
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${why}${cause}`;
}

/** Maximum time in milliseconds to wait until another writer releases the lock. */
const lockLimit = 5_000;

/**
 * Writes fields of a user's auth-provider atomically to the user's kubeconfig, while holding kubectl's lock (`<file>.lock`). All other
 * values are kept; comments are lost, as with kubectl. Source: client-go `tools/clientcmd/config.go`, `persister`, `lockFile`.
 *
 * @throws the error of the file system, or an error if the file no longer contains the user
 */
async function persistAuthProvider(
  user: NamedEntry,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  // Resolves a symbolic link, so that the target file is replaced and the link is kept.
  const file = await realpath(user.file);
  const unlock = await lock(`${file}.lock`);
  const temporary = join(dirname(file), `.kubeconfig-${process.pid}-${performance.now()}`);
  try {
    const { mode } = await stat(file);
    const config = loadGoYaml(await readFile(file, 'utf8'), file);
    if (!setFields(config, user.name, fields))
      throw new Error(`the kubeconfig file no longer has the user ${user.name}`);
    await writeFile(
      temporary,
      dump(config, { lineWidth: -1, noRefs: true, forceQuotes: true, quotingType: '"' }),
      { mode },
    );
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
    await unlock();
  }
}

function setFields(config: unknown, name: string, fields: Readonly<Record<string, string>>): boolean {
  const users =
    isEntry(config) && Array.isArray(config['users']) ? (config['users'] as readonly unknown[]) : [];
  const entry = users.find((each) => isEntry(each) && each['name'] === name);
  const user = isEntry(entry) ? entry['user'] : undefined;
  const provider = isEntry(user) ? user['auth-provider'] : undefined;
  if (!isEntry(provider) || !isEntry(provider['config'])) return false;
  Object.assign(provider['config'], fields);
  return true;
}

async function lock(path: string): Promise<() => Promise<void>> {
  const deadline = performance.now() + lockLimit;
  for (;;) {
    try {
      const handle = await open(path, 'wx', 0);
      await handle.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || performance.now() > deadline) throw error;
      await sleep(50);
    }
  }
}
