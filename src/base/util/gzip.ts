import { gzipSync } from 'node:zlib';

/** Compresses bytes with gzip. Records no time, file name and operating system, so that equal bytes give an equal result. */
export function gzipReproducibly(bytes: Uint8Array): Buffer {
  const zipped = gzipSync(bytes, { level: 9, memLevel: 8 });
  // Byte 9 is the operating system (RFC 1952); 255 means "unknown".
  zipped[9] = 0xff;
  return zipped;
}
