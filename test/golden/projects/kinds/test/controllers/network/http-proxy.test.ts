import { expect, it } from 'vitest';
import type { HTTPProxy } from '../../../src/api/network/v1/http-proxy.ts';
import { observedStatus } from '../../../src/controllers/network/http-proxy.ts';

const httpProxy: HTTPProxy = {
  apiVersion: 'network.example.com/v1',
  kind: 'HTTPProxy',
  metadata: { name: 'httpproxy-sample', generation: 2 },
  spec: {},
};

it('reports that the object is ready, and for which generation', () => {
  expect(observedStatus(httpProxy).conditions).toMatchObject([
    { type: 'Ready', status: 'True', observedGeneration: 2 },
  ]);
});

it('keeps the time of the last transition as long as nothing changes', () => {
  const first = observedStatus(httpProxy);
  const second = observedStatus({ ...httpProxy, status: first });
  expect(second).toEqual(first);
});
