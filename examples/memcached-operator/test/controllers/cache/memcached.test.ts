import { join } from 'node:path';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { createTestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { expect, it } from 'vitest';
import { Memcached, type MemcachedSpec } from '../../../src/api/cache/v1alpha1/memcached.ts';
import {
  desiredDeployment,
  memcachedController,
  observedStatus,
} from '../../../src/controllers/cache/memcached.ts';

expect.extend(kubernetesMatchers);

const crds = [join(import.meta.dirname, '../../../config/crd/bases')];
const memcached = (spec: MemcachedSpec): Memcached => ({
  apiVersion: 'cache.example.com/v1alpha1',
  kind: 'Memcached',
  metadata: {
    name: 'sessions',
    namespace: 'web',
    uid: 'b1b5ce3a-0b7c-4d4c-9a39-0d1f3a1a3c11',
    generation: 2,
  },
  spec,
});

it('puts the Deployment beside its Memcached and under its control', () => {
  expect(desiredDeployment(memcached({ size: 3 })).metadata).toMatchObject({
    name: 'sessions',
    namespace: 'web',
    ownerReferences: [{ kind: 'Memcached', name: 'sessions', controller: true }],
  });
});

it('takes the number of Pods from the spec, zero included', () => {
  expect(desiredDeployment(memcached({ size: 3 })).spec?.replicas).toBe(3);
  expect(desiredDeployment(memcached({ size: 0 })).spec?.replicas).toBe(0);
});

it('can be without Pods, whatever the spec', () => {
  expect(desiredDeployment(memcached({ size: 3 }), 0).spec?.replicas).toBe(0);
});

it.each([
  { ready: undefined, status: 'False', message: '0 of 3 Pods are ready' },
  { ready: 2, status: 'False', message: '2 of 3 Pods are ready' },
  { ready: 3, status: 'True', message: '3 of 3 Pods are ready' },
])('is available once all Pods are ready: $message', ({ ready, status, message }) => {
  const object = memcached({ size: 3 });
  const deployment: Deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'sessions' },
    spec: { replicas: 3, selector: {}, template: {} },
    status: { readyReplicas: ready },
  };
  expect(observedStatus(object, deployment).conditions).toMatchObject([
    { type: 'Available', status, message, observedGeneration: 2 },
  ]);
});

it('follows the size, and repairs what somebody deletes', async () => {
  const key = { name: 'sessions', namespace: 'default' };
  await using api = await createTestApi({
    kinds: [Memcached, Deployment],
    crds,
    objects: [{ ...memcached({ size: 3 }), metadata: key }],
  });
  api.add(memcachedController);
  await api.settle();
  const owner = await api.client.get(Memcached, key);
  const deployment = await api.client.get(Deployment, key);
  expect(deployment).toBeOwnedBy(owner);
  expect(deployment.spec?.replicas).toBe(3);

  await api.client.patch(Memcached, key, { type: 'merge', body: { spec: { size: 1 } } });
  await api.client.delete(Deployment, key);
  await api.settle();
  expect((await api.client.get(Deployment, key)).spec?.replicas).toBe(1);

  await api.client.applyStatus(Deployment, key, { replicas: 1, readyReplicas: 1 });
  await api.settle();
  expect(await api.client.get(Memcached, key)).toHaveCondition('Available', 'True');
});
