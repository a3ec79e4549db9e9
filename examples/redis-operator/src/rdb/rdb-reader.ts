import { expandLzf } from './lzf.ts';

/** Thrown when the bytes end within something. More of them may come. */
export class MoreBytes extends Error {
  override readonly name = 'MoreBytes';
}

/** Length, or the form of a text that is written in another way. */
interface Length {
  readonly length: number;
  readonly isForm: boolean;
}

/**
 * Reads the parts that the values of an RDB file consist of.
 * @see https://github.com/redis/redis/blob/7.0/src/rdb.h
 */
export class RdbReader {
  readonly #bytes: Buffer;
  position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  skip(count: number): void {
    this.#claim(count);
  }

  take(count: number): Buffer {
    const start = this.#claim(count);
    return this.#bytes.subarray(start, start + count);
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#claim(1));
  }

  /** Reads a length. @throws Error if it is the form of a text */
  length(): number {
    const { length, isForm } = this.#length();
    if (isForm) throw new Error(`RDB: expected a length, got form ${length}`);
    return length;
  }

  /** Reads a text, which may be a number or compressed. */
  string(): Buffer {
    const { length, isForm } = this.#length();
    if (!isForm) return this.take(length);
    switch (length) {
      case 0:
        return Buffer.from(String(this.take(1).readInt8()));
      case 1:
        return Buffer.from(String(this.take(2).readInt16LE()));
      case 2:
        return Buffer.from(String(this.take(4).readInt32LE()));
      case 3: {
        const compressed = this.length();
        const size = this.length();
        return expandLzf(this.take(compressed), size);
      }
      default:
        throw new Error(`RDB: expected a text, got form ${length}`);
    }
  }

  skipString(): void {
    const { length, isForm } = this.#length();
    if (!isForm) return this.skip(length);
    if (length === 3) {
      const compressed = this.length();
      this.length();
      return this.skip(compressed);
    }
    if (length > 3) throw new Error(`RDB: expected a text, got form ${length}`);
    this.skip(2 ** length);
  }

  #length(): Length {
    const first = this.byte();
    switch (first >> 6) {
      case 0:
        return { length: first & 63, isForm: false };
      case 1:
        return { length: ((first & 63) << 8) | this.byte(), isForm: false };
      case 3:
        return { length: first & 63, isForm: true };
      default:
        return { length: this.#longLength(first), isForm: false };
    }
  }

  #longLength(first: number): number {
    if (first === 0x80) return this.take(4).readUInt32BE();
    if (first === 0x81) return Number(this.take(8).readBigUInt64BE());
    throw new Error(`RDB: expected a length, got 0x${first.toString(16)}`);
  }

  #claim(count: number): number {
    const start = this.position;
    if (start + count > this.#bytes.length) throw new MoreBytes();
    this.position = start + count;
    return start;
  }
}
