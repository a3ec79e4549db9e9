import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiRequest, type ApiEndpoint } from '../../../src/testing/http/api-request.ts';
import {
  defaultVersion,
  eventually,
  startControlPlane,
  type ControlPlane,
} from '../../../src/testing/index.ts';
import { uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';

let controlPlane: ControlPlane;

beforeAll(async () => {
  controlPlane = await startControlPlane({ controllerManager: true, audit: true });
});

afterAll(async () => {
  await controlPlane.stop();
});

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Record<string, string> }[];
  readonly users: readonly { readonly user: Record<string, string> }[];
  readonly contexts: readonly { readonly context: Record<string, string> }[];
}

/** Who a kubeconfig is: what a client would make of it. */
async function request(text: string, path: string): Promise<{ status: number; body: unknown }> {
  const { load } = await import('js-yaml');
  const { clusters, users } = load(text) as Kubeconfig;
  const decode = (data = ''): string => Buffer.from(data, 'base64').toString('utf8');
  const cluster = clusters[0]?.cluster ?? {};
  const user = users[0]?.user ?? {};
  const endpoint: ApiEndpoint = {
    url: cluster['server'] ?? '',
    caCertificate: decode(cluster['certificate-authority-data']),
    credentials: {
      certificate: decode(user['client-certificate-data']),
      key: decode(user['client-key-data']),
    },
  };
  if (user['token'] === undefined) {
    const response = await apiRequest(endpoint, { path });
    return { status: response.status, body: response.json() };
  }
  const { get } = await import('node:https');
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${user['token'] ?? ''}` };
    get(new URL(path, endpoint.url), { ca: endpoint.caCertificate, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
      });
    }).on('error', reject);
  });
}

async function create(path: string, body: unknown): Promise<void> {
  const response = await apiRequest(controlPlane, { method: 'POST', path, body });
  if (response.status !== 201) throw new Error(response.text);
}

test('it is what it says it is', async () => {
  const response = await apiRequest(controlPlane, { path: '/version' });
  expect(response.json()).toMatchObject({ gitVersion: `v${controlPlane.version}` });
  if ((process.env['KUBEBUILDER_ASSETS'] ?? '') === '') expect(controlPlane.version).toBe(defaultVersion);
});

describe('users', () => {
  test('the administrator may everything', async () => {
    expect(await readFile(controlPlane.kubeconfig, 'utf8')).toBe(controlPlane.kubeconfigText);
    const { status } = await request(controlPlane.kubeconfigText, '/api/v1/secrets');
    expect(status).toBe(200);
  });

  test('RBAC is on: a user without rights may nothing, a member of the right group may', async () => {
    const jane = await controlPlane.userKubeconfig('jane');
    expect(await request(jane.text, '/api/v1/secrets')).toMatchObject({
      status: 403,
      body: {
        reason: 'Forbidden',
        message: expect.stringContaining('User "jane" cannot list resource "secrets"'),
      },
    });
    const root = await controlPlane.userKubeconfig('root', ['system:masters']);
    expect((await request(root.text, '/api/v1/secrets')).status).toBe(200);
    expect(await readFile(jane.path, 'utf8')).toBe(jane.text);
  });

  test('a ServiceAccount gets a real token, and the rights of its roles', async () => {
    const namespace = await uniqueNamespace(controlPlane);
    await create(`/api/v1/namespaces/${namespace}/serviceaccounts`, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'operator' },
    });
    await create(`/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'operator' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 'operator', namespace }],
    });
    const { text } = await controlPlane.serviceAccountKubeconfig(namespace, 'operator');
    const path = `/api/v1/namespaces/${namespace}`;
    await eventually(async () => expect((await request(text, `${path}/configmaps`)).status).toBe(200));
    expect(await request(text, `${path}/secrets`)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(`system:serviceaccount:${namespace}:operator`) },
    });
  });

  test('a ServiceAccount that does not exist has no token', async () => {
    await expect(controlPlane.serviceAccountKubeconfig('default', 'nobody')).rejects.toMatchObject({
      code: 'testenv/request-refused',
      findings: [{ where: { object: 'ServiceAccount default/nobody' } }],
    });
  });
});

test('audit events tell who did what, as soon as the answer is there', async () => {
  const name = uniqueName();
  const { text } = await controlPlane.userKubeconfig('auditor');
  await request(text, `/api/v1/namespaces/default/configmaps/${name}`);
  const events = await controlPlane.readAuditEvents();
  expect(events.filter(({ objectRef }) => objectRef?.name === name)).toMatchObject([
    {
      verb: 'get',
      user: { username: 'auditor' },
      objectRef: { resource: 'configmaps', namespace: 'default' },
      responseStatus: { code: 403 },
    },
  ]);
});

describe('the controller manager', () => {
  const deploymentsOf = (namespace: string): string => `/apis/apps/v1/namespaces/${namespace}/deployments`;

  async function createDeployment(namespace: string, name: string): Promise<void> {
    const labels = { app: name };
    await create(deploymentsOf(namespace), {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name, image: 'example.com/web' }] } },
      },
    });
  }

  async function podsOf(namespace: string, name: string): Promise<number> {
    const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=app%3D${name}`;
    return ((await apiRequest(controlPlane, { path })).json() as { items: unknown[] }).items.length;
  }

  test('makes Pods of a Deployment, and collects them', async () => {
    const namespace = await uniqueNamespace(controlPlane);
    await createDeployment(namespace, 'web');
    await eventually(async () => expect(await podsOf(namespace, 'web')).toBe(2), { timeout: 60_000 });
    await apiRequest(controlPlane, {
      method: 'DELETE',
      path: `${deploymentsOf(namespace)}/web`,
      body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' },
    });
    await eventually(async () => expect(await podsOf(namespace, 'web')).toBe(0), { timeout: 60_000 });
  });

  test('goes on after the API server was killed', async () => {
    const namespace = await uniqueNamespace(controlPlane);
    await controlPlane.killApiServer('SIGKILL');
    await controlPlane.restartApiServer();
    await createDeployment(namespace, 'late');
    await eventually(async () => expect(await podsOf(namespace, 'late')).toBe(2), { timeout: 90_000 });
  });
});

describe('CRDs', () => {
  const crd = (plural: string, more = ''): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.testing.example.com
spec:
  group: testing.example.com
  scope: Namespaced
  names: { plural: ${plural}, singular: ${plural}x, kind: K${plural.replaceAll('-', '')}, listKind: L${plural.replaceAll('-', '')} }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object${more} } }
`;

  async function write(text: string): Promise<string> {
    const file = join(controlPlane.folder, `${uniqueName()}.yaml`);
    await writeFile(file, text);
    return file;
  }

  test('are served when installCrds resolves, also the second time', async () => {
    const plural = uniqueName('widgets');
    const file = await write(crd(plural));
    await controlPlane.installCrds([file]);
    const path = `/apis/testing.example.com/v1/${plural}`;
    expect((await apiRequest(controlPlane, { path })).status).toBe(200);
    await controlPlane.installCrds([file]);
    await rm(file);
  });

  test('that the API server refuses are all named', async () => {
    const unknownField = await write(crd(uniqueName('a'), ', propertys: {}'));
    const badType = await write(crd(uniqueName('b'), ', properties: { x: { type: int } }'));
    await expect(controlPlane.installCrds([unknownField, badType])).rejects.toMatchObject({
      findings: [
        {
          code: 'testenv/invalid-crd',
          where: { file: unknownField },
          message: expect.stringContaining('propertys'),
        },
        { code: 'testenv/invalid-crd', where: { file: badType } },
      ],
    });
  });

  test('whose names are taken are not waited for', async () => {
    const plural = uniqueName('taken');
    await controlPlane.installCrds([await write(crd(plural))]);
    const other = uniqueName('other');
    const sameKind = crd(other).replace(/kind: K\w+/, `kind: K${plural.replaceAll('-', '')}`);
    await expect(controlPlane.installCrds([await write(sameKind)])).rejects.toMatchObject({
      code: 'testenv/crd-not-established',
      findings: [{ message: expect.stringContaining('already in use') }],
    });
  });
});
