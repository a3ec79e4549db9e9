import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalResource, type KubeObject } from '../../../../src/sdk/api/index.ts';
import {
  type ApiError,
  type KubeClient,
  createClient,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  isTypeNotServed,
  loadCluster,
} from '../../../../src/sdk/kube/index.ts';
import { startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';

interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}
interface Deployment extends KubeObject {
  spec: { replicas?: number; selector: object; template: object };
  status?: { replicas?: number };
}
const ConfigMap = externalResource<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});
const Namespace = externalResource({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
});
const Deployment = externalResource<Deployment>({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
});
const Missing = externalResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Missing',
  plural: 'missings',
  scope: 'Namespaced',
});

const namespace = 'default';
const web = (replicas: number): object => ({
  metadata: { name: 'web', namespace },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    },
  },
});

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(async () => {
  await plane.stop();
});

describe.each(['auto', 'http2', 'http1'] as const)('the client over %s', (protocol) => {
  let client: KubeClient;
  const warnings: string[] = [];
  beforeAll(async () => {
    const cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
    client = createClient({
      cluster,
      fieldManager: `test/${protocol}`,
      protocol,
      onWarning: (text) => warnings.push(text),
    });
  });
  afterAll(() => client.close());

  test('creates, reads, updates and deletes', async () => {
    const key = { name: `crud-${protocol}`, namespace };
    const created = await client.create(ConfigMap, { metadata: { ...key }, data: { a: '1' } });
    expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } });
    await client.update(ConfigMap, { ...created, data: { a: '2' } });
    expect((await client.get(ConfigMap, key)).data).toEqual({ a: '2' });
    const stale = client.update(ConfigMap, { ...created, data: { a: '3' } });
    await expect(stale).rejects.toSatisfy(isConflict);
    const again = client.create(ConfigMap, { metadata: { ...key } });
    await expect(again).rejects.toSatisfy(isAlreadyExists);
    const wrongUid = client.delete(ConfigMap, key, { preconditions: { uid: 'other' } });
    await expect(wrongUid).rejects.toSatisfy(isConflict);
    await client.delete(ConfigMap, key);
    expect(await client.find(ConfigMap, key)).toBeUndefined();
    await expect(client.get(ConfigMap, key)).rejects.toSatisfy(isNotFound);
    await expect(client.delete(ConfigMap, key)).rejects.toThrow(
      `delete configmaps ${namespace}/crud-${protocol}: configmaps "crud-${protocol}" not found`,
    );
  });

  test('creates with a generated name, and only so without a name', async () => {
    const created = await client.create(ConfigMap, { metadata: { generateName: 'some-', namespace } });
    expect(created.metadata.name).toMatch(/^some-.+/);
    const nameless = client.create(ConfigMap, {
      metadata: { namespace } as { namespace: string; name: string },
    });
    await expect(nameless).rejects.toMatchObject({ code: 'kube/invalid-request' });
  });

  test('writes cluster-scoped objects and lists them', async () => {
    await client.create(Namespace, { metadata: { name: `made-${protocol}` } });
    const list = await client.list(Namespace);
    const item = list.items.find((each) => each.metadata.name === `made-${protocol}`);
    expect(item).toMatchObject({ apiVersion: 'v1', kind: 'Namespace' });
  });

  test('applies with its field manager and takes fields over', async () => {
    const applied = await client.apply(Deployment, web(1) as never);
    expect(applied.metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: `test/${protocol}`, operation: 'Apply' }),
    );
    const other = await client.apply(Deployment, web(3) as never, { fieldManager: 'other' });
    expect(other.spec.replicas).toBe(3);
    await expect(client.apply(Deployment, web(4) as never, { force: false })).rejects.toSatisfy(isConflict);
    const status = await client.applyStatus(Deployment, { name: 'web', namespace }, { replicas: 3 });
    expect(status.status).toEqual({ replicas: 3 });
    await expect(client.apply(Deployment, { ...status })).rejects.toMatchObject({
      code: 'kube/apply-read-only-fields',
      findings: [{}, {}, {}, {}],
    });
    await client.delete(Deployment, { name: 'web', namespace });
  });

  test('patches in three ways', async () => {
    const key = { name: `patched-${protocol}`, namespace };
    await client.create(ConfigMap, { metadata: { ...key }, data: { a: '1' } });
    await client.patch(ConfigMap, key, { type: 'merge', body: { data: { b: '2' } } });
    await client.patch(ConfigMap, key, { type: 'strategic', body: { data: { c: '3' } } });
    const patched = await client.patch(ConfigMap, key, {
      type: 'json',
      body: [{ op: 'remove', path: '/data/a' }],
    });
    expect(patched.data).toEqual({ b: '2', c: '3' });
    const failing = client.patch(ConfigMap, key, {
      type: 'json',
      body: [{ op: 'test', path: '/data/b', value: 'x' }],
    });
    await expect(failing).rejects.toSatisfy(isInvalid);
  });

  test('refuses unknown fields on the server unless an option allows them', async () => {
    const object = { metadata: { name: `strict-${protocol}`, namespace }, dataa: { a: '1' } } as never;
    await expect(client.create(ConfigMap, object)).rejects.toThrow(/unknown field "dataa"/);
    await client.create(ConfigMap, object, { fieldValidation: 'Warn', dryRun: true });
    expect(warnings).toContain('unknown field "dataa"');
    expect(await client.find(ConfigMap, { name: `strict-${protocol}`, namespace })).toBeUndefined();
  });

  test('lists across pages, compressed', async () => {
    const names = Array.from({ length: 620 }, (_, index) => `many-${protocol}-${index}`);
    const labels = { many: protocol };
    const data = { text: 'x'.repeat(200) };
    // Not all at once: over HTTP/1.1 that is a connection each, more than a busy server takes on.
    for (let start = 0; start < names.length; start += 100)
      await Promise.all(
        names
          .slice(start, start + 100)
          .map((name) => client.create(ConfigMap, { metadata: { name, namespace, labels }, data })),
      );
    const list = await client.list(ConfigMap, { namespace, labelSelector: `many=${protocol}` });
    expect(list.items.map((item) => item.metadata.name).sort()).toEqual([...names].sort());
    const one = await client.list(ConfigMap, { fieldSelector: `metadata.name=many-${protocol}-7` });
    expect(one.items).toHaveLength(1);
  });

  test('tells a type that is not served from an object that is not there', async () => {
    const reading = client.find(Missing, { name: 'x', namespace });
    await expect(reading).rejects.toSatisfy(isTypeNotServed);
    await expect(reading).rejects.not.toSatisfy(isNotFound);
  });

  test('names the rule that RBAC wants', async () => {
    const { path } = await plane.userKubeconfig('nobody');
    const nobody = createClient({
      cluster: await loadCluster({ kubeconfig: path }),
      fieldManager: 'nobody',
      protocol,
    });
    const error: unknown = await nobody.apply(Deployment, web(1) as never).catch((thrown: unknown) => thrown);
    await nobody.close();
    expect(error).toSatisfy(isForbidden);
    expect((error as ApiError).message).toMatch(
      /^apply deployments\.apps default\/web: .*User "nobody" cannot/,
    );
    expect((error as ApiError).findings[0].fix).toEqual([
      "give the identity the rule { apiGroups: ['apps'], resources: ['deployments'], verbs: ['patch'] }",
    ]);
  });

  test('reads with raw requests what has no type', async () => {
    const version = await client.raw.request({ path: '/version' });
    expect(version.json<{ gitVersion: string }>().gitVersion).toBe(`v${plane.version}`);
    await expect(client.raw.request({ path: '/nowhere' })).rejects.toThrow('GET /nowhere');
  });

  test('authenticates with the token of a ServiceAccount', async () => {
    const { path } = await plane.serviceAccountKubeconfig('default', 'default').catch(async () => {
      const ServiceAccount = externalResource({
        group: '',
        version: 'v1',
        kind: 'ServiceAccount',
        plural: 'serviceaccounts',
        scope: 'Namespaced',
      });
      await client.apply(ServiceAccount, { metadata: { name: 'default', namespace } });
      return plane.serviceAccountKubeconfig('default', 'default');
    });
    const pod = createClient({
      cluster: await loadCluster({ kubeconfig: path }),
      fieldManager: 'pod',
      protocol,
    });
    const review = await pod.raw.request({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    });
    await pod.close();
    expect(review.json()).toMatchObject({
      status: { userInfo: { username: 'system:serviceaccount:default:default' } },
    });
  });

  test('goes on after the API server was killed and started again', async () => {
    await plane.killApiServer('SIGKILL');
    await expect(client.list(Namespace)).rejects.toMatchObject({ code: 'kube/unreachable' });
    await plane.restartApiServer();
    expect((await client.list(Namespace)).items).not.toHaveLength(0);
  });
});

test('a wrong CA is a TLS error that says what to check', async () => {
  const file = join(plane.folder, 'wrong-ca');
  const text = plane.kubeconfigText.replace(
    /certificate-authority-data: .*/,
    'certificate-authority-data: ' + Buffer.from(plane.credentials.certificate).toString('base64'),
  );
  await writeFile(file, text);
  const client = createClient({ cluster: await loadCluster({ kubeconfig: file }), fieldManager: 'test' });
  await expect(client.list(Namespace)).rejects.toMatchObject({ code: 'kube/tls' });
  await client.close();
});
