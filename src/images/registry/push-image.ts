import { isOpSdkError } from '../../base/errors/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import { readBlob } from '../blob.ts';
import { imageParts, isManifest, readImageManifest } from '../manifest.ts';
import { parseReference } from '../reference.ts';
import type { Descriptor, ImageContent, ImageReference } from '../types.ts';
import { connectRegistry, type RegistryClient } from './client.ts';
import { checkDigestHeader, digestMismatch } from './manifest-body.ts';
import { listReferrer, putManifest, verifyPush, type ManifestTarget } from './push-manifest.ts';
import type { RegistryOptions } from './options.ts';
import { formatSize, shortDigest, uploadChunks, UploadSession, withSession } from './upload-chunks.ts';

/** Maximum number of concurrent uploads. For comparison, docker uses five and containerd three. */
const blobsAtOnce = 4;

/**
 * Pushes an image byte for byte: first its blobs, concurrently, then its manifests, and the index last. Blobs that the registry has are not
 * sent again. If one blob fails, the other uploads are cancelled, also at the registry. Finally, verifies the digest that the registry has
 * under the image's name.
 * @param reference name to push to; a missing tag and digest mean `latest`; with a digest, the image must have that digest
 * @returns the digest of the image
 * @throws OpSdkError `oci/…` for all errors of registries, networks and credentials; the signal's reason
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
    // The first blob is uploaded alone, because it shows how the registry authenticates and accepts blobs. If it fails, no other upload has
    // begun.
    const [first, ...others] = parts.blobs;
    if (first !== undefined) await upload(first);
    await inParallel(others, upload, { width: blobsAtOnce, onFailure: (error) => stop.abort(error) });
    const name = reference.tag ?? reference.digest ?? 'latest';
    const referrers = new Set(content.referrers?.map(({ digest }) => digest));
    for (const manifest of parts.manifests) {
      const isRoot = manifest.digest === root.digest;
      const bytes = await readBlob(content, manifest);
      const response = await putManifest(target, manifest, bytes, isRoot ? name : manifest.digest);
      // A registry that keeps a list of referrers says so by this header.
      if (referrers.has(manifest.digest) && response.header('oci-subject') === undefined)
        await listReferrer(target, root, manifest);
    }
    await verifyPush(target, name, root);
    return { digest: root.digest };
  } finally {
    client.close();
  }
}

/** Annotation of a manifest that names its base image. Source: OCI image-spec, annotations. */
const baseName = 'org.opencontainers.image.base.name';

/** Returns the base images that the manifests of an image name. */
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
      // Errors are ignored, because the annotation may contain anything and only serves to avoid uploads.
      if (!isOpSdkError(error)) throw error;
    }
  }
  return images;
}

/** Returns the other repositories of the same registry from which blobs may be mounted, without duplicates. */
function mountSources(
  { registry, repository }: ImageReference,
  images: readonly ImageReference[],
): readonly string[] {
  const sources = images.filter((image) => image.registry === registry && image.repository !== repository);
  return [...new Set(sources.map((image) => image.repository))];
}

/** State of a push that the uploads of all its blobs share. */
interface BlobTarget extends ManifestTarget {
  /** Repositories of the same registry that may have blobs of the image. */
  readonly mountFrom: readonly string[];
  /** True while the registry may accept a blob in a single request. Updated after the first such request. */
  singlePost: boolean;
}

/**
 * Maximum size in bytes of a blob that is sent in a single request. It is small, so that only one packet is lost if the registry ignores
 * the body.
 */
const singlePostLimit = 1024;
/** Size in bytes of the parts in which a blob is uploaded, if the registry requires uploads in parts. */
const usualChunk = 8 * 1024 * 1024;
/**
 * Maximum size in bytes of a part of a blob. It is limited because parts are held in memory and several blobs are sent concurrently. If a
 * registry requires larger parts, the blob is sent in one request, which all registries must accept.
 */
const largestChunk = 32 * 1024 * 1024;
/** Size in bytes of the parts of a blob after a proxy in front of the registry has refused the complete blob as too large. */
const smallChunk = 1024 * 1024;

/**
 * Uploads a blob, unless the repository already has it or the registry can mount it from another repository.
 * @throws OpSdkError; the signal's reason; errors of reading
 */
async function uploadBlob(target: BlobTarget, content: ImageContent, blob: Descriptor): Promise<void> {
  const { client, repository, scopes } = target;
  const name = `${shortDigest(blob.digest)} (${formatSize(blob.size)})`;
  const existing = await client.request({
    method: 'HEAD',
    url: `/v2/${repository}/blobs/${blob.digest}`,
    scopes,
    expect: [200, 404],
    what: 'a question for a blob',
  });
  existing.discard();
  if (existing.status === 200) return client.progress(`${name} is already there`);
  let session = await mount(target, blob);
  if (session === 'mounted') return client.progress(`${name} mounted from another repository`);
  client.progress(`${name} uploading`);
  if (session === undefined && target.singlePost && blob.size <= singlePostLimit)
    session = await post(target, content, blob);
  if (session === 'mounted') return client.progress(`${name} uploaded`);
  let first = session;
  const start = async (): Promise<UploadSession> => {
    const open = first;
    first = undefined;
    return open ?? begin(target);
  };
  if ((await uploadWhole(target, content, blob, start)) === 'too-large') {
    client.progress(`${name} is too large for one request, sending it in parts`);
    await withSession(
      client,
      () => begin(target),
      (session) => uploadChunks(client, session, content, blob, smallChunk),
    );
  }
  client.progress(`${name} uploaded`);
}

/** Uploads a blob in one request, or in parts if the registry states a minimum part size. */
async function uploadWhole(
  { client }: BlobTarget,
  content: ImageContent,
  blob: Descriptor,
  start: () => Promise<UploadSession>,
): Promise<'done' | 'too-large'> {
  return withSession(client, start, async (session) => {
    const chunk = chunkSize(session.smallestChunk, blob.size);
    if (chunk !== undefined) {
      await uploadChunks(client, session, content, blob, chunk);
      return 'done';
    }
    const mayShrink = blob.size > smallChunk;
    const response = await session.finish(blob.digest, {
      body: { size: blob.size, read: () => withProgress(content.read(blob), blob, client) },
      expect: mayShrink ? [200, 201, 204, 413] : [200, 201, 204],
    });
    response.discard();
    if (response.status === 413) {
      await session.abandon();
      return 'too-large';
    }
    checkDigestHeader(response, blob.digest, 'the uploaded blob', client);
    return 'done';
  });
}

/**
 * Returns the size in bytes of the parts in which a blob is sent; undefined to send it in one request.
 * @param smallest the minimum part size that the registry states; undefined if it states none
 */
export function chunkSize(smallest: number | undefined, blobSize: number): number | undefined {
  if (smallest === undefined || smallest > largestChunk) return undefined;
  const chunk = Math.max(smallest, usualChunk);
  return chunk < blobSize ? chunk : undefined;
}

async function begin({ client, repository, scopes }: BlobTarget): Promise<UploadSession> {
  const response = await client.once({
    method: 'POST',
    url: `/v2/${repository}/blobs/uploads/`,
    scopes,
    expect: [202],
    what: 'the beginning of an upload',
  });
  response.discard();
  return new UploadSession(client, scopes, response);
}

/**
 * Requests that the registry mounts a blob from another repository. If that is not possible, the registry usually begins an upload instead.
 */
async function mount(
  { client, repository, scopes, mountFrom }: BlobTarget,
  { digest }: Descriptor,
): Promise<UploadSession | 'mounted' | undefined> {
  for (const [index, from] of mountFrom.entries()) {
    const query = new URLSearchParams({ mount: digest, from }).toString();
    const response = await client
      .request({
        method: 'POST',
        url: `/v2/${repository}/blobs/uploads/?${query}`,
        scopes: [...scopes, `repository:${from}:pull`],
        expect: [201, 202],
        what: 'the mount of a blob',
      })
      .catch((error: unknown) => {
        // If the user may not read the other repository, some registries refuse the entire request instead of only the mount.
        if (isOpSdkError(error)) return undefined;
        throw error;
      });
    response?.discard();
    if (response?.status === 201) return 'mounted';
    if (response?.status !== 202) continue;
    const session = new UploadSession(client, scopes, response);
    if (index === mountFrom.length - 1) return session;
    await session.abandon();
  }
  return undefined;
}

/** Sends a small blob with the request that begins the upload. */
async function post(
  target: BlobTarget,
  content: ImageContent,
  blob: Descriptor,
): Promise<UploadSession | 'mounted' | undefined> {
  const { client, repository, scopes } = target;
  const response = await client.request({
    method: 'POST',
    url: `/v2/${repository}/blobs/uploads/?digest=${encodeURIComponent(blob.digest)}`,
    headers: { 'content-type': 'application/octet-stream' },
    body: { size: blob.size, read: () => content.read(blob) },
    scopes,
    expect: [201, 202, 400, 405, 411, 415, 501],
    what: 'an upload',
  });
  response.discard();
  if (response.status === 201) {
    checkDigestHeader(response, blob.digest, 'the uploaded blob', client);
    return 'mounted';
  }
  target.singlePost = false;
  return response.status === 202 ? new UploadSession(client, scopes, response) : undefined;
}

/** Passes the bytes of a blob through, and reports the progress of its upload at intervals. */
async function* withProgress(
  bytes: AsyncIterable<Uint8Array>,
  { digest, size }: Descriptor,
  client: Pick<RegistryClient, 'clock' | 'timing' | 'progress'>,
): AsyncGenerator<Uint8Array> {
  let sent = 0;
  let reported = client.clock.now();
  for await (const chunk of bytes) {
    yield chunk;
    sent += chunk.length;
    if (client.clock.now() - reported < client.timing.progressInterval) continue;
    reported = client.clock.now();
    client.progress(`${shortDigest(digest)} ${formatSize(sent)} of ${formatSize(size)}`);
  }
}
