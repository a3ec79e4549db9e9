// Unit tests on an API server in memory; they need no cluster and no binaries.
import { createTestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { expect, it } from 'vitest';
import { ThanosRuler } from '../../../src/api/monitoring/v1/thanos-ruler.ts';
import { thanosRulerController, observedStatus } from '../../../src/controllers/monitoring/thanos-ruler.ts';

expect.extend(kubernetesMatchers);

const thanosRuler: ThanosRuler = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'ThanosRuler',
  metadata: { name: 'thanosruler-sample', namespace: 'default' },
  spec: {},
};

it('reports that the object is ready, and for which generation', async () => {
  await using api = await createTestApi({ kinds: [ThanosRuler], objects: [thanosRuler] });
  api.add(thanosRulerController);
  await api.settle();
  const observed = await api.client.get(ThanosRuler, thanosRuler.metadata);
  expect(observed).toHaveCondition('Ready', 'True', { reason: 'Reconciled' });
  expect(observed.status?.conditions).toMatchObject([{ observedGeneration: 1 }]);
});

it('keeps the time of the last transition as long as nothing changes', () => {
  const first = observedStatus(thanosRuler);
  const second = observedStatus({ ...thanosRuler, status: first });
  expect(second).toEqual(first);
});
