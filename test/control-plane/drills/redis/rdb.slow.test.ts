// Files of a real server: what the parser finds in them is what the server itself dumps, and another server takes it.
import { describe, expect, test } from 'vitest';
import { readRdb } from '../../../../examples/redis-operator/src/redis/rdb-stream.ts';
import type { RespClient } from '../../../../examples/redis-operator/src/redis/resp-client.ts';
import {
  RdbParser,
  type RdbKey,
  type RdbEntry,
} from '../../../../examples/redis-operator/src/rdb/rdb-parser.ts';
import { isInstalled } from '../../../helpers/guide.ts';
import { startRedis } from './redis-process.ts';

const signal = new AbortController().signal;
const hasProgram = isInstalled('redis-server', process.env['PATH'] ?? '');

/** Writes a value of each type, in each of the forms that the server has for it. */
async function fill(client: RespClient): Promise<void> {
  const range = (count: number, text = 'item'): string[] =>
    Array.from({ length: count }, (_, index) => `${text}-${index}`);
  const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));
  const pairs = (items: readonly string[], value: string): string[] => items.flatMap((item) => [item, value]);
  const scores = (items: readonly string[]): string[] =>
    items.flatMap((item, index) => [String(index / 3), item]);
  for (const [name, value] of Object.entries({
    empty: '',
    text: 'value',
    byte: '-7',
    short: '-300',
    long: '-70000',
    longer: '12345678901',
    compressed: 'a'.repeat(5000),
    mixed: range(400).join(),
  }))
    await client.call('SET', name, value);
  await client.call('SET', 'k'.repeat(300), 'a key that is compressed');
  await client.call('SET', Buffer.from([0, 255, 10, 13, 128]), Buffer.from([1, 0, 254]));
  await client.call('SET', 'expires', 'later', 'PX', 100_000_000);
  await client.call('RPUSH', 'list', ...range(3));
  await client.call('RPUSH', 'long-list', ...range(2000), 'b'.repeat(10_000));
  await client.call('SADD', 'numbers', ...numbers(50));
  await client.call('SADD', 'set', ...range(5));
  await client.call('SADD', 'large-set', ...range(1000));
  await client.call('HSET', 'hash', ...pairs(range(5), 'x'));
  await client.call('HSET', 'large-hash', ...pairs(range(1000), 'y'.repeat(100)));
  await client.call('ZADD', 'sorted', ...scores(range(5)), '+inf', 'most', '-inf', 'least');
  await client.call('ZADD', 'large-sorted', ...scores(range(1000)), '+inf', 'most');
  for (let entry = 0; entry < 300; entry++)
    await client.call('XADD', 'stream', '*', 'field', `value-${entry}`);
  await client.call('XGROUP', 'CREATE', 'stream', 'group', '0');
  await client.call('XREADGROUP', 'GROUP', 'group', 'consumer', 'COUNT', 20, 'STREAMS', 'stream', '>');
  await client.call('XGROUP', 'CREATECONSUMER', 'stream', 'group', 'idle');
  await client.call('XADD', 'emptied', '*', 'field', 'value');
  await client.call('XTRIM', 'emptied', 'MAXLEN', 0);
  await client.call('PFADD', 'estimate', ...range(100));
  const code = "#!lua name=library\nredis.register_function('answer', function() return 42 end)";
  await client.call('FUNCTION', 'LOAD', code);
}

const debug = ['--enable-debug-command', 'yes'];

/** Returns a checksum of a value that does not depend on the order of its items in memory. */
const digestOf = (client: RespClient, key: Buffer): Promise<unknown> =>
  client.call('DEBUG', 'DIGEST-VALUE', key);

async function entriesOf(port: number, password?: string): Promise<readonly RdbEntry[]> {
  const parser = new RdbParser();
  const entries: RdbEntry[] = [];
  for await (const chunk of readRdb({ host: '127.0.0.1', port, password }, signal))
    // Pieces of odd sizes, so that each thing is interrupted somewhere.
    for (let start = 0; start < chunk.length; start += 997)
      entries.push(...parser.push(chunk.subarray(start, start + 997)));
  parser.end();
  return entries;
}

describe.skipIf(!hasProgram)('RDB files of redis-server', () => {
  test.each([
    { form: 'the forms of today', settings: [] },
    {
      form: 'no compression and no short forms',
      settings: [
        ...['--rdbcompression', 'no', '--list-max-listpack-size', '1', '--set-max-intset-entries', '0'],
        ...['--hash-max-listpack-entries', '0', '--zset-max-listpack-entries', '0'],
      ],
    },
    { form: 'a password', settings: ['--requirepass', 'secret'] },
  ])('hold each key as the server dumps it: $form', async ({ settings }) => {
    await using source = await startRedis(...settings, ...debug);
    await using target = await startRedis(...debug);
    await fill(source.client);
    const entries = await entriesOf(source.port, settings.includes('secret') ? 'secret' : undefined);
    const keys = entries.filter((entry): entry is RdbKey => entry.type === 'key');
    expect(keys).toHaveLength(Number(await source.client.call('DBSIZE')));
    for (const { key, expiresAt, dump } of keys) {
      const label = key.toString('latin1').slice(0, 20);
      const dumped = dump();
      expect(dumped.equals((await source.client.callBinary('DUMP', key)) as Buffer), label).toBe(true);
      expect(expiresAt ?? -1, label).toBe(await source.client.call('PEXPIRETIME', key));
      await target.client.call('RESTORE', key, expiresAt ?? 0, dumped, 'ABSTTL');
      expect(await digestOf(target.client, key), label).toEqual(await digestOf(source.client, key));
    }
    const libraries = entries.filter(({ type }) => type === 'library');
    expect(libraries.map((entry) => 'code' in entry && entry.code.toString())).toEqual([
      expect.stringContaining('register_function'),
    ]);
  });

  test('are refused when they are damaged or end early', async () => {
    await using source = await startRedis();
    await fill(source.client);
    const chunks: Buffer[] = [];
    for await (const chunk of readRdb({ host: '127.0.0.1', port: source.port }, signal)) chunks.push(chunk);
    const file = Buffer.concat(chunks);
    const early = new RdbParser();
    early.push(file.subarray(0, -1));
    expect(() => early.end()).toThrow('expected more bytes');
    // A damaged length can also make the parser wait for bytes that never come.
    for (let fromEnd = 1; fromEnd <= 64; fromEnd++) {
      const damaged = Buffer.from(file);
      damaged.writeUInt8(damaged.readUInt8(file.length - fromEnd) ^ 1, file.length - fromEnd);
      const parser = new RdbParser();
      expect(() => {
        parser.push(damaged);
        parser.end();
      }, `byte ${fromEnd} from the end`).toThrow(/^(?:RDB|LZF): /);
    }
  });

  test('cannot be read without the password', async () => {
    await using source = await startRedis('--requirepass', 'secret');
    await expect(entriesOf(source.port)).rejects.toThrow('NOAUTH');
    await expect(entriesOf(source.port, 'other')).rejects.toThrow('WRONGPASS');
  });
});
