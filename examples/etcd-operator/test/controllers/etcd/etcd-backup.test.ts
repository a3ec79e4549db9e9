// Unit tests on an API server in memory; they need no cluster and no binaries.
import { join } from 'node:path';
import { createTestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { expect, it } from 'vitest';
import { EtcdBackup } from '../../../src/api/etcd/v1beta2/etcd-backup.ts';
import { etcdBackupController, observedStatus } from '../../../src/controllers/etcd/etcd-backup.ts';

expect.extend(kubernetesMatchers);

const crds = [join(import.meta.dirname, '../../../config/crd/bases')];

const etcdBackup: EtcdBackup = {
  apiVersion: 'etcd.database.coreos.com/v1beta2',
  kind: 'EtcdBackup',
  metadata: { name: 'etcdbackup-sample', namespace: 'default' },
  spec: {},
};

it('reports that the object is ready, and for which generation', async () => {
  await using api = await createTestApi({ kinds: [EtcdBackup], crds, objects: [etcdBackup] });
  api.add(etcdBackupController);
  await api.settle();
  const observed = await api.client.get(EtcdBackup, etcdBackup.metadata);
  expect(observed).toHaveCondition('Ready', 'True', { reason: 'Reconciled' });
  expect(observed.status?.conditions).toMatchObject([{ observedGeneration: 1 }]);
});

it('keeps the time of the last transition as long as nothing changes', () => {
  const first = observedStatus(etcdBackup);
  const second = observedStatus({ ...etcdBackup, status: first });
  expect(second).toEqual(first);
});
