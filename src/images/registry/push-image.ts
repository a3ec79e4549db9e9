import { createHash } from 'node:crypto';
import { isOpSdkError } from '../../base/errors/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import { readBlob } from '../blob.ts';
import { imageParts, isManifest, readImageManifest } from '../manifest.ts';
import { parseReference } from '../reference.ts';
import type { Descriptor, ImageContent, ImageReference } from '../types.ts';
import { connectRegistry, type RegistryClient } from './client.ts';
import { readManifestBody, acceptedManifests, checkDigestHeader, digestMismatch } from './manifest-body.ts';
import { failureOfStatus, Transient, createMessageCleaner } from './failure.ts';
import type { RegistryOptions } from './options.ts';
import { formatSize, shortDigest } from './upload-chunks.ts';
import { uploadBlob, type BlobTarget } from './upload-blob.ts';

/** So many blobs are under way at once: docker sends five, containerd three. */
const blobsAtOnce = 4;

/**
 * Pushes an image: its blobs first, several at once, then its manifests, the index last, each in its exact bytes. What the
 * registry has is not sent again. When a blob fails, the other uploads are ended, also at the registry. In the end the
 * registry is asked what it holds under the name.
 *
 * @param reference without tag and digest it is `latest`; with a digest, the image must be that one
 * @returns the digest of the image
 * @throws OpSdkError `oci/…` for everything that registries, networks and credentials can do; the signal's reason
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#push
 */
export async function pushImage(
  reference: ImageReference,
  content: ImageContent,
  options: RegistryOptions,
): Promise<{ readonly digest: string }> {
  const { root } = content;
  if (reference.digest !== undefined && reference.digest !== root.digest)
    throw digestMismatch(`the image is ${root.digest}`, reference.digest, reference.repository);
  const parts = await imageParts(content);
  const stop = new AbortController();
  const client = await connectRegistry(reference, 'push', {
    ...options,
    signal: AbortSignal.any([options.signal, stop.signal]),
  });
  try {
    const { repository } = reference;
    const target: BlobTarget = {
      client,
      repository,
      scopes: [`repository:${repository}:pull,push`],
      mountFrom: mountSources(reference, [
        ...(options.mountFrom ?? []),
        ...(await baseImages(content, parts.manifests)),
      ]),
      singlePost: true,
    };
    const upload = (blob: Descriptor): Promise<void> => uploadBlob(target, content, blob);
    // The first alone: it tells how the registry authenticates and takes blobs, and is refused before others are begun.
    const [first, ...others] = parts.blobs;
    if (first !== undefined) await upload(first);
    await inParallel(others, upload, { width: blobsAtOnce, onFailure: (error) => stop.abort(error) });
    const name = reference.tag ?? reference.digest ?? 'latest';
    for (const manifest of parts.manifests) {
      const isRoot = manifest.digest === root.digest;
      await putManifest(target, content, manifest, isRoot ? name : manifest.digest);
    }
    await verifyPush(target, name, root);
    return { digest: root.digest };
  } finally {
    client.close();
  }
}

/** By which a manifest says what it was built on. Source: OCI image-spec, annotations. */
const baseName = 'org.opencontainers.image.base.name';

/** The images that an image says it was built on. */
async function baseImages(
  content: ImageContent,
  manifests: readonly Descriptor[],
): Promise<readonly ImageReference[]> {
  const images: ImageReference[] = [];
  for (const manifest of manifests) {
    if (!isManifest(manifest)) continue;
    const name = (await readImageManifest(content, manifest)).annotations?.[baseName];
    try {
      if (name !== undefined) images.push(parseReference(name));
    } catch (error) {
      // Others may write anything there, and it is only about sending less.
      if (!isOpSdkError(error)) throw error;
    }
  }
  return images;
}

/** Repositories of the same registry, each once. */
function mountSources(
  { registry, repository }: ImageReference,
  images: readonly ImageReference[],
): readonly string[] {
  const sources = images.filter((image) => image.registry === registry && image.repository !== repository);
  return [...new Set(sources.map((image) => image.repository))];
}

async function putManifest(
  { client, repository, scopes }: BlobTarget,
  content: ImageContent,
  manifest: Descriptor,
  name: string,
): Promise<void> {
  const bytes = await readBlob(content, manifest);
  const response = await client.request({
    method: 'PUT',
    url: `/v2/${repository}/manifests/${name}`,
    headers: { 'content-type': manifest.mediaType },
    body: { size: bytes.length, read: () => once(bytes) },
    scopes,
    expect: [200, 201, 202, 204],
    what: `the manifest ${name}`,
  });
  response.discard();
  checkDigestHeader(response, manifest.digest, 'the manifest', client);
  client.progress(`${shortDigest(manifest.digest)} (${formatSize(bytes.length)}) manifest ${name} written`);
}

/** Asks what the registry holds under the name of the image. */
async function verifyPush(
  { client, repository, scopes }: BlobTarget,
  name: string,
  root: Descriptor,
): Promise<void> {
  const ask = async (method: 'HEAD' | 'GET') =>
    client.once({
      method,
      url: `/v2/${repository}/manifests/${name}`,
      headers: { accept: acceptedManifests },
      scopes,
      expect: method === 'HEAD' ? [200, 404, 405] : [200, 404],
      what: `the manifest ${name}`,
    });
  const missing = (response: { readonly status: number }): void => {
    if (response.status !== 404) return;
    const purpose = { ...client.purpose, what: `the manifest ${name}, which was just written` };
    // Large registries need a moment until all of their servers know.
    throw new Transient(failureOfStatus(404, '', purpose, createMessageCleaner()));
  };
  await client.retry(async () => {
    const head = await ask('HEAD');
    head.discard();
    missing(head);
    if (head.status === 200 && head.header('docker-content-digest')?.startsWith('sha256:') === true)
      return checkDigestHeader(head, root.digest, name, client);
    const response = await ask('GET');
    if (response.status === 404) response.discard();
    missing(response);
    const bytes = await readManifestBody(client, repository, response);
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    if (digest !== root.digest) throw readBack(client, name, digest, root.digest);
  });
}

function readBack({ purpose }: RegistryClient, name: string, found: string, expected: string): Error {
  return digestMismatch(
    `${purpose.registry} has ${found} under the name ${name}`,
    expected,
    purpose.registry,
  );
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
