// Unit tests on an API server in memory; they need no cluster and no binaries.
import { createTestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { expect, it } from 'vitest';
import { Backup } from '../../../src/api/backup/v1/backup.ts';
import { backupController, observedStatus } from '../../../src/controllers/backup/backup.ts';

expect.extend(kubernetesMatchers);

const backup: Backup = {
  apiVersion: 'backup.example.com/v1',
  kind: 'Backup',
  metadata: { name: 'backup-sample', namespace: 'default' },
  spec: {},
};

it('reports that the object is ready, and for which generation', async () => {
  await using api = await createTestApi({ kinds: [Backup], objects: [backup] });
  api.add(backupController);
  await api.settle();
  const observed = await api.client.get(Backup, backup.metadata);
  expect(observed).toHaveCondition('Ready', 'True', { reason: 'Reconciled' });
  expect(observed.status?.conditions).toMatchObject([{ observedGeneration: 1 }]);
});

it('keeps the time of the last transition as long as nothing changes', () => {
  const first = observedStatus(backup);
  const second = observedStatus({ ...backup, status: first });
  expect(second).toEqual(first);
});
