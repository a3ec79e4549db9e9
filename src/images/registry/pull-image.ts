import { createHash } from 'node:crypto';
import { OpSdkError } from '../../base/errors/index.ts';
import { verified } from '../blob.ts';
import { isIndex, isManifest } from '../manifest.ts';
import { tagOrDigest } from '../reference.ts';
import { mediaTypes, type Descriptor, type ImageContent, type ImageReference } from '../types.ts';
import { connectRegistry, type ClientOptions, type ClientResponse, type RegistryClient } from './client.ts';
import {
  invalidManifest,
  readManifestBody,
  acceptedManifests,
  manifestTypes,
  checkDigestHeader,
  digestMismatch,
} from './manifest-body.ts';
import { Transient } from './failure.ts';
import { throughMirrors, type ImagePlace, type MirrorScheme } from './mirrors.ts';
import { type RegistryOptions, delayOf } from './options.ts';

/**
 * Opens an image in a registry or one of its mirrors. Its manifest or index is read immediately, everything else on demand. All bytes are
 * verified against their digests. Interrupted transfers are resumed.
 * @param reference name of the image; a missing tag and digest mean `latest`
 * @throws OpSdkError `oci/…` for all errors of registries, networks and credentials; the signal's reason
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pull
 */
export function pullImage(reference: ImageReference, options: RegistryOptions): Promise<ImageContent> {
  const { mirrors = [] } = options;
  return throughMirrors(reference, mirrors, (place) => pullFrom(place, options), options);
}

async function pullFrom({ reference, mirror }: ImagePlace, options: RegistryOptions): Promise<ImageContent> {
  const client = await connectRegistry(
    reference,
    'pull',
    mirror === undefined ? options : mirrorOptions(mirror, options),
  );
  try {
    return await openImage(reference, client);
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Time limit for connecting to a mirror, in milliseconds. It is shorter than for other registries, because another server can be tried. */
const mirrorConnectTimeout = 10_000;

/** Returns the options for a mirror. If the user weakened transport security for a registry, this does not apply to its mirrors. */
function mirrorOptions({ scheme }: MirrorScheme, options: RegistryOptions): ClientOptions {
  return {
    ...options,
    isMirror: true,
    plainHttp: scheme === 'http',
    httpsOnly: scheme === 'https',
    skipTlsVerify: false,
    timing: { connectTimeout: mirrorConnectTimeout, ...options.timing },
  };
}

/** Reads the manifest of an image. The client stays open for later reads; its idle connections do not keep the process alive. */
async function openImage(reference: ImageReference, client: RegistryClient): Promise<ImageContent> {
  const { repository } = reference;
  const shown = `${reference.registry}/${repository}`;
  const scopes = [`repository:${repository}:pull`];
  const name = tagOrDigest(reference);
  const { bytes, response } = await client.retry(
    () => getManifest(client, repository, name, scopes),
    client.firstRetries,
  );
  const root: Descriptor = {
    mediaType: mediaTypeOf(bytes, response, shown),
    digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    size: bytes.length,
  };
  if (reference.digest !== undefined && reference.digest !== root.digest)
    throw digestMismatch(`${shown} gives ${root.digest}`, reference.digest, shown);
  checkDigestHeader(response, root.digest, name, client);
  return {
    root,
    async *read(descriptor) {
      if (descriptor.digest === root.digest) yield bytes;
      else yield* verified(download(client, repository, descriptor, scopes), descriptor, shown);
    },
  };
}

async function getManifest(
  client: RegistryClient,
  repository: string,
  name: string,
  scopes: readonly string[],
): Promise<{ readonly bytes: Buffer; readonly response: ClientResponse }> {
  const response = await client.once({
    method: 'GET',
    url: `/v2/${repository}/manifests/${name}`,
    headers: { accept: acceptedManifests },
    scopes,
    expect: [200],
    what: `the manifest ${name}`,
  });
  return { bytes: await readManifestBody(client, repository, response), response };
}

/** Downloads a blob or manifest, without verifying its bytes. */
async function* download(
  client: RegistryClient,
  repository: string,
  descriptor: Descriptor,
  scopes: readonly string[],
): AsyncGenerator<Uint8Array> {
  const { digest, size } = descriptor;
  const kind = isIndex(descriptor) || isManifest(descriptor) ? 'manifests' : 'blobs';
  let received = 0;
  for (let tries = 0; ; tries++) {
    const response = await client.request({
      method: 'GET',
      url: `/v2/${repository}/${kind}/${digest}`,
      headers: {
        ...(kind === 'manifests' ? { accept: acceptedManifests } : {}),
        ...(received === 0 ? {} : { range: `bytes=${received}-` }),
      },
      scopes,
      expect: received === 0 ? [200] : [200, 206],
      what: kind === 'blobs' ? 'a blob' : 'a manifest',
    });
    const start = Number(/^bytes (\d+)-/.exec(response.header('content-range') ?? '')?.[1] ?? NaN);
    // A response that does not start at the requested offset starts earlier, so the bytes that were already received are skipped.
    let skip =
      response.status === 206 && start === received ? 0 : received - (response.status === 206 ? start : 0);
    if (Number.isNaN(skip) || skip < 0) throw oddRange(client);
    try {
      for await (const chunk of response.body) {
        const fresh = chunk.subarray(Math.min(skip, chunk.length));
        skip -= chunk.length - fresh.length;
        if (fresh.length === 0) continue;
        received += fresh.length;
        yield fresh;
      }
      if (received >= size || tries >= client.timing.retries) return;
    } catch (error) {
      const failure = client.readFailure(error, response.url);
      if (!(failure instanceof Transient)) throw failure;
      if (tries >= client.timing.retries) throw failure.failure;
      client.progress(`${failure.message}; continuing after ${received} of ${size} bytes`);
    }
    await client.clock.wait(delayOf(tries, undefined, client.clock, client.timing), client.signal);
  }
}

/** Returns the media type of a manifest: its own `mediaType`, else the Content-Type, else the one implied by its fields. */
function mediaTypeOf(bytes: Buffer, response: ClientResponse, shown: string): string {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw invalidManifest(shown, 'it is not JSON');
  }
  const document = (typeof value === 'object' && value !== null ? value : {}) as Partial<
    Record<string, unknown>
  >;
  const said = document['mediaType'];
  const header = response.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  const known = [said, header].find((each) => typeof each === 'string' && manifestTypes.includes(each));
  if (typeof known === 'string') return known;
  if (document['schemaVersion'] === 1)
    throw invalidManifest(shown, 'it is of schema 1, which is no longer supported');
  if (document['schemaVersion'] === 2 && Array.isArray(document['manifests'])) return mediaTypes.oci.index;
  if (document['schemaVersion'] === 2 && Array.isArray(document['layers'])) return mediaTypes.oci.manifest;
  throw invalidManifest(shown, 'expected an image or an index');
}

function oddRange({ purpose }: RegistryClient): OpSdkError {
  return new OpSdkError({
    code: 'oci/registry-error',
    message: `cannot ${purpose.doing}: ${purpose.registry} gives another part of a blob than requested`,
    where: { object: purpose.registry },
    fix: ['try again later'],
  });
}
