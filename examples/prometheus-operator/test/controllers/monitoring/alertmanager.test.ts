// Unit tests on an API server in memory; they need no cluster and no binaries.
import { createTestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { expect, it } from 'vitest';
import { Alertmanager } from '../../../src/api/monitoring/v1/alertmanager.ts';
import { alertmanagerController, observedStatus } from '../../../src/controllers/monitoring/alertmanager.ts';

expect.extend(kubernetesMatchers);

const alertmanager: Alertmanager = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'Alertmanager',
  metadata: { name: 'alertmanager-sample', namespace: 'default' },
  spec: {},
};

it('reports that the object is ready, and for which generation', async () => {
  await using api = await createTestApi({ kinds: [Alertmanager], objects: [alertmanager] });
  api.add(alertmanagerController);
  await api.settle();
  const observed = await api.client.get(Alertmanager, alertmanager.metadata);
  expect(observed).toHaveCondition('Ready', 'True', { reason: 'Reconciled' });
  expect(observed.status?.conditions).toMatchObject([{ observedGeneration: 1 }]);
});

it('keeps the time of the last transition as long as nothing changes', () => {
  const first = observedStatus(alertmanager);
  const second = observedStatus({ ...alertmanager, status: first });
  expect(second).toEqual(first);
});
