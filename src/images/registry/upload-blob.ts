import { isOpSdkError } from '../../base/errors/index.ts';
import type { Descriptor, ImageContent } from '../types.ts';
import type { RegistryClient } from './client.ts';
import { checkDigestHeader } from './manifest-body.ts';
import { uploadChunks, UploadSession, withSession, formatSize, shortDigest } from './upload-chunks.ts';

/** One push, as its blobs see it. */
export interface BlobTarget {
  readonly client: RegistryClient;
  readonly repository: string;
  /** For requests that write. */
  readonly scopes: readonly string[];
  /** Repositories of the same registry that may have blobs of the image. */
  readonly mountFrom: readonly string[];
  /** True while the registry may accept a blob in one request; learned from the first. */
  singlePost: boolean;
}

/** Blobs up to this size are tried in a single request, in bytes: what is lost if the registry ignores it is one packet. */
const singlePostLimit = 1024;
/** The size of a part when the registry wants parts, in bytes. */
const usualChunk = 8 * 1024 * 1024;
/**
 * A part is held in memory, and several blobs are sent at once. Of a registry that wants larger parts than this, in bytes, the
 * whole is sent at once, which all must take.
 */
const largestChunk = 32 * 1024 * 1024;
/** The size of a part when the whole was too large for something in front of the registry. */
const smallChunk = 1024 * 1024;

/**
 * Brings a blob into a repository: nothing is sent if it is there, or in a repository that it can be mounted from.
 * @throws OpSdkError; the signal's reason; what reading throws
 */
export async function uploadBlob(target: BlobTarget, content: ImageContent, blob: Descriptor): Promise<void> {
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

/** In one request, or in parts where the registry names their size. */
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
 * The size of the parts in which a blob is sent, in bytes; undefined if it is sent as a whole.
 * @param smallest what the registry says of parts; undefined if nothing
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

/** Asks the registry to take a blob from another repository. Where that is not possible, it usually begins an upload. */
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
        // Without the right to read the other repository some registries refuse the request, not only the mount.
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

/** Passes bytes on and tells from time to time how far it is. */
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
