import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiRequest } from '../../../src/testing/http/api-request.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../src/testing/index.ts';
import { processesWith } from '../../helpers/processes.ts';

let controlPlane: ControlPlane;

beforeAll(async () => {
  const start = new AbortController();
  controlPlane = await startControlPlane({ signal: start.signal });
  // It is about the start only: all that follows must work.
  start.abort();
});

afterAll(async () => {
  await controlPlane.stop();
});

const readyz = () => apiRequest(controlPlane, { path: '/readyz', timeout: 1_000 });

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'after %s it restarts with its data and address',
  async (signal) => {
    const { url } = controlPlane;
    const name = `kept-over-${signal.toLowerCase()}`;
    const created = await apiRequest(controlPlane, {
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { key: 'value' } },
    });
    expect(created.status).toBe(201);
    const path = `/api/v1/namespaces/default/configmaps/${name}`;

    await controlPlane.killApiServer(signal);
    await expect(readyz()).rejects.toThrow('ECONNREFUSED');
    await expect(controlPlane.killApiServer(signal)).rejects.toMatchObject({ code: 'testenv/not-running' });
    await expect(controlPlane.serviceAccountKubeconfig('default', 'default')).rejects.toMatchObject({
      code: 'testenv/not-running',
    });

    await controlPlane.restartApiServer();
    expect(controlPlane.url).toBe(url);
    const response = await apiRequest(controlPlane, { path });
    expect(response.json()).toMatchObject({
      metadata: { uid: (created.json() as { metadata: { uid: string } }).metadata.uid },
      data: { key: 'value' },
    });
  },
);

test('it can be frozen and go on', async () => {
  await controlPlane.killApiServer('SIGSTOP');
  // The kernel stops one thread after the other: an answer that was under way may still come.
  await eventually(async () => {
    await expect(readyz()).rejects.toThrow();
  });
  await controlPlane.killApiServer('SIGCONT');
  expect((await readyz()).status).toBe(200);
});

test('without an audit log there are no events', async () => {
  expect(controlPlane.auditLog).toBeUndefined();
  await expect(controlPlane.readAuditEvents()).rejects.toMatchObject({ code: 'testenv/audit-off' });
});

test('feature gates and flags reach the API server', async () => {
  await using other = await startControlPlane({
    featureGates: { WatchList: false },
    apiServerFlags: ['--disable-admission-plugins=NamespaceLifecycle'],
  });
  const metrics = await apiRequest(other, { path: '/metrics' });
  expect(metrics.text).toMatch(/kubernetes_feature_enabled\{name="WatchList",stage="[A-Z]*"\} 0/);
  const created = await apiRequest(other, {
    method: 'POST',
    path: '/api/v1/namespaces/does-not-exist/configmaps',
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'homeless' } },
  });
  expect(created.status).toBe(201);
});

test('an unexpected end is reported', async () => {
  await using other = await startControlPlane();
  const etcd = (await processesWith(other.folder)).find(({ commandLine }) => commandLine.includes('/etcd '));
  process.kill(etcd?.pid ?? 0, 'SIGKILL');
  expect(await other.ended).toBe('etcd ended (SIGKILL)');
});

test('an expected end is not reported', async () => {
  const other = await startControlPlane();
  await other.killApiServer('SIGKILL');
  await other.stop();
  const pending = Symbol('pending');
  expect(await Promise.race([other.ended, Promise.resolve(pending)])).toBe(pending);
  await expect(other.userKubeconfig('jane')).rejects.toMatchObject({ code: 'testenv/not-running' });
});
