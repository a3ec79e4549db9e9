// Unit tests on an API server in memory; they need no cluster and no binaries.
import { createTestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { expect, it } from 'vitest';
import { HTTPProxy } from '../../../src/api/network/v1/http-proxy.ts';
import { httpProxyController, observedStatus } from '../../../src/controllers/network/http-proxy.ts';

expect.extend(kubernetesMatchers);

const httpProxy: HTTPProxy = {
  apiVersion: 'network.example.com/v1',
  kind: 'HTTPProxy',
  metadata: { name: 'httpproxy-sample' },
  spec: {},
};

it('reports that the object is ready, and for which generation', async () => {
  await using api = await createTestApi({ kinds: [HTTPProxy], objects: [httpProxy] });
  api.add(httpProxyController);
  await api.settle();
  const observed = await api.client.get(HTTPProxy, httpProxy.metadata);
  expect(observed).toHaveCondition('Ready', 'True', { reason: 'Reconciled' });
  expect(observed.status?.conditions).toMatchObject([{ observedGeneration: 1 }]);
});

it('keeps the time of the last transition as long as nothing changes', () => {
  const first = observedStatus(httpProxy);
  const second = observedStatus({ ...httpProxy, status: first });
  expect(second).toEqual(first);
});
