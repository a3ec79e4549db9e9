import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { tarBytes, type TarEntry } from './tar.ts';

/** A layer of an image, complete in memory: what we add to images is small. */
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
 * Packs files into a layer. The same entries give the same `diffId` everywhere, and the same bytes wherever zlib
 * compresses alike, as it does in all versions of Node that op-sdk supports.
 */
export function createLayer(
  entries: readonly (TarEntry & { readonly content?: Uint8Array })[],
  createdBy: string,
): Layer {
  const archive = tarBytes(entries);
  const bytes = gzipReproducibly(archive);
  return { bytes, digest: sha256(bytes), diffId: sha256(archive), createdBy };
}

/** The digest of bytes as images name it: `sha256:` and 64 hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Gzip without time, name and operating system. */
function gzipReproducibly(bytes: Uint8Array): Buffer {
  const zipped = gzipSync(bytes, { level: 9, memLevel: 8 });
  // Byte 9 tells the operating system (RFC 1952): 255 is "unknown".
  zipped[9] = 0xff;
  return zipped;
}
