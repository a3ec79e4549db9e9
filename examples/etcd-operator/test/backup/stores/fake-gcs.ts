import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { startServer, type Answer, type SeenRequest, type TestServer } from './test-server.ts';

/** Key pair of the tests' service account. */
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export interface FakeGcs extends TestServer {
  /** Objects by `bucket/key`. */
  readonly objects: Map<string, { readonly content: Buffer; readonly metadata: Record<string, string> }>;
  /** Key file of the service account that may use it. */
  readonly keyFile: string;
  /** Times at which a token was given. */
  readonly tokens: string[];
  /** Bytes of the next upload after which its connection is closed; they are kept. */
  breakUploadAfter: number | undefined;
  /** True to give tokens that are refused. */
  givesBadTokens: boolean;
}

interface Session {
  readonly path: string;
  readonly size: number;
  readonly resource: { readonly metadata: Record<string, string>; readonly md5Hash: string };
  received: Buffer;
}

const json = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });
const refusal = (status: number, message: string): Answer =>
  json(status, { error: { code: status, message } });

/** Starts a token endpoint, which checks what it is sent, and a server that keeps objects of the bucket `backups`. */
export async function startFakeGcs({ pageSize = 2 } = {}): Promise<FakeGcs> {
  const objects: FakeGcs['objects'] = new Map();
  const sessions = new Map<string, Session>();
  const tokens: string[] = [];
  const answer = (request: SeenRequest): Answer => {
    const { pathname } = request.url;
    if (pathname === '/token') return giveToken(request);
    if (pathname.startsWith('/session/')) return upload(request);
    const authorization = request.headers.authorization ?? '';
    if (fake.givesBadTokens || !tokens.includes(authorization.replace('Bearer ', '')))
      return refusal(401, 'Invalid Credentials');
    const [, isUpload, bucket, key] =
      /^(\/upload)?\/storage\/v1\/b\/([^/]+)\/o(?:\/([^/]+))?$/.exec(pathname) ?? [];
    if (bucket !== 'backups') return refusal(404, 'The specified bucket does not exist.');
    if (isUpload !== undefined) return openSession(request);
    if (key === undefined) return list(request.url);
    return object(request, `${bucket}/${decodeURIComponent(key)}`);
  };

  const giveToken = ({ body }: SeenRequest): Answer => {
    const form = new URLSearchParams(body.toString());
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const read = (part: string) =>
      JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
    const signed = Buffer.from(`${head}.${claims}`);
    const isSigned = verify('RSA-SHA256', signed, publicKey, Buffer.from(signature, 'base64url'));
    const { iss, aud, scope, iat, exp } = read(claims);
    const now = Date.now() / 1000;
    const isRight =
      form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
      read(head)['alg'] === 'RS256' &&
      read(head)['kid'] === 'key-1' &&
      iss === 'backup@project.iam.gserviceaccount.com' &&
      aud === `${fake.url}/token` &&
      scope === 'https://www.googleapis.com/auth/devstorage.read_write' &&
      Math.abs(Number(iat) - now) < 60 &&
      Number(exp) - Number(iat) <= 3600;
    if (!isSigned) return json(400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' });
    if (!isRight) return json(400, { error: 'invalid_grant', error_description: 'Invalid claims.' });
    tokens.push(`token-${tokens.length}`);
    return json(200, { access_token: tokens.at(-1), expires_in: 3600, token_type: 'Bearer' });
  };

  const openSession = ({ url, headers, body }: SeenRequest): Answer => {
    const id = `/session/${sessions.size}`;
    const resource = JSON.parse(body.toString()) as Session['resource'];
    const size = Number(headers['x-upload-content-length']);
    sessions.set(id, {
      path: `backups/${url.searchParams.get('name')}`,
      size,
      resource,
      received: Buffer.alloc(0),
    });
    return { status: 200, headers: { location: `${fake.url}${id}?upload_id=secret` } };
  };

  const upload = ({ url, headers, body }: SeenRequest): Answer => {
    const session = sessions.get(url.pathname);
    if (session === undefined) return refusal(404, 'Not Found');
    const start = /^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1];
    if (start !== undefined) {
      const limit = fake.breakUploadAfter ?? body.length;
      const isBroken = fake.breakUploadAfter !== undefined;
      fake.breakUploadAfter = undefined;
      session.received = Buffer.concat([
        session.received.subarray(0, Number(start)),
        body.subarray(0, limit),
      ]);
      if (isBroken) return { status: 503, body: 'backend error' };
    }
    const { received, size, path, resource } = session;
    if (received.length < size)
      return {
        status: 308,
        headers: received.length === 0 ? {} : { range: `bytes=0-${received.length - 1}` },
      };
    const md5 = createHash('md5').update(received).digest('base64');
    if (md5 !== resource.md5Hash)
      return refusal(400, `Provided MD5 hash "${resource.md5Hash}" doesn't match`);
    objects.set(path, { content: received, metadata: resource.metadata });
    return json(200, { name: path });
  };

  const list = ({ searchParams }: URL): Answer => {
    const prefix = `backups/${searchParams.get('prefix')}`;
    const all = [...objects].filter(([path]) => path.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));
    const start = Number(searchParams.get('pageToken') ?? 0);
    const items = all.slice(start, start + pageSize).map(([path, { content }]) => ({
      name: path.slice('backups/'.length),
      size: String(content.length),
    }));
    const next = start + pageSize < all.length ? { nextPageToken: String(start + pageSize) } : {};
    return json(200, { ...(items.length > 0 ? { items } : {}), ...next });
  };

  const object = ({ method, url }: SeenRequest, path: string): Answer => {
    const found = objects.get(path);
    if (found === undefined) return refusal(404, `No such object: ${path}`);
    if (method === 'DELETE') return { status: objects.delete(path) ? 204 : 404 };
    if (url.searchParams.get('alt') === 'media') return { status: 200, body: found.content };
    return json(200, {
      name: path,
      size: String(found.content.length),
      generation: '7',
      metadata: found.metadata,
    });
  };

  const server = await startServer(answer);
  const fake: FakeGcs = Object.assign(server, {
    objects,
    tokens,
    breakUploadAfter: undefined,
    givesBadTokens: false,
    keyFile: JSON.stringify({
      type: 'service_account',
      private_key_id: 'key-1',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: 'backup@project.iam.gserviceaccount.com',
      token_uri: `${server.url}/token`,
    }),
  });
  return fake;
}
