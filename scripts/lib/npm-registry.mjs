// An npm registry on loopback: it serves the given tarballs as if they were published, and everything else from the registry that npm is
// configured with. Tarballs are immutable and are cached on disk, so that ten installations download each package once.
// Source: https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';

const cacheFolder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'op-sdk', 'npm-registry');

/**
 * @typedef {object} NpmRegistry
 * @property {string} url `http://127.0.0.1:<port>/`
 * @property {string[]} requests paths of every request so far
 * @property {() => Promise<void>} close
 */

/**
 * Starts a registry on a free port of 127.0.0.1.
 * @param {{ published?: readonly string[], tags?: Readonly<Record<string, Readonly<Record<string, string>>>> }} [options] `published`: paths
 *   of tarballs, versions of a package in their order: the last one is `latest`; `tags`: further dist-tags of packages
 * @returns {Promise<NpmRegistry & AsyncDisposable>}
 */
export async function startNpmRegistry({ published = [], tags = {} } = {}) {
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const own = ownPackages(published);
  const metadata = new Map();
  const requests = [];
  let url = '';

  /** Returns the metadata of a package from upstream, with its tarballs at this registry. Each is requested once. */
  function upstreamMetadata(path, accept) {
    const key = `${accept} ${path}`;
    const known = metadata.get(key) ?? fetchMetadata(path, accept);
    metadata.set(key, known);
    return known;
  }

  async function fetchMetadata(path, accept) {
    const response = await retried(() => fetch(new URL(path, upstream), { headers: { accept } }));
    const body = await response.text();
    const type = response.headers.get('content-type') ?? 'application/json';
    return { status: response.status, type, body: body.replaceAll(upstream, url) };
  }

  async function tarball(path) {
    const file = join(cacheFolder, createHash('sha256').update(path).digest('hex'));
    try {
      return readFileSync(file);
    } catch {
      const response = await retried(() => fetch(new URL(path, upstream)));
      if (!response.ok) return undefined;
      const content = Buffer.from(await response.arrayBuffer());
      mkdirSync(cacheFolder, { recursive: true });
      const partial = `${file}.${randomUUID()}`;
      writeFileSync(partial, content);
      renameSync(partial, file);
      return content;
    }
  }

  async function answer(request, response) {
    const path = new URL(request.url ?? '', 'http://registry').pathname.slice(1);
    requests.push(path);
    const send = (status, type, body) => response.writeHead(status, { 'content-type': type }).end(body);
    const json = (status, value) => send(status, 'application/json', JSON.stringify(value));
    if (request.method !== 'GET') return json(404, { error: 'this registry is read-only' });
    const [name, file] = decodeURIComponent(path).split('/-/');
    const mine = own.get(name);
    if (mine !== undefined && file === undefined) return json(200, metadataOf(name, mine, tags[name], url));
    if (mine !== undefined) {
      const version = mine.find((each) => each.file === file);
      return version === undefined
        ? json(404, { error: `${file} is not published` })
        : send(200, 'application/octet-stream', version.content);
    }
    if (file === undefined) {
      const { status, type, body } = await upstreamMetadata(path, request.headers.accept ?? '*/*');
      return send(status, type, body);
    }
    const content = await tarball(path);
    return content === undefined
      ? json(404, { error: `${path} is not in the registry` })
      : send(200, 'application/octet-stream', content);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${server.address().port}/`;
  const close = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url, requests, close, [Symbol.asyncDispose]: close };
}

/** Reads tarballs, and returns the versions of each package by its name. */
function ownPackages(paths) {
  const packages = new Map();
  for (const path of paths) {
    const content = readFileSync(path);
    const manifest = JSON.parse(
      execFileSync('tar', ['-xzOf', path, 'package/package.json'], { encoding: 'utf8' }),
    );
    const { name, version } = manifest;
    const file = `${name.split('/').at(-1)}-${version}.tgz`;
    packages.set(name, [...(packages.get(name) ?? []), { manifest, version, file, content }]);
  }
  return packages;
}

/** Returns what the registry serves for a package. */
function metadataOf(name, versions, tags, url) {
  const entries = versions.map(({ manifest, version, file, content }) => {
    const dist = {
      integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
      shasum: createHash('sha1').update(content).digest('hex'),
      tarball: `${url}${name}/-/${file}`,
    };
    return [version, { ...manifest, dist }];
  });
  return {
    name,
    'dist-tags': { latest: versions.at(-1).version, ...tags },
    versions: Object.fromEntries(entries),
    // pnpm and yarn refuse versions that are only some hours old by default.
    time: {
      created: longAgo,
      modified: longAgo,
      ...Object.fromEntries(versions.map(({ version }) => [version, longAgo])),
    },
  };
}

const longAgo = '2026-01-01T00:00:00.000Z';

/** Repeats a request whose connection failed, twice. */
async function retried(send) {
  for (let left = 2; ; left--) {
    try {
      return await send();
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}
