import { expect, it } from 'vitest';
import type { CachedReader, Client } from '../../../../src/index.ts';
import { CacheBackedClient } from '../../../../src/sdk/runtime/client/index.ts';
import { ConfigMap, configMap } from './kinds.ts';
import { noWrites } from './no-writes.ts';

it('has a field manager and a signal of its own where a call brings none, also where it says undefined', async () => {
  const calls: object[] = [];
  const live = {
    apply: async (_resource: unknown, _object: unknown, options: object) => void calls.push(options),
    get: async (_resource: unknown, _key: unknown, options: object) => void calls.push(options),
  };
  const { signal } = new AbortController();
  const client = new CacheBackedClient({
    source: 'cache',
    cached: live as unknown as CachedReader,
    live: live as unknown as Client,
    writes: noWrites,
    fieldManager: 'op/c',
    signal,
  });
  const object = { metadata: { name: 'c', namespace: 'default' } };
  const own = new AbortController();
  await client.apply(ConfigMap, object);
  await client.apply(ConfigMap, object, { fieldManager: undefined, signal: undefined, force: false });
  await client.apply(ConfigMap, object, { fieldManager: 'mine', signal: own.signal });
  await client.live.get(ConfigMap, configMap('c').metadata, { signal: undefined });
  expect(calls).toEqual([
    { fieldManager: 'op/c', signal },
    { fieldManager: 'op/c', signal, force: false },
    { fieldManager: 'mine', signal: own.signal },
    { signal },
  ]);
  expect((calls[1] as { signal: AbortSignal }).signal).toBe(signal);
});
