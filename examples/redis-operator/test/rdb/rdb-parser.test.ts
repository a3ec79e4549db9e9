import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Crc64 } from '../../src/rdb/crc64.ts';
import { expandLzf } from '../../src/rdb/lzf.ts';
import { RdbParser, type RdbEntry } from '../../src/rdb/rdb-parser.ts';

/** Texts in all forms that RDB has for them, with what they mean. */
const texts = fc.oneof(
  fc.uint8Array({ maxLength: 100 }).map((bytes) => {
    const { length } = bytes;
    const head = length < 64 ? [length] : [0x40 | (length >> 8), length & 0xff];
    return { written: Buffer.from([...head, ...bytes]), text: Buffer.from(bytes) };
  }),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => ({
    written: Buffer.from([0x80, 0, 0, 0, bytes.length, ...bytes]),
    text: Buffer.from(bytes),
  })),
  fc.integer({ min: -128, max: 127 }).map((value) => {
    const written = Buffer.from([0xc0, 0]);
    written.writeInt8(value, 1);
    return { written, text: Buffer.from(String(value)) };
  }),
  fc.integer({ min: -32_768, max: 32_767 }).map((value) => {
    const written = Buffer.from([0xc1, 0, 0]);
    written.writeInt16LE(value, 1);
    return { written, text: Buffer.from(String(value)) };
  }),
  // Bytes as they are, in the form of compressed ones.
  fc.uint8Array({ minLength: 1, maxLength: 32 }).map((bytes) => ({
    written: Buffer.from([0xc3, bytes.length + 1, bytes.length, bytes.length - 1, ...bytes]),
    text: Buffer.from(bytes),
  })),
);

const keys = fc.record({ key: texts, value: texts, expiresAt: fc.option(fc.nat(), { nil: undefined }) });

function fileOf(content: readonly Buffer[], version = 10): Buffer {
  const header = Buffer.from(`REDIS${String(version).padStart(4, '0')}`);
  const file = Buffer.concat([header, ...content, Buffer.from([0xff])]);
  return Buffer.concat([file, new Crc64().update(file).digest()]);
}

function parse(file: Buffer, pieces: readonly number[] = []): readonly RdbEntry[] {
  const parser = new RdbParser();
  const entries: RdbEntry[] = [];
  let start = 0;
  for (const size of [...pieces, file.length]) {
    entries.push(...parser.push(file.subarray(start, start + size)));
    start += size;
  }
  parser.end();
  return entries;
}

describe('RdbParser', () => {
  test('finds keys with their times, in whatever pieces the file comes', () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 20 }), pieces, (written, sizes) => {
        const content = written.map(({ key, value, expiresAt }) => {
          const expiry = Buffer.alloc(expiresAt === undefined ? 0 : 9, 0xfc);
          if (expiresAt !== undefined) expiry.writeBigInt64LE(BigInt(expiresAt), 1);
          return Buffer.concat([expiry, Buffer.from([0]), key.written, value.written]);
        });
        const found = parse(fileOf(content), sizes).map((entry) =>
          entry.type === 'key'
            ? { key: entry.key, expiresAt: entry.expiresAt, dump: entry.dump().subarray(0, -10) }
            : entry,
        );
        expect(found).toEqual(
          written.map(({ key, value, expiresAt }) => ({
            key: key.text,
            expiresAt,
            dump: Buffer.concat([Buffer.from([0]), value.written]),
          })),
        );
      }),
    );
  });

  // DUMP of Redis 7.0 for the text 10.
  test('writes values as DUMP does', () => {
    const [entry] = parse(fileOf([Buffer.from([0, 1, 0x61, 0xc0, 0x0a])]));
    expect(entry?.type === 'key' && entry.dump().toString('hex')).toBe('00c00a0a006e9f57450eae63bb');
  });

  test.each([
    { file: Buffer.from('HELLO0010'), message: 'begins with REDIS' },
    { file: Buffer.from('REDIS0099'), message: 'version 12 or older, got 99' },
    { file: fileOf([Buffer.from([7, 1, 0x61])]), message: 'values of modules are not supported' },
    { file: fileOf([Buffer.from([99, 1, 0x61])]), message: 'expected a known type of value, got 99' },
    { file: fileOf([Buffer.from([0xfe, 1])]), message: 'expected database 0, got 1' },
    { file: fileOf([Buffer.from([0xf7, 1])]), message: 'data of modules is not supported' },
    { file: Buffer.concat([fileOf([]), Buffer.from([0])]), message: 'got more bytes' },
    { file: Buffer.concat([fileOf([]).subarray(0, -8), Buffer.alloc(8, 1)]), message: 'checksum' },
    { file: fileOf([]).subarray(0, -1), message: 'got the end of the file' },
  ])('refuses a file: $message', ({ file, message }) => {
    expect(() => parse(file)).toThrow(message);
  });

  test('takes a file without a checksum', () => {
    expect(parse(Buffer.concat([fileOf([]).subarray(0, -8), Buffer.alloc(8)]))).toEqual([]);
  });
});

// The check value of this checksum.
test('the checksum of 123456789 is the known one', () => {
  const digest = new Crc64().update(Buffer.from('12345')).update(Buffer.from('6789')).digest();
  expect(digest.readBigUInt64LE().toString(16)).toBe('e9c6d914c4b8d9ca');
});

test('compressed bytes are expanded, also copies that overlap', () => {
  // "ab", then nine bytes from two bytes before.
  expect(expandLzf(Buffer.from([1, 0x61, 0x62, 0xe0, 0, 1]), 11).toString()).toBe('abababababa');
  expect(() => expandLzf(Buffer.from([0x20, 5]), 3)).toThrow('copy of earlier bytes');
  expect(() => expandLzf(Buffer.from([3, 0x61]), 4)).toThrow('expected more bytes');
  expect(() => expandLzf(Buffer.from([0, 0x61]), 4)).toThrow('expected 4 bytes, got 1');
});
