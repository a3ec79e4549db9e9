import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalResource, type KubeObject } from '../../../../src/sdk/api/index.ts';
import {
  ApiError,
  createClient,
  isForbidden,
  loadCluster,
  type KubeClient,
} from '../../../../src/sdk/kube/index.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';
import { createCertificateAuthority } from '../../../../src/sdk/x509/certificate-authority.ts';

/** Any kind, with any fields. */
type Loose = KubeObject & Record<string, unknown>;

function kind(
  apiVersion: string,
  name: string,
  plural: string,
  scope: 'Namespaced' | 'Cluster' = 'Namespaced',
) {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return externalResource<Loose>({ group, version, kind: name, plural, scope });
}
const Namespace = kind('v1', 'Namespace', 'namespaces', 'Cluster');
const ConfigMap = kind('v1', 'ConfigMap', 'configmaps');
const Secret = kind('v1', 'Secret', 'secrets');
const Pod = kind('v1', 'Pod', 'pods');
const ServiceAccount = kind('v1', 'ServiceAccount', 'serviceaccounts');
const ResourceQuota = kind('v1', 'ResourceQuota', 'resourcequotas');
const LimitRange = kind('v1', 'LimitRange', 'limitranges');
const Role = kind('rbac.authorization.k8s.io/v1', 'Role', 'roles');
const RoleBinding = kind('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings');
const Policy = kind(
  'admissionregistration.k8s.io/v1',
  'ValidatingAdmissionPolicy',
  'validatingadmissionpolicies',
  'Cluster',
);
const PolicyBinding = kind(
  'admissionregistration.k8s.io/v1',
  'ValidatingAdmissionPolicyBinding',
  'validatingadmissionpolicybindings',
  'Cluster',
);
const WebhookConfiguration = kind(
  'admissionregistration.k8s.io/v1',
  'ValidatingWebhookConfiguration',
  'validatingwebhookconfigurations',
  'Cluster',
);

const dryRun = { dryRun: true };
const pod = (namespace: string, container: object = {}): { metadata: { name: string } } =>
  ({
    metadata: { name: 'web', namespace },
    spec: { containers: [{ name: 'web', image: 'nginx', ...container }] },
  }) as { metadata: { name: string } };

let plane: ControlPlane;
let client: KubeClient;
let nobody: KubeClient;
beforeAll(async () => {
  plane = await startControlPlane({
    controllerManager: true,
    apiServerFlags: ['--enable-admission-plugins=OwnerReferencesPermissionEnforcement'],
  });
  client = await connect(plane.kubeconfig);
  nobody = await connect((await plane.userKubeconfig('nobody')).path);
});
afterAll(async () => {
  await client.close();
  await nobody.close();
  await plane.stop();
});

async function connect(kubeconfig: string): Promise<KubeClient> {
  return createClient({
    cluster: await loadCluster({ kubeconfig }),
    fieldManager: 'test',
    onWarning: () => undefined,
  });
}

async function makeNamespace(name: string, labels: Record<string, string> = {}): Promise<void> {
  await client.create(Namespace, { metadata: { name, labels } });
  await eventually(() => client.get(ServiceAccount, { name: 'default', namespace: name }), {
    timeout: 60_000,
  });
}

async function refusal(request: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected a refusal, got ${String(error)}`);
  return error;
}

/** Policies, webhooks and quotas are in force a moment after they were created. */
function untilRefused(request: () => Promise<unknown>): Promise<ApiError> {
  return eventually(() => refusal(request()), { timeout: 60_000 });
}

describe('a refusal by', () => {
  test('RBAC names the rule that is missing', async () => {
    const error = await refusal(nobody.create(ConfigMap, { metadata: { name: 'x', namespace: 'default' } }));
    expect(error).toSatisfy(isForbidden);
    expect(error.findings[0].fix).toEqual([
      "give the identity the rule { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }",
    ]);
  });

  test('RBAC names the rule for a subresource, and for a path', async () => {
    const patch = nobody.patch(
      Pod,
      { name: 'x', namespace: 'default' },
      { type: 'merge', body: {} },
      { subresource: 'status' },
    );
    expect((await refusal(patch)).findings[0].fix).toEqual([
      "give the identity the rule { apiGroups: [''], resources: ['pods/status'], verbs: ['patch'] }",
    ]);
    expect((await refusal(nobody.raw.request({ path: '/metrics' }))).findings[0].fix).toEqual([
      "give the identity the rule { nonResourceURLs: ['/metrics'], verbs: ['get'] }",
    ]);
  });

  test('RBAC of a role with more permissions than its author has names these permissions', async () => {
    const namespace = 'escalation';
    const name = 'author';
    await makeNamespace(namespace);
    const author = { metadata: { name, namespace } };
    const rules = [
      { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: ['create'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] },
    ];
    await client.create(Role, { ...author, rules });
    await client.create(RoleBinding, {
      ...author,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'nobody' }],
    });
    await eventually(() => nobody.create(ConfigMap, { metadata: { name: 'x', namespace } }, dryRun));
    const more = { metadata: { name: 'more', namespace } };
    const role = { ...more, rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }] };
    const fix = [
      'give the identity every permission that the role grants, or the verb escalate (roles) or bind (bindings) on it',
    ];
    expect((await refusal(nobody.create(Role, role))).findings[0].fix).toEqual(fix);
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
    expect((await refusal(nobody.create(RoleBinding, { ...more, roleRef }))).findings[0].fix).toEqual(fix);

    const ownerReferences = [
      { apiVersion: 'v1', kind: 'Secret', name: 'x', uid: 'x', controller: true, blockOwnerDeletion: true },
    ];
    const owned = nobody.create(ConfigMap, { metadata: { name: 'x', namespace, ownerReferences } });
    expect((await refusal(owned)).findings[0].fix).toEqual([
      "give the identity the verb update on the owner's subresource finalizers, such as resources: ['<plural>/finalizers']",
    ]);
  });

  test('a quota names the quota', async () => {
    const namespace = 'quota';
    await makeNamespace(namespace);
    const hard = { 'count/configmaps': '0', 'requests.cpu': '1' };
    await client.create(ResourceQuota, { metadata: { name: 'few', namespace }, spec: { hard } });
    await eventually(async () =>
      expect((await client.get(ResourceQuota, { name: 'few', namespace }))['status']).toMatchObject({ hard }),
    );
    const exceeded = await untilRefused(() =>
      client.create(ConfigMap, { metadata: { generateName: 'x-', namespace } }, dryRun),
    );
    expect(exceeded.findings[0].fix).toEqual([
      'raise the ResourceQuota few, or delete objects that count against it',
    ]);
    expect((await refusal(client.create(Pod, pod(namespace)))).findings[0].fix).toEqual([
      'set the resources of each container that the ResourceQuota few counts, or create a LimitRange with defaults',
    ]);
  });

  test('a namespace that is being deleted says to wait', async () => {
    const namespace = 'ending';
    await makeNamespace(namespace);
    const held = { metadata: { name: 'held', namespace, finalizers: ['example.com/held'] } };
    await client.create(ConfigMap, held);
    await client.delete(Namespace, { name: namespace });
    const late = { metadata: { name: 'late', namespace } };
    for (const write of [client.create(ConfigMap, late), client.apply(ConfigMap, late)]) {
      const error = await refusal(write);
      expect(error).toSatisfy(isForbidden);
      expect(error.details?.causes).toMatchObject([{ reason: 'NamespaceTerminating' }]);
      expect(error.findings[0].fix).toEqual([
        'wait until the namespace ending is deleted and create it again, or use another namespace',
      ]);
    }
    await client.patch(
      ConfigMap,
      { name: 'held', namespace },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
  });

  test('Pod Security names the label of the namespace', async () => {
    const namespace = 'restricted';
    await makeNamespace(namespace, { 'pod-security.kubernetes.io/enforce': 'restricted' });
    const error = await refusal(client.create(Pod, pod(namespace)));
    expect(error).toSatisfy(isForbidden);
    expect(error.findings[0].fix).toEqual([
      'set the securityContext as the message says, or give the namespace the label pod-security.kubernetes.io/enforce with a level below restricted',
    ]);
  });

  test.each([
    ['Forbidden', 403],
    [undefined, 422],
    ['RequestEntityTooLarge', 413],
  ])('a ValidatingAdmissionPolicy with the reason %s names the policy', async (reason, status) => {
    const name = `policy-${status}`;
    const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
    await client.create(Policy, {
      metadata: { name },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        validations: [
          { expression: `object.metadata.name != '${name}'`, message: 'no', ...(reason && { reason }) },
        ],
      },
    });
    const spec = { policyName: name, validationActions: ['Deny'] };
    await client.create(PolicyBinding, { metadata: { name }, spec });
    const error = await untilRefused(() =>
      client.create(ConfigMap, { metadata: { name, namespace: 'default' } }, dryRun),
    );
    expect(error.status).toBe(status);
    expect(error.findings[0].fix).toEqual([
      `change the object so that the ValidatingAdmissionPolicy ${name} accepts it, or change the policy`,
    ]);
  });

  test('an admission webhook names the webhook, whatever it quotes', async () => {
    const said = {
      code: 403,
      reason: 'Forbidden',
      message: 'x is forbidden: User "a" cannot get resource "b" in API group ""',
    };
    const webhook = await serveWebhook(said);
    const clientConfig = { url: webhook.url, caBundle: Buffer.from(webhook.ca).toString('base64') };
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }];
    const one = {
      name: 'no.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig,
      rules,
    };
    await client.create(WebhookConfiguration, { metadata: { name: 'no' }, webhooks: [one] });
    const error = await untilRefused(() =>
      client.create(Secret, { metadata: { name: 'x', namespace: 'default' } }, dryRun),
    );
    expect(error).toSatisfy(isForbidden);
    expect(error.findings[0].fix).toEqual([
      'change the object so that the admission webhook no.example.com accepts it, or change the webhook',
    ]);
    webhook.server.closeAllConnections();
    webhook.server.close();
  });

  test('another check advises no RBAC rule', async () => {
    const expected = [
      'read the message: a check of the API server refused the request, more RBAC rules do not help',
    ];
    const system = await refusal(client.delete(Namespace, { name: 'default' }));
    expect(system).toSatisfy(isForbidden);
    expect(system.findings[0].fix).toEqual(expected);

    const namespace = 'limits';
    await makeNamespace(namespace);
    const limits = [{ type: 'Container', max: { cpu: '1' } }];
    await client.create(LimitRange, { metadata: { name: 'small', namespace }, spec: { limits } });
    const resources = { requests: { cpu: '2' }, limits: { cpu: '2' } };
    const large = await untilRefused(() => client.create(Pod, pod(namespace, { resources }), dryRun));
    expect(large.findings[0].fix).toEqual(expected);
  });
});

/** An admission webhook that denies everything. */
async function serveWebhook(said: object): Promise<{ server: Server; url: string; ca: string }> {
  const authority = createCertificateAuthority('webhook');
  const pair = authority.issue({ commonName: 'webhook', usage: 'server', ipAddresses: ['127.0.0.1'] });
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    request.on('end', () => {
      const { uid } = (JSON.parse(text) as { request: { uid: string } }).request;
      const answer = { uid, allowed: false, status: said };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, url: `https://127.0.0.1:${port}/`, ca: authority.certificate };
}
