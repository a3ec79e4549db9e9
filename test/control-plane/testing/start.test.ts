import { expect, test } from 'vitest';
import { startControlPlane } from '../../../src/testing/index.ts';
import { apiRequest } from '../../../src/testing/http/api-request.ts';

const endpointOf = (controlPlane: Awaited<ReturnType<typeof startControlPlane>>) => controlPlane;

test('two at once are two clusters', async () => {
  await using first = await startControlPlane();
  await using second = await startControlPlane();
  expect(first.url).not.toBe(second.url);
  const created = await apiRequest(endpointOf(first), {
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'only-in-the-first' } },
  });
  expect(created.status).toBe(201);
  const path = '/api/v1/namespaces/only-in-the-first';
  expect((await apiRequest(first, { path })).status).toBe(200);
  expect((await apiRequest(second, { path })).status).toBe(404);
});
