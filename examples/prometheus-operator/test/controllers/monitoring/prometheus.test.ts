// Unit tests on an API server in memory; they need no cluster and no binaries.
import { createTestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { expect, it } from 'vitest';
import { Prometheus } from '../../../src/api/monitoring/v1/prometheus.ts';
import { prometheusController, observedStatus } from '../../../src/controllers/monitoring/prometheus.ts';

expect.extend(kubernetesMatchers);

const prometheus: Prometheus = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'Prometheus',
  metadata: { name: 'prometheus-sample', namespace: 'default' },
  spec: {},
};

it('reports that the object is ready, and for which generation', async () => {
  await using api = await createTestApi({ kinds: [Prometheus], objects: [prometheus] });
  api.add(prometheusController);
  await api.settle();
  const observed = await api.client.get(Prometheus, prometheus.metadata);
  expect(observed).toHaveCondition('Ready', 'True', { reason: 'Reconciled' });
  expect(observed.status?.conditions).toMatchObject([{ observedGeneration: 1 }]);
});

it('keeps the time of the last transition as long as nothing changes', () => {
  const first = observedStatus(prometheus);
  const second = observedStatus({ ...prometheus, status: first });
  expect(second).toEqual(first);
});
