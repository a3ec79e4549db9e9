/** Polynomial of Jones, reflected, as its high and its low half. */
const polynomial = [0x95ac9329, 0xac4bc9b5] as const;

const high = new Int32Array(256);
const low = new Int32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let [h, l] = [0, byte];
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = (l & 1) === 1;
    l = (l >>> 1) | ((h & 1) << 31);
    h >>>= 1;
    if (isOdd) {
      h ^= polynomial[0];
      l ^= polynomial[1];
    }
  }
  high[byte] = h;
  low[byte] = l;
}

/**
 * Checksum of Redis for its files and for the values that it dumps. It is computed piece by piece.
 * @see https://github.com/redis/redis/blob/7.0/src/crc64.c
 */
export class Crc64 {
  #high = 0;
  #low = 0;

  update(bytes: Uint8Array): this {
    let h = this.#high;
    let l = this.#low;
    for (let index = 0; index < bytes.length; index++) {
      const at = (l ^ (bytes[index] ?? 0)) & 0xff;
      l = ((l >>> 8) | (h << 24)) ^ (low[at] ?? 0);
      h = (h >>> 8) ^ (high[at] ?? 0);
    }
    this.#high = h;
    this.#low = l;
    return this;
  }

  /** Returns the checksum as 8 bytes, the lowest first. */
  digest(): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeInt32LE(this.#low | 0, 0);
    bytes.writeInt32LE(this.#high | 0, 4);
    return bytes;
  }
}
