import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createGzip, gzipSync } from 'node:zlib';
import { tar, type TarEntry } from '../unit/testing/tar.ts';

/**
 * Writes a layout `image` with an image of one layer, into a new folder of `scratch`.
 *
 * @returns the folder
 */
export function imageOfLayer(
  scratch: string,
  layer: Uint8Array,
  labels: Readonly<Record<string, string>> = {},
): string {
  const folder = mkdtempSync(join(scratch, 'image-'));
  const blobs = join(folder, 'image/blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const add = (mediaType: string, bytes: Uint8Array): object => {
    const hash = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(blobs, hash), bytes);
    return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
  };
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  const type = 'application/vnd.oci.image.';
  const config = add(
    `${type}config.v1+json`,
    json({
      os: 'linux',
      architecture: 'amd64',
      config: { Labels: labels },
      rootfs: { type: 'layers', diff_ids: [`sha256:${'0'.repeat(64)}`] },
    }),
  );
  const manifest = {
    ...{ schemaVersion: 2, mediaType: `${type}manifest.v1+json`, config },
    layers: [add(`${type}layer.v1.tar+gzip`, layer)],
  };
  writeFileSync(join(folder, 'image/oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  writeFileSync(
    join(folder, 'image/index.json'),
    json({ schemaVersion: 2, manifests: [add(manifest.mediaType, json(manifest))] }),
  );
  return folder;
}

/** A layer with these members. */
export const archive = (...entries: readonly TarEntry[]): Buffer => gzipSync(tar(entries));

/** An archive of a file of 2 GB, of which the file is cut off: a layer of 2 MB. */
export async function tarBomb(name: string): Promise<Buffer> {
  const gzip = createGzip();
  const compressed = buffer(gzip);
  // The archive says the size of its file in octal digits.
  gzip.write(headerOf(tar([{ name, content: Buffer.from('') }]), 2 ** 31));
  const zeros = Buffer.alloc(1024 * 1024);
  for (let index = 0; index < 2048; index++)
    if (!gzip.write(zeros)) await new Promise((resolve) => gzip.once('drain', resolve));
  gzip.end();
  return compressed;
}

/** The header of an archive's only file, with another size. */
function headerOf(archived: Buffer, size: number): Buffer {
  const header = Buffer.from(archived.subarray(0, 512));
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write(' '.repeat(8), 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
