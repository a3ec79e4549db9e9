import { Crc64 } from './crc64.ts';
import { MoreBytes, RdbReader } from './rdb-reader.ts';
import { skipValue } from './skip-value.ts';

/** Key of an RDB file, in the form in which RESTORE takes it. */
export interface RdbKey {
  readonly type: 'key';
  readonly key: Buffer;
  /** Milliseconds since 1970 at which the key expires. */
  readonly expiresAt: number | undefined;
  /** Value as DUMP returns it. */
  readonly dump: () => Buffer;
}

/** Library of functions, in the form in which FUNCTION LOAD takes it. */
export interface RdbLibrary {
  readonly type: 'library';
  readonly code: Buffer;
}

export type RdbEntry = RdbKey | RdbLibrary;

const opcodes = {
  slotInfo: 0xf4,
  library: 0xf5,
  moduleAux: 0xf7,
  idle: 0xf8,
  frequency: 0xf9,
  aux: 0xfa,
  sizes: 0xfb,
  expiryMs: 0xfc,
  expiry: 0xfd,
  database: 0xfe,
  end: 0xff,
} as const;

/** Opcodes from here on are no types of values. */
const firstOpcode = 0xf0;

const newestVersion = 12;

/** Parses an RDB file piece by piece, and checks it to its end. */
export class RdbParser {
  #rest: Buffer = Buffer.alloc(0);
  #checksum = new Crc64();
  #version: number | undefined;
  #hasEnded = false;

  /**
   * Returns the entries that have become complete.
   * @throws Error if the file is damaged, or has something that cannot be restored
   */
  push(chunk: Buffer): readonly RdbEntry[] {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const entries: RdbEntry[] = [];
    try {
      while (bytes.length > 0) {
        const reader = new RdbReader(bytes);
        const entry = this.#version === undefined ? this.#header(reader) : this.#entry(reader, bytes);
        if (entry !== undefined) entries.push(entry);
        bytes = bytes.subarray(reader.position);
      }
    } catch (error) {
      if (!(error instanceof MoreBytes)) throw error;
    }
    this.#rest = bytes;
    return entries;
  }

  /** @throws Error if the file is not complete */
  end(): void {
    if (!this.#hasEnded) throw new Error('RDB: expected more bytes, got the end of the file');
  }

  #header(reader: RdbReader): undefined {
    const header = reader.take(9);
    const [, version] = /^REDIS(\d{4})$/.exec(header.toString('latin1')) ?? [];
    if (version === undefined) throw new Error('RDB: expected a file that begins with REDIS');
    if (Number(version) > newestVersion)
      throw new Error(`RDB: expected version ${newestVersion} or older, got ${Number(version)}`);
    this.#version = Number(version);
    this.#checksum.update(header);
  }

  #entry(reader: RdbReader, bytes: Buffer): RdbEntry | undefined {
    if (this.#hasEnded) throw new Error('RDB: expected the end of the file, got more bytes');
    let expiresAt: number | undefined;
    for (;;) {
      const opcode = reader.byte();
      if (opcode === opcodes.expiryMs) expiresAt = Number(reader.take(8).readBigInt64LE());
      else if (opcode === opcodes.expiry) expiresAt = reader.take(4).readInt32LE() * 1000;
      else if (opcode === opcodes.idle) reader.length();
      else if (opcode === opcodes.frequency) reader.skip(1);
      else if (opcode === opcodes.end) return this.#end(reader, bytes);
      else {
        const entry =
          opcode < firstOpcode ? this.#key(opcode, expiresAt, reader) : readOpcode(opcode, reader);
        this.#checksum.update(bytes.subarray(0, reader.position));
        return entry;
      }
    }
  }

  #key(type: number, expiresAt: number | undefined, reader: RdbReader): RdbKey {
    const key = reader.string();
    const start = reader.position;
    skipValue(type, reader);
    const size = reader.position - start;
    reader.position = start;
    const value = reader.take(size);
    const version = this.#version ?? 0;
    return { type: 'key', key, expiresAt, dump: () => dumpOf(type, value, version) };
  }

  #end(reader: RdbReader, bytes: Buffer): undefined {
    const checksum = this.#checksum;
    const end = reader.position;
    // Files without a checksum have zeros.
    const stored = (this.#version ?? 0) >= 5 ? reader.take(8) : Buffer.alloc(8);
    this.#checksum = checksum.update(bytes.subarray(0, end));
    if (stored.some((byte) => byte !== 0) && !stored.equals(checksum.digest()))
      throw new Error('RDB: the checksum of the file does not match');
    this.#hasEnded = true;
  }
}

/** Reads what is not a key. */
function readOpcode(opcode: number, reader: RdbReader): RdbLibrary | undefined {
  switch (opcode) {
    case opcodes.aux:
      reader.skipString();
      reader.skipString();
      return undefined;
    case opcodes.sizes:
      reader.length();
      reader.length();
      return undefined;
    case opcodes.slotInfo:
      reader.length();
      reader.length();
      reader.length();
      return undefined;
    case opcodes.database: {
      const database = reader.length();
      if (database !== 0) throw new Error(`RDB: expected database 0, got ${database}`);
      return undefined;
    }
    case opcodes.library:
      return { type: 'library', code: reader.string() };
    case opcodes.moduleAux:
      throw new Error('RDB: data of modules is not supported');
    default:
      throw new Error(`RDB: expected a known opcode, got 0x${opcode.toString(16)}`);
  }
}

/** Returns a value with its type before it, and the version and a checksum after it. */
function dumpOf(type: number, value: Buffer, version: number): Buffer {
  const body = Buffer.concat([Buffer.from([type]), value, Buffer.from([version & 0xff, version >> 8])]);
  return Buffer.concat([body, new Crc64().update(body).digest()]);
}
