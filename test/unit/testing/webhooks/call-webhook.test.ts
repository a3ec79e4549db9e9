import { expect, test } from 'vitest';
import { defineResource, type CustomResource } from '../../../../src/sdk/api/index.ts';
import { ConfigMap } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { defineWebhook } from '../../../../src/sdk/runtime/index.ts';
import { callWebhook, createTestApi } from '../../../../src/testing/index.ts';

interface Memcached extends CustomResource {
  spec: { size?: number };
}
const Memcached = defineResource<Memcached>({
  group: 'cache.example.com',
  version: 'v1',
  kind: 'Memcached',
});

const webhook = defineWebhook(Memcached, {
  default(memcached, context) {
    if (memcached.spec.size === undefined) context.warn('size was filled in');
    memcached.spec.size ??= 4;
  },
  validate: {
    create: ({ spec }) =>
      (spec.size ?? 0) % 2 === 1 ? [] : [{ path: '.spec.size', message: 'must be odd', value: spec.size }],
    update: ({ spec }, old) => {
      if ((spec.size ?? 0) < (old.spec.size ?? 0)) throw new Error('cannot shrink');
    },
    delete: (_object, { request }) => {
      if (request.userInfo.username !== 'admin') throw new Error(`${request.userInfo.username} may not`);
    },
  },
});

const metadata = { name: 'a', namespace: 'default' };

test('default comes first, and validate sees what it filled in', async () => {
  const outcome = await callWebhook(webhook, { operation: 'CREATE', object: { metadata, spec: {} } });
  expect(outcome).toMatchObject({
    allowed: false,
    object: { apiVersion: 'cache.example.com/v1', kind: 'Memcached', spec: { size: 4 } },
    patch: [{ op: 'add', path: '/spec/size', value: 4 }],
    errors: [{ field: 'spec.size', reason: 'FieldValueInvalid', message: 'Invalid value: 4: must be odd' }],
    status: { code: 422, reason: 'Invalid' },
    warnings: ['size was filled in'],
  });
});

test('what is allowed has no status, and no patch if nothing was filled in', async () => {
  const object = { metadata, spec: { size: 3 } };
  const outcome = await callWebhook(webhook, { operation: 'CREATE', object });
  expect(outcome).toMatchObject({ allowed: true, object, errors: [], warnings: [] });
  expect(outcome.status).toBeUndefined();
  expect(outcome.patch).toBeUndefined();
});

test('an update is compared with the stored object, a deletion is about it', async () => {
  const stored = { metadata: { ...metadata, uid: 'u', resourceVersion: '1' }, spec: { size: 5 } };
  const update = await callWebhook(webhook, {
    operation: 'UPDATE',
    object: { metadata, spec: { size: 3 } },
    oldObject: stored,
  });
  expect(update).toMatchObject({ allowed: false, status: { message: 'cannot shrink' } });
  const call = { operation: 'DELETE', object: stored } as const;
  expect(await callWebhook(webhook, call)).toMatchObject({
    allowed: false,
    status: { message: 'test may not' },
  });
  expect(await callWebhook(webhook, { ...call, user: { username: 'admin' } })).toMatchObject({
    allowed: true,
  });
});

test('a webhook that reads needs a client', async () => {
  const reading = defineWebhook(Memcached, {
    validate: {
      create: async ({ metadata: { namespace } }, context) => {
        const map = await context.client.live.find(ConfigMap, { name: 'limits', namespace });
        context.warn(map?.data?.['size'] ?? 'none');
      },
    },
  });
  const call = { operation: 'CREATE', object: { metadata, spec: {} } } as const;
  await expect(callWebhook(reading, call)).rejects.toMatchObject({ code: 'testapi/unsupported' });
  const limits = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'limits', namespace: 'default' },
    data: { size: '3' },
  } as const;
  await using api = await createTestApi({ kinds: [ConfigMap], objects: [limits] });
  expect(await callWebhook(reading, { ...call, client: api.client })).toMatchObject({
    allowed: true,
    warnings: ['3'],
  });
});

test('a webhook that takes the client out of its context needs none for requests about which it does not read', async () => {
  const sometimes = defineWebhook(Memcached, {
    validate: {
      async create({ spec, metadata: { namespace } }, { client, warn }) {
        if (spec.size === undefined) return warn('no size');
        await client.live.find(ConfigMap, { name: 'limits', namespace });
      },
    },
  });
  const call = { operation: 'CREATE', object: { metadata, spec: {} } } as const;
  expect(await callWebhook(sometimes, call)).toMatchObject({ allowed: true, warnings: ['no size'] });
  await expect(
    callWebhook(sometimes, { ...call, object: { metadata, spec: { size: 3 } } }),
  ).rejects.toMatchObject({ code: 'testapi/unsupported' });
});
