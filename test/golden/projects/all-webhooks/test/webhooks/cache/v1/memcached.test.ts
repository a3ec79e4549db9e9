// Unit tests: the functions are called directly, without a server.
import type { AdmissionContext, Stored } from 'opsdk';
import { expect, it } from 'vitest';
import type { Memcached } from '../../../../src/api/cache/v1/memcached.ts';
import { memcachedWebhook } from '../../../../src/webhooks/cache/v1/memcached.ts';

const { options } = memcachedWebhook;

// What the functions use of the request, such as `{ request: { dryRun: true } }`.
const context = {} as AdmissionContext;

const memcached = {
  apiVersion: 'cache.example.com/v1',
  kind: 'Memcached',
  metadata: { name: 'memcached-sample' },
} as Memcached;

it('keeps what the user wrote', async () => {
  const defaulted = structuredClone(memcached);
  await options.default?.(defaulted, context);
  expect(defaulted).toMatchObject(memcached);
});

it('allows a new object', async () => {
  expect(await options.validate?.create?.(memcached, context)).toEqual([]);
});

it('allows an update that changes nothing', async () => {
  const old = memcached as Stored<Memcached>;
  expect(await options.validate?.update?.(memcached, old, context)).toEqual([]);
});
