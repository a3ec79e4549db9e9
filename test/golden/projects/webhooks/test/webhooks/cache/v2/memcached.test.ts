// Unit tests: the functions are called directly, without a server.
import type { AdmissionContext } from 'opsdk';
import { expect, it } from 'vitest';
import type { Memcached } from '../../../../src/api/cache/v2/memcached.ts';
import { memcachedWebhook } from '../../../../src/webhooks/cache/v2/memcached.ts';

const { options } = memcachedWebhook;

// What the functions use of the request, such as `{ request: { dryRun: true } }`.
const context = {} as AdmissionContext;

const memcached = {
  apiVersion: 'cache.example.com/v2',
  kind: 'Memcached',
  metadata: { name: 'memcached-sample' },
} as Memcached;

it('keeps what the user wrote', async () => {
  const defaulted = structuredClone(memcached);
  await options.default?.(defaulted, context);
  expect(defaulted).toMatchObject(memcached);
});
