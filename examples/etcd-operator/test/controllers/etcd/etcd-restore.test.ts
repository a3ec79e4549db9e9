// Unit tests on an API server in memory; they need no cluster and no binaries.
import { join } from 'node:path';
import { createTestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { expect, it } from 'vitest';
import { EtcdRestore } from '../../../src/api/etcd/v1beta2/etcd-restore.ts';
import { etcdRestoreController, observedStatus } from '../../../src/controllers/etcd/etcd-restore.ts';

expect.extend(kubernetesMatchers);

const crds = [join(import.meta.dirname, '../../../config/crd/bases')];

const etcdRestore: EtcdRestore = {
  apiVersion: 'etcd.database.coreos.com/v1beta2',
  kind: 'EtcdRestore',
  metadata: { name: 'etcdrestore-sample', namespace: 'default' },
  spec: {},
};

it('reports that the object is ready, and for which generation', async () => {
  await using api = await createTestApi({ kinds: [EtcdRestore], crds, objects: [etcdRestore] });
  api.add(etcdRestoreController);
  await api.settle();
  const observed = await api.client.get(EtcdRestore, etcdRestore.metadata);
  expect(observed).toHaveCondition('Ready', 'True', { reason: 'Reconciled' });
  expect(observed.status?.conditions).toMatchObject([{ observedGeneration: 1 }]);
});

it('keeps the time of the last transition as long as nothing changes', () => {
  const first = observedStatus(etcdRestore);
  const second = observedStatus({ ...etcdRestore, status: first });
  expect(second).toEqual(first);
});
