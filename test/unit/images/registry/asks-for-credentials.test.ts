import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { asksForCredentials } from '../../../../src/images/registry/authorities.ts';
import { reply, scriptedRegistry } from '../../../helpers/scripted-registry.ts';

const quick = { env: {}, signal: new AbortController().signal };

test('a registry that serves everybody asks nobody', async () => {
  await using registry = await scriptedRegistry();
  expect(await asksForCredentials(registry.host, quick)).toBe(false);
  expect(registry.lines()).toEqual(['GET /v2/']);
});

test.each([
  ['basic', { kind: 'basic', username: 'alice', password: 'x' }],
  ['bearer', { kind: 'bearer' }],
] as const)('a registry with %s authentication asks', async (_, guard) => {
  await using registry = await scriptedRegistry({ guard });
  expect(await asksForCredentials(registry.host, quick)).toBe(true);
  expect(registry.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test('nobody knows of one that fails, is silent or is not there', async () => {
  await using failing = await scriptedRegistry({ faults: [{ on: /^GET/, answer: reply(503) }] });
  expect(await asksForCredentials(failing.host, quick)).toBeUndefined();
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  expect(await asksForCredentials(host, { ...quick, timeout: 300 })).toBeUndefined();
  silent.close();
  expect(await asksForCredentials('127.0.0.1:1', quick)).toBeUndefined();
});

test.each(['10.256.1.1', 'registry.example.com:99999', '[::::]:5000'])(
  'nobody knows of %s, which cannot be a host',
  async (registry) => {
    expect(await asksForCredentials(registry, quick)).toBeUndefined();
  },
);

test('ends with the signal', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(asksForCredentials('127.0.0.1:1', { env: {}, signal })).rejects.toThrow('enough');
});
