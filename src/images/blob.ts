import { createHash } from 'node:crypto';
import { OpSdkError } from '../base/errors/index.ts';
import type { Descriptor, ImageContent } from './types.ts';
import { gzipReproducibly } from '../base/util/gzip.ts';
import { tarBytes, type TarEntry } from '../base/util/write-tar.ts';

/** Reads a small blob (a manifest or a configuration) into memory. */
export async function readBlob(content: ImageContent, descriptor: Descriptor): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of content.read(descriptor)) parts.push(part);
  return Buffer.concat(parts);
}

/**
 * Passes bytes on and checks them against the size and digest of a descriptor.
 * @param source origin of the bytes, for the message
 * @throws OpSdkError `oci/digest-mismatch` at the end of the bytes, or immediately when there are more bytes than the descriptor says
 */
export async function* verified(
  bytes: AsyncIterable<Uint8Array>,
  descriptor: Descriptor,
  source: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > descriptor.size) break;
    hash.update(chunk);
    yield chunk;
  }
  if (size > descriptor.size) throw mismatch(descriptor, source, `more than ${descriptor.size} bytes`);
  if (size < descriptor.size) throw mismatch(descriptor, source, `${size} of ${descriptor.size} bytes`);
  const digest = `sha256:${hash.digest('hex')}`;
  if (digest !== descriptor.digest) throw mismatch(descriptor, source, digest);
}

/** Returns the content of an image. Blobs in `own` are in memory; other blobs are read from the images that it is built from. */
export function composeContent(
  root: Descriptor,
  own: ReadonlyMap<string, Uint8Array>,
  borrowed: ReadonlyMap<string, ImageContent> = new Map(),
): ImageContent {
  return {
    root,
    async *read(descriptor) {
      const bytes = own.get(descriptor.digest);
      if (bytes !== undefined) {
        yield bytes;
        return;
      }
      const lender = borrowed.get(descriptor.digest);
      if (lender === undefined) throw missingBlob(descriptor, 'the image');
      yield* lender.read(descriptor);
    },
  };
}

/** Creates the error `oci/blob-missing`: an image refers to a blob that does not exist. */
export function missingBlob({ digest }: Descriptor, source: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/blob-missing',
    message: `${source} refers to ${digest}, which is missing`,
    where: { object: digest },
    fix: ['build the image again'],
  });
}

function mismatch({ digest }: Descriptor, source: string, found: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/digest-mismatch',
    message: `${source} does not match its digest: expected ${digest}, got ${found}`,
    where: { object: digest },
    fix: ['run the command again; if it happens again, build or push the image once more'],
  });
}

/** A layer of an image. It is held in memory, because the layers that op-sdk adds are small. */
export interface Layer {
  /** The gzipped tar archive. */
  readonly bytes: Uint8Array;
  /** Digest of {@link Layer.bytes}: `sha256:…` */
  readonly digest: string;
  /** Digest of the archive before compression: `sha256:…` */
  readonly diffId: string;
  /** Creator of the layer, for the history of the image. */
  readonly createdBy: string;
}

/**
 * Packs files into a layer. The same entries give the same `diffId` everywhere. They give the same bytes wherever zlib compresses alike, as
 * in all versions of Node that op-sdk supports.
 */
export function createLayer(
  entries: readonly (TarEntry & { readonly content?: Uint8Array })[],
  createdBy: string,
): Layer {
  const archive = tarBytes(entries);
  const bytes = gzipReproducibly(archive);
  return { bytes, digest: sha256(bytes), diffId: sha256(archive), createdBy };
}

/** Returns the digest of bytes as images write it: `sha256:` and 64 hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Returns the descriptor of bytes. */
export function descriptorOf(mediaType: string, bytes: Uint8Array): Descriptor {
  return { mediaType, digest: sha256(bytes), size: bytes.length };
}
