import { createHash } from 'node:crypto';
import { descriptorOf } from '../blob.ts';
import { isImageIndex, type ImageIndex } from '../manifest.ts';
import { mediaTypes, type Descriptor } from '../types.ts';
import type { ClientResponse, RegistryClient } from './client.ts';
import {
  acceptedManifests,
  checkDigestHeader,
  digestMismatch,
  invalidManifest,
  readManifestBody,
} from './manifest-body.ts';
import { createMessageCleaner, failureOfStatus, Transient } from './failure.ts';
import { formatSize, shortDigest } from './upload-chunks.ts';

/** Repository to which manifests are written. */
export interface ManifestTarget {
  readonly client: RegistryClient;
  readonly repository: string;
  /** Rights that requests need to write to the repository. */
  readonly scopes: readonly string[];
}

/** Writes a manifest under a tag or its digest. @throws OpSdkError; the signal's reason */
export async function putManifest(
  { client, repository, scopes }: ManifestTarget,
  manifest: Descriptor,
  bytes: Uint8Array,
  name: string,
): Promise<ClientResponse> {
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
  return response;
}

/**
 * Adds an artifact to the list of an image's referrers under the tag by which clients find them in registries that keep no list.
 * @throws OpSdkError `oci/invalid-manifest` if the tag names something else
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#referrers-tag-schema
 */
export async function listReferrer(
  target: ManifestTarget,
  subject: Descriptor,
  referrer: Descriptor,
): Promise<void> {
  const tag = subject.digest.replace(':', '-');
  const listed = await readReferrers(target, tag);
  if (listed.some(({ digest }) => digest === referrer.digest)) return;
  const index: ImageIndex = {
    schemaVersion: 2,
    mediaType: mediaTypes.oci.index,
    manifests: [...listed, referrer],
  };
  const bytes = Buffer.from(JSON.stringify(index));
  await putManifest(target, descriptorOf(mediaTypes.oci.index, bytes), bytes, tag);
}

/** Reads the list of referrers under a tag; returns an empty list if the tag does not exist. */
async function readReferrers(
  { client, repository, scopes }: ManifestTarget,
  tag: string,
): Promise<readonly Descriptor[]> {
  const body = await client.retry(async () => {
    const response = await client.once({
      method: 'GET',
      url: `/v2/${repository}/manifests/${tag}`,
      headers: { accept: mediaTypes.oci.index },
      scopes,
      expect: [200, 404],
      what: `the referrers ${tag}`,
    });
    if (response.status === 200) return readManifestBody(client, repository, response);
    response.discard();
    return undefined;
  });
  if (body === undefined) return [];
  const index = parseIndex(body);
  if (index === undefined)
    throw invalidManifest(`${client.purpose.registry}/${repository}:${tag}`, 'it is not a list of referrers');
  return index.manifests;
}

function parseIndex(bytes: Buffer): ImageIndex | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isImageIndex(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Verifies the digest that the registry has under the name of the image. */
export async function verifyPush(
  { client, repository, scopes }: ManifestTarget,
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
    // In large registries, a new manifest takes a moment to reach all servers, so a missing one is looked up again.
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
