// Google's side of credentials, in front of a storage server that checks none: tokens for signed assertions of a service account, and no
// request without a token, except to the address of an upload that was begun with one.
import { generateKeyPairSync, randomBytes, verify, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

interface GoogleFrontOptions {
  /** Port of 127.0.0.1 at which the storage server listens. */
  readonly upstreamPort: number;
  /** Address to listen on. */
  readonly host: string;
  readonly port: number;
  /** URL by which clients reach this front. */
  readonly endpoint: string;
  readonly account: ServiceAccountKey;
}

/** A key of a service account, as Google's console downloads it. */
interface ServiceAccountKey {
  /** The JSON file. */
  readonly json: string;
  readonly email: string;
  readonly publicKey: KeyObject;
}

const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const scopes = [
  'https://www.googleapis.com/auth/cloud-platform',
  'https://www.googleapis.com/auth/devstorage.full_control',
  'https://www.googleapis.com/auth/devstorage.read_write',
];
/** Seconds for which an assertion may be valid, and by which clocks may differ. */
const longestValidity = 3600;
const clockSkew = 60;

/** Creates the key of a service account whose tokens an endpoint issues. */
export function createServiceAccountKey(endpoint: string): ServiceAccountKey {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const email = 'backup@test-project.iam.gserviceaccount.com';
  const json = JSON.stringify({
    type: 'service_account',
    project_id: 'test-project',
    private_key_id: randomBytes(20).toString('hex'),
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: email,
    token_uri: `${endpoint}/token`,
  });
  return { json, email, publicKey };
}

/** What the front has given to clients, each of which is the right to make requests. */
interface GivenRights {
  readonly tokens: Set<string>;
  /** Addresses of resumable uploads, without their hosts. */
  readonly sessions: Set<string>;
}

/** Starts the front. Disposing of it closes its connections. */
export async function startGoogleFront(options: GoogleFrontOptions): Promise<AsyncDisposable> {
  const rights: GivenRights = { tokens: new Set(), sessions: new Set() };
  const server = createServer((incoming, answer) => {
    const handled = isTokenRequest(incoming)
      ? issueToken(incoming, answer, options, rights)
      : forward(incoming, answer, options, rights);
    handled.catch((error: unknown) => answer.writeHead(500).end(String(error)));
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function isTokenRequest({ method, url }: IncomingMessage): boolean {
  return method === 'POST' && url === '/token';
}

/** @see RFC 7523, and https://developers.google.com/identity/protocols/oauth2/service-account */
async function issueToken(
  incoming: IncomingMessage,
  answer: ServerResponse,
  options: GoogleFrontOptions,
  { tokens }: GivenRights,
): Promise<void> {
  const form = new URLSearchParams(await text(incoming));
  const fault =
    form.get('grant_type') === grantType
      ? faultOf(form.get('assertion') ?? '', options)
      : `grant_type must be ${grantType}`;
  if (fault !== undefined) return sendJson(answer, 400, { error: 'invalid_grant', error_description: fault });
  const token = `ya29.${randomBytes(32).toString('base64url')}`;
  tokens.add(token);
  sendJson(answer, 200, { access_token: token, expires_in: 3599, token_type: 'Bearer' });
}

/** Returns the reason for which an assertion is refused. */
function faultOf(assertion: string, { account, endpoint }: GoogleFrontOptions): string | undefined {
  const parts = assertion.split('.');
  if (parts.length !== 3) return 'assertion must be a JSON Web Token';
  const [head = '', body = '', signature = ''] = parts;
  const decode = (part: string): Readonly<Record<string, unknown>> =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as Readonly<Record<string, unknown>>;
  const { alg } = decode(head);
  if (alg !== 'RS256') return `alg must be RS256, got ${String(alg)}`;
  const signed = Buffer.from(`${head}.${body}`);
  if (!verify('sha256', signed, account.publicKey, Buffer.from(signature, 'base64url')))
    return 'Invalid JWT Signature.';
  const { iss, aud, scope, iat, exp } = decode(body);
  const now = Date.now() / 1000;
  if (iss !== account.email) return `iss must be ${account.email}, got ${String(iss)}`;
  if (aud !== `${endpoint}/token`) return `aud must be ${endpoint}/token, got ${String(aud)}`;
  if (typeof scope !== 'string' || !scope.split(' ').some((one) => scopes.includes(one)))
    return `scope must allow writing to storage, got ${String(scope)}`;
  if (typeof iat !== 'number' || typeof exp !== 'number') return 'iat and exp must be numbers of seconds';
  if (iat > now + clockSkew || exp < now - clockSkew || exp - iat > longestValidity)
    return 'the assertion must be valid now, and for an hour at most';
  return undefined;
}

/** @see https://cloud.google.com/storage/docs/resumable-uploads: the address of a session acts as a token */
async function forward(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { upstreamPort }: GoogleFrontOptions,
  { tokens, sessions }: GivenRights,
): Promise<void> {
  const { method, url = '', headers } = incoming;
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  if (!tokens.has(token) && !sessions.has(url)) {
    const error = { code: 401, message: 'Invalid Credentials', status: 'UNAUTHENTICATED' };
    return sendJson(answer, 401, { error });
  }
  const outgoing = httpRequest({ host: '127.0.0.1', port: upstreamPort, method, path: url, headers });
  incoming.pipe(outgoing);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const { location = '' } = response.headers;
  if (URL.canParse(location)) {
    const { pathname, search } = new URL(location);
    sessions.add(`${pathname}${search}`);
  }
  answer.writeHead(response.statusCode ?? 502, response.headers);
  response.pipe(answer);
}

function sendJson(answer: ServerResponse, status: number, body: object): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
