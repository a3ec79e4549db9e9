// Unit tests: the webhook is asked as the API server asks it, without a server.
import { Secret } from 'opsdk/k8s/core/v1';
import { callWebhook, createTestApi } from 'opsdk/testing';
import { expect, it } from 'vitest';
import type { DistributedRedisClusterSpec } from '../../../../src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import { distributedRedisClusterWebhook } from '../../../../src/webhooks/redis/v1alpha1/distributed-redis-cluster.ts';

const password: Secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'redis-password', namespace: 'default' },
};
const claims = { type: 'persistent-claim', size: '1Gi', deleteClaim: true } as const;

async function warningsOf(
  spec: DistributedRedisClusterSpec,
  operation: 'CREATE' | 'DELETE' = 'CREATE',
): Promise<readonly string[]> {
  await using api = await createTestApi({ kinds: [Secret], objects: [password] });
  const object = {
    metadata: { name: 'example', namespace: 'default', uid: '1', resourceVersion: '1' },
    spec,
  };
  const { allowed, warnings } = await callWebhook(distributedRedisClusterWebhook, {
    ...{ operation, object, client: api.client },
    ...(operation === 'DELETE' && { oldObject: object }),
  });
  expect(allowed).toBe(true);
  return warnings;
}

it('is silent about a cluster with a password and claims', async () => {
  expect(await warningsOf({ storage: claims, passwordSecret: { name: 'redis-password' } })).toEqual([]);
});

it('warns about a cluster without a password, or without its Secret', async () => {
  expect(await warningsOf({ storage: claims })).toEqual([
    'spec.passwordSecret is missing: everybody in the cluster can read and write',
  ]);
  expect(await warningsOf({ storage: claims, passwordSecret: { name: 'other' } })).toEqual([
    'Secret other does not exist yet: the cluster waits for it',
  ]);
});

it('warns about keys that are in one place only', async () => {
  const spec = { clusterReplicas: 0, passwordSecret: { name: 'redis-password' } };
  expect(await warningsOf({ ...spec, storage: { type: 'ephemeral' } })).toEqual([
    'without replicas and claims, the keys of a shard are lost with its Pod',
  ]);
  expect(await warningsOf({ ...spec, storage: claims })).toEqual([]);
});

it('warns about a deletion that takes the data with it', async () => {
  expect(await warningsOf({ storage: claims }, 'DELETE')).toEqual([
    'spec.storage.deleteClaim is true: the data is deleted, too',
  ]);
  expect(await warningsOf({}, 'DELETE')).toEqual([]);
});

it('warns about a number of masters that changes whatever the load, or does not change', async () => {
  const autoscaling = { maxMasters: 6, targetMemoryUtilizationPercentage: 50 };
  const common = { storage: claims, passwordSecret: { name: 'redis-password' } };
  const metadata = { name: 'example', namespace: 'default', uid: '1', resourceVersion: '1' };
  const update = async (spec: DistributedRedisClusterSpec): Promise<readonly string[]> => {
    await using api = await createTestApi({ kinds: [Secret], objects: [password] });
    const { warnings } = await callWebhook(distributedRedisClusterWebhook, {
      ...{ operation: 'UPDATE', client: api.client },
      object: { metadata, spec: { ...common, ...spec } },
      oldObject: {
        ...{ metadata, spec: { ...common, masterSize: 3, autoscaling } },
        status: { autoscaling: { desiredMasters: 5 } },
      },
    });
    return warnings;
  };
  expect(await update({ masterSize: 3, autoscaling })).toEqual([]);
  expect(await update({ masterSize: 4, autoscaling })).toEqual([
    'spec.masterSize has no effect while spec.autoscaling is set',
  ]);
  expect(await update({ masterSize: 3 })).toEqual([
    'without spec.autoscaling the cluster goes from 5 masters to 3, the number in spec.masterSize',
  ]);
  expect(await update({ masterSize: 5 })).toEqual([]);
  expect(await update({ masterSize: 3, autoscaling: { ...autoscaling, maxMasters: 4 } })).toEqual([
    'spec.autoscaling.maxMasters: the data of 5 masters has to fit on 4',
  ]);
});
