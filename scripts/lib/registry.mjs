// An OCI registry in this process, kept in memory: as strict as real ones about digests, media types and missing blobs.
// Source: https://github.com/opencontainers/distribution-spec/blob/main/spec.md
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';

const digestOf = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

/**
 * @typedef {object} MemoryRegistry
 * @property {string} host `127.0.0.1:<port>`
 * @property {string[]} requests method and path of every request so far
 * @property {Map<string, { mediaType: string, bytes: Buffer }>} manifests by `repository@digest`
 * @property {Map<string, string>} tags digests by `repository:tag`
 * @property {Map<string, Buffer>} blobs by `repository@digest`
 * @property {() => Promise<void>} close
 */

/**
 * Starts a registry on a free port of 127.0.0.1, without passwords and TLS.
 * @param {{ intercept?: (request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => boolean | Promise<boolean> }} [options]
 *   `intercept` may answer a request itself, and then says true
 * @returns {Promise<MemoryRegistry & AsyncDisposable>}
 */
export async function startRegistry({ intercept } = {}) {
  const blobs = new Map();
  const manifests = new Map();
  const tags = new Map();
  const uploads = new Map();
  const requests = [];

  function fail(response, status, code, message) {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ errors: [{ code, message }] }));
  }
  const missing = (response, code) => fail(response, 404, code, 'not known to this registry');

  /** Stores a blob if it is what its digest says. */
  function storeBlob(response, repository, bytes, digest) {
    if (digestOf(bytes) !== digest)
      return fail(response, 400, 'DIGEST_INVALID', `the content has the digest ${digestOf(bytes)}`);
    blobs.set(`${repository}@${digest}`, bytes);
    response.writeHead(201, {
      location: `/v2/${repository}/blobs/${digest}`,
      'docker-content-digest': digest,
    });
    response.end();
  }

  function send(request, response, mediaType, bytes) {
    response.writeHead(200, {
      'content-type': mediaType,
      'content-length': bytes.length,
      'docker-content-digest': digestOf(bytes),
    });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }

  async function blobRequest(request, response, repository, digest) {
    const bytes = blobs.get(`${repository}@${digest}`);
    if (bytes === undefined) missing(response, 'BLOB_UNKNOWN');
    else send(request, response, 'application/octet-stream', bytes);
  }

  async function uploadRequest(request, response, repository, id, query) {
    if (request.method === 'POST') {
      const mounted = blobs.get(`${query.get('from')}@${query.get('mount')}`);
      if (mounted !== undefined) return storeBlob(response, repository, mounted, query.get('mount'));
      const session = randomUUID();
      uploads.set(session, Buffer.alloc(0));
      response.writeHead(202, { location: `/v2/${repository}/blobs/uploads/${session}`, range: '0-0' });
      return response.end();
    }
    if (!uploads.has(id)) return missing(response, 'BLOB_UPLOAD_UNKNOWN');
    if (request.method === 'DELETE') {
      uploads.delete(id);
      response.writeHead(204);
      return response.end();
    }
    const received = Buffer.concat([uploads.get(id), await bodyOf(request)]);
    if (request.method === 'PATCH' || request.method === 'GET') {
      uploads.set(id, received);
      const status = request.method === 'PATCH' ? 202 : 204;
      response.writeHead(status, {
        location: `/v2/${repository}/blobs/uploads/${id}`,
        range: `0-${Math.max(received.length - 1, 0)}`,
      });
      return response.end();
    }
    uploads.delete(id);
    storeBlob(response, repository, received, query.get('digest'));
  }

  async function manifestRequest(request, response, repository, reference) {
    if (request.method === 'PUT') {
      const bytes = await bodyOf(request);
      const digest = digestOf(bytes);
      const mediaType = request.headers['content-type'] ?? '';
      const manifest = JSON.parse(bytes.toString('utf8'));
      if ((manifest.mediaType ?? mediaType) !== mediaType)
        return fail(response, 400, 'MANIFEST_INVALID', `the manifest says ${manifest.mediaType}`);
      if (reference.startsWith('sha256:') && reference !== digest)
        return fail(response, 400, 'DIGEST_INVALID', `the manifest has the digest ${digest}`);
      const parts = [manifest.config, ...(manifest.layers ?? [])].filter((part) => part !== undefined);
      const unknown = [
        ...parts.filter((part) => !blobs.has(`${repository}@${part.digest}`)),
        ...(manifest.manifests ?? []).filter((part) => !manifests.has(`${repository}@${part.digest}`)),
      ];
      if (unknown.length > 0)
        return fail(response, 400, 'MANIFEST_BLOB_UNKNOWN', unknown.map((part) => part.digest).join(', '));
      manifests.set(`${repository}@${digest}`, { mediaType, bytes });
      if (!reference.startsWith('sha256:')) tags.set(`${repository}:${reference}`, digest);
      response.writeHead(201, {
        location: `/v2/${repository}/manifests/${digest}`,
        'docker-content-digest': digest,
      });
      return response.end();
    }
    const digest = reference.startsWith('sha256:') ? reference : tags.get(`${repository}:${reference}`);
    const manifest = manifests.get(`${repository}@${digest}`);
    const accepted = (request.headers.accept ?? '').split(',').map((type) => type.trim());
    if (manifest === undefined || !accepted.includes(manifest.mediaType))
      return missing(response, 'MANIFEST_UNKNOWN');
    send(request, response, manifest.mediaType, manifest.bytes);
  }

  function listTags(request, response, repository) {
    const names = [...tags.keys()].filter((name) => name.startsWith(`${repository}:`));
    if (names.length === 0) return missing(response, 'NAME_UNKNOWN');
    const list = names.map((name) => name.slice(repository.length + 1)).sort();
    send(
      request,
      response,
      'application/json',
      Buffer.from(JSON.stringify({ name: repository, tags: list })),
    );
  }

  async function answer(request, response) {
    requests.push(`${request.method} ${request.url}`);
    if ((await intercept?.(request, response)) === true) return;
    const url = new URL(request.url ?? '', 'http://registry');
    if (url.pathname === '/v2/') return response.writeHead(200).end('{}');
    const [, repository, kind, rest = ''] =
      /^\/v2\/([a-z0-9._/-]+)\/(blobs\/uploads|blobs|manifests|tags)\/(.*)$/.exec(url.pathname) ?? [];
    if (kind === 'blobs/uploads') await uploadRequest(request, response, repository, rest, url.searchParams);
    else if (kind === 'blobs') await blobRequest(request, response, repository, rest);
    else if (kind === 'manifests') await manifestRequest(request, response, repository, rest);
    else if (kind === 'tags' && rest === 'list') listTags(request, response, repository);
    else missing(response, 'NAME_UNKNOWN');
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      if (response.headersSent) response.destroy();
      else fail(response, 500, 'UNKNOWN', String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const { port } = server.address();
  return {
    host: `127.0.0.1:${port}`,
    requests,
    manifests,
    tags,
    blobs,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Reads an image of one platform back: its digest, its labels and configuration, and the files of its last layer, which is
 * what was put on a base.
 * @param {MemoryRegistry} registry
 * @param {string} repository
 * @param {string} tag
 */
export function readImage(registry, repository, tag) {
  const digest = registry.tags.get(`${repository}:${tag}`);
  const manifest = registry.manifests.get(`${repository}@${digest}`);
  if (manifest === undefined) throw new Error(`the registry has no ${repository}:${tag}`);
  const { config, layers } = JSON.parse(manifest.bytes.toString('utf8'));
  const blob = (descriptor) => registry.blobs.get(`${repository}@${descriptor.digest}`);
  const image = JSON.parse(blob(config).toString('utf8'));
  const files = filesOf(gunzipSync(blob(layers.at(-1))));
  return { digest, labels: image.config?.Labels ?? {}, config: image, files };
}

/**
 * The regular files of a ustar archive with short names.
 * @returns {Record<string, string>}
 */
function filesOf(archive) {
  const text = (from, length) => archive.toString('utf8', from, from + length).replace(/\0[\s\S]*$/, '');
  const files = {};
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0;) {
    const size = parseInt(text(at + 124, 12), 8);
    const type = text(at + 156, 1);
    const prefix = text(at + 345, 155);
    const name = (prefix === '' ? '' : `${prefix}/`) + text(at, 100);
    if (type === '0' || type === '') files[name] = archive.toString('utf8', at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
