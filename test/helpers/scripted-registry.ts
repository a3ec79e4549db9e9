import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { startRegistry, type MemoryRegistry } from '../../scripts/lib/registry.mjs';
import type { RegistryClock, RegistryOptions } from '../../src/images/registry/options.ts';
import {
  mediaTypes,
  type Descriptor,
  type ImageContent,
  type ImageReference,
} from '../../src/images/types.ts';

/** Something that the registry does instead of its work. */
export interface Fault {
  /** Is tried on `METHOD /path?query`. */
  readonly on: RegExp;
  /** So often; default once. */
  readonly times?: number;
  /** Answers, or returns false to leave that to the registry. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => unknown;
}

/** Who may do what, as real registries have it. */
export type Guard =
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | {
      readonly kind: 'bearer';
      /** Where tokens are had; default `/token` of the same server. */
      readonly realm?: string;
      /** Of the user; without, everybody gets tokens. */
      readonly username?: string;
      readonly password?: string;
      readonly refreshToken?: string;
      /** After so many requests a token has expired. */
      readonly uses?: number;
      /** What token servers may call it. */
      readonly field?: 'token' | 'access_token';
      readonly expiresIn?: number;
    };

export interface SeenRequest {
  /** `METHOD /path?query` */
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
}

export interface ScriptedRegistry extends MemoryRegistry, AsyncDisposable {
  readonly seen: SeenRequest[];
  /** Lines of the requests that fit. */
  lines(form?: RegExp): string[];
}

/** A strict registry on loopback that fails as told. */
export async function scriptedRegistry({
  faults = [],
  guard,
}: { readonly faults?: readonly Fault[]; readonly guard?: Guard } = {}): Promise<ScriptedRegistry> {
  const seen: SeenRequest[] = [];
  const left = faults.map(({ times = 1 }) => times);
  const tokens = new Map<string, { scopes: string; uses: number }>();
  const intercept = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const line = `${request.method} ${request.url}`;
    seen.push({ line, headers: request.headers });
    for (const [index, { on, answer }] of faults.entries()) {
      if ((left[index] ?? 0) === 0 || !on.test(line)) continue;
      left[index] = (left[index] ?? 0) - 1;
      if ((await answer(request, response)) !== false) return true;
    }
    return guard !== undefined && (await guarded(request, response, guard, tokens));
  };
  const registry = await startRegistry({ intercept });
  return Object.assign(registry, {
    seen,
    lines: (form = /./) => seen.map(({ line }) => line).filter((line) => form.test(line)),
  });
}

async function guarded(
  request: IncomingMessage,
  response: ServerResponse,
  guard: Guard,
  tokens: Map<string, { scopes: string; uses: number }>,
): Promise<boolean> {
  const { authorization } = request.headers;
  const url = new URL(request.url ?? '', 'http://registry');
  if (guard.kind === 'basic') {
    if (authorization === basic(guard.username, guard.password)) return false;
    request.resume();
    return unauthorized(response, 'Basic realm="a, \\"quoted\\" realm"');
  }
  if (url.pathname === '/token') return giveToken(request, response, guard, tokens);
  const realm = guard.realm ?? `http://${request.headers.host}/token`;
  const repository = /^\/v2\/(.+)\/(?:blobs|manifests)\//.exec(url.pathname)?.[1];
  const action = /^(?:GET|HEAD)$/.test(request.method ?? '') ? 'pull' : 'push';
  const scope = repository === undefined ? '' : `,scope="repository:${repository}:${action}"`;
  const grant = tokens.get(authorization?.replace(/^Bearer /, '') ?? '');
  const needed = new RegExp(`repository:${repository ?? ''}:[a-z,]*${action}`);
  if (grant !== undefined && grant.uses-- > 0 && (repository === undefined || needed.test(grant.scopes)))
    return false;
  request.resume();
  return unauthorized(response, `Bearer realm="${realm}",service="scripted"${scope}`);
}

async function giveToken(
  request: IncomingMessage,
  response: ServerResponse,
  guard: Extract<Guard, { kind: 'bearer' }>,
  tokens: Map<string, { scopes: string; uses: number }>,
): Promise<boolean> {
  let body = '';
  for await (const part of request) body += String(part);
  const form = new URLSearchParams(body);
  const url = new URL(request.url ?? '', 'http://registry');
  const isRefresh =
    form.get('grant_type') === 'refresh_token' && form.get('refresh_token') === guard.refreshToken;
  const isUser =
    guard.username === undefined ||
    request.headers.authorization === basic(guard.username, guard.password ?? '');
  if (!isRefresh && !isUser) {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ errors: [{ code: 'UNAUTHORIZED', message: `no: ${request.headers.authorization}` }] }),
    );
    return true;
  }
  const token = randomUUID();
  const scopes =
    request.method === 'POST' ? (form.get('scope') ?? '') : url.searchParams.getAll('scope').join(' ');
  tokens.set(token, { scopes, uses: guard.uses ?? Infinity });
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ [guard.field ?? 'token']: token, expires_in: guard.expiresIn ?? 300 }));
  return true;
}

function unauthorized(response: ServerResponse, challenge: string): true {
  response.writeHead(401, { 'content-type': 'application/json', 'www-authenticate': challenge });
  response.end(JSON.stringify({ errors: [{ code: 'UNAUTHORIZED', message: 'authentication required' }] }));
  return true;
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Answers with a status, headers and a body, whatever was sent. */
export function reply(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Fault['answer'] {
  return async (request, response) => {
    for await (const part of request) void part;
    response.writeHead(status, headers).end(body);
  };
}

/** Cuts the connection when the body has begun. */
export const cut: Fault['answer'] = (request) => {
  request.once('data', () => request.socket.destroy());
  if (/^(?:GET|HEAD|DELETE)$/.test(request.method ?? '') || request.headers['content-length'] === '0')
    request.socket.destroy();
};

/** TLS in front of a server on loopback. */
export async function tlsInFront(
  host: string,
  { certificate, key }: { readonly certificate: string; readonly key: string },
): Promise<{ readonly port: number } & AsyncDisposable> {
  const server = createTlsServer({ cert: certificate, key }, (socket) => {
    const inner = connect(Number(host.split(':')[1]), '127.0.0.1');
    socket.on('error', () => inner.destroy()).on('close', () => inner.destroy());
    inner.on('error', () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  });
  server.on('tlsClientError', () => undefined);
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A clock on which waits take no time. */
export function quickClock(): RegistryClock & { readonly waits: number[] } {
  const waits: number[] = [];
  let now = 1_700_000_000_000;
  return {
    waits,
    now: () => now,
    random: () => 0,
    async wait(milliseconds, signal) {
      signal.throwIfAborted();
      waits.push(milliseconds);
      now += milliseconds;
    },
  };
}

/** Options without credentials, proxies or waiting. */
export function quickOptions(more: Partial<RegistryOptions> = {}): RegistryOptions & {
  readonly clock: ReturnType<typeof quickClock>;
  readonly lines: string[];
} {
  const lines: string[] = [];
  return {
    env: { XDG_RUNTIME_DIR: '/nonexistent' },
    home: '/nonexistent',
    signal: new AbortController().signal,
    onProgress: (line) => lines.push(line),
    ...more,
    clock: quickClock(),
    lines,
  };
}

export const sha256 = (bytes: Uint8Array): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export interface TestImage extends ImageContent {
  readonly blobs: ReadonlyMap<string, Buffer>;
  /** How often a blob was read, by digest. */
  readonly reads: Map<string, number>;
  readonly layers: readonly Descriptor[];
}

/** An image in memory with layers of these sizes in bytes, read in parts of 64 KiB. */
export function testImage(
  layerSizes: readonly number[] = [5_000],
  {
    annotations,
    platforms = 1,
  }: { readonly annotations?: Record<string, string>; readonly platforms?: number } = {},
): TestImage {
  const blobs = new Map<string, Buffer>();
  const reads = new Map<string, number>();
  const add = (mediaType: string, bytes: Buffer): Descriptor => {
    const digest = sha256(bytes);
    blobs.set(digest, bytes);
    return { mediaType, digest, size: bytes.length };
  };
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  const layers = layerSizes.map((size, index) =>
    add(
      mediaTypes.oci.layer,
      Buffer.from(Array.from({ length: size }, (_, at) => (at * 7 + index * 13 + (at >> 8)) & 255)),
    ),
  );
  const manifests = Array.from({ length: platforms }, (_, index) => {
    const config = add(
      mediaTypes.oci.config,
      json({ architecture: `a${index}`, os: 'linux', rootfs: { type: 'layers', diff_ids: [] } }),
    );
    const manifest = { schemaVersion: 2, mediaType: mediaTypes.oci.manifest, config, layers, annotations };
    return add(mediaTypes.oci.manifest, json(manifest));
  });
  const [first] = manifests;
  if (first === undefined) throw new TypeError('an image needs a platform');
  const root =
    platforms === 1
      ? first
      : add(mediaTypes.oci.index, json({ schemaVersion: 2, mediaType: mediaTypes.oci.index, manifests }));
  return {
    root,
    blobs,
    reads,
    layers,
    async *read({ digest }) {
      reads.set(digest, (reads.get(digest) ?? 0) + 1);
      const bytes = blobs.get(digest);
      if (bytes === undefined) throw new Error(`no ${digest}`);
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    },
  };
}

/** `<host>/team/app:v1` */
export function app(host: string, repository = 'team/app'): ImageReference {
  return { registry: host, repository, tag: 'v1' };
}

/** All bytes of an iteration. */
export async function gather(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}
