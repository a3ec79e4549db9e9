import { defineController } from 'opsdk';
import { PersistentVolumeClaim } from 'opsdk/k8s/core/v1';
import { createTestApi } from 'opsdk/testing';
import { expect, it } from 'vitest';
import { DistributedRedisCluster } from '../../src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import { growClaims } from '../../src/cluster/claims.ts';
import { labelsOf } from '../../src/cluster/names.ts';
import { crds } from '../fixtures/redis-cluster-fixture.ts';

const metadata = { name: 'example', namespace: 'default' };
const claimKey = { name: 'data-example-0', namespace: 'default' };

const controller = defineController({ for: DistributedRedisCluster, reconcile: growClaims });

async function claimAfter(size: string): Promise<{ size: unknown; writes: number }> {
  const cluster: DistributedRedisCluster = {
    apiVersion: 'redis.kun/v1alpha1',
    kind: 'DistributedRedisCluster',
    metadata,
    spec: { masterSize: 3, clusterReplicas: 1, storage: { type: 'persistent-claim', size } },
  };
  const claim: PersistentVolumeClaim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...claimKey, labels: labelsOf(cluster) },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    status: { phase: 'Bound' },
  };
  await using api = await createTestApi({
    crds,
    kinds: [DistributedRedisCluster, PersistentVolumeClaim],
    objects: [cluster, claim],
  });
  await api.reconcile(controller, metadata);
  const { spec } = await api.client.get(PersistentVolumeClaim, claimKey);
  const writes = api.requests.filter(({ verb }) => verb === 'patch').length;
  return { size: spec?.resources?.requests?.['storage'], writes };
}

it('enlarges a claim', async () => {
  expect(await claimAfter('2Gi')).toEqual({ size: '2Gi', writes: 1 });
});

it.for(['1024Mi', '1Gi', '512Mi'])('leaves a claim of 1Gi as it is for %s', async (size) => {
  expect(await claimAfter(size)).toEqual({ size: '1Gi', writes: 0 });
});
