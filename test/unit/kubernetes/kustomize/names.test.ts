// namePrefix, nameSuffix, and the references that follow. Everything here was compared with kustomize 5.
import { describe, expect, test } from 'vitest';
import { documents, findingsOf, idsOf, manifest, refusals, render } from './render.ts';

const rbac = 'rbac.authorization.k8s.io';

const pod = {
  serviceAccountName: 'web',
  imagePullSecrets: [{ name: 'pull' }],
  volumes: [
    { configMap: { name: 'web' } },
    { secret: { secretName: 'pull' } },
    { persistentVolumeClaim: { claimName: 'web' } },
    { projected: { sources: [{ configMap: { name: 'web' } }, { secret: { name: 'pull' } }] } },
  ],
  containers: [
    {
      env: [
        { valueFrom: { configMapKeyRef: { name: 'web' } } },
        { valueFrom: { secretKeyRef: { name: 'elsewhere' } } },
      ],
      envFrom: [{ configMapRef: { name: 'web' } }, { secretRef: { name: 'pull' } }],
    },
  ],
};

describe('names', () => {
  test('get prefix and suffix, but for CRDs, Namespaces and APIServices', async () => {
    const objects = await render({
      'kustomization.yaml': 'namePrefix: p-\nnameSuffix: -s\nresources: [r.yaml]\n',
      'r.yaml': documents(
        manifest('v1', 'ConfigMap', 'a'),
        manifest('v1', 'Namespace', 'n'),
        manifest('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'xs.x.io'),
        manifest('apiregistration.k8s.io/v1', 'APIService', 'v1.x.io'),
      ),
    });
    expect(idsOf(objects)).toEqual([
      'Namespace n',
      'CustomResourceDefinition xs.x.io',
      'ConfigMap p-a-s',
      'APIService v1.x.io',
    ]);
  });

  test('of outer folders stand around those of inner ones', async () => {
    const objects = await render(
      {
        'outer/kustomization.yaml': 'namePrefix: o-\nresources: [../inner]\n',
        'inner/kustomization.yaml': 'namePrefix: i-\nnameSuffix: -i\nresources: [r.yaml]\n',
        'inner/r.yaml': manifest('v1', 'ConfigMap', 'a'),
      },
      'outer',
    );
    expect(idsOf(objects)).toEqual(['ConfigMap o-i-a-i']);
  });

  test.each([
    ['v1', 'Pod', (spec: object) => ({ spec })],
    ['apps/v1', 'Deployment', (spec: object) => ({ spec: { template: { spec } } })],
    ['apps/v1', 'StatefulSet', (spec: object) => ({ spec: { template: { spec } } })],
    ['apps/v1', 'DaemonSet', (spec: object) => ({ spec: { template: { spec } } })],
    ['batch/v1', 'Job', (spec: object) => ({ spec: { template: { spec } } })],
    ['batch/v1', 'CronJob', (spec: object) => ({ spec: { jobTemplate: { spec: { template: { spec } } } } })],
  ])('are followed in the pods of %s %s', async (apiVersion, kind, wrap) => {
    const objects = await render({
      'kustomization.yaml': 'namePrefix: p-\nresources: [r.yaml]\n',
      'r.yaml': documents(
        manifest('v1', 'ServiceAccount', 'web', { imagePullSecrets: [{ name: 'pull' }] }),
        manifest('v1', 'ConfigMap', 'web'),
        manifest('v1', 'Secret', 'pull'),
        manifest('v1', 'PersistentVolumeClaim', 'web'),
        manifest(apiVersion, kind, 'web', wrap(pod)),
      ),
    });
    const expected = JSON.parse(
      JSON.stringify(wrap(pod)).replaceAll('"web"', '"p-web"').replaceAll('"pull"', '"p-pull"'),
    ) as object;
    expect(objects.find((object) => object['kind'] === kind)).toMatchObject(expected);
    expect(objects[0]).toMatchObject({ imagePullSecrets: [{ name: 'p-pull' }] });
  });

  test('are followed where other kinds refer to each other', async () => {
    const scaleTargetRef = { kind: 'Deployment', name: 'web' };
    const backend = { service: { name: 'web' } };
    const objects = await render({
      'kustomization.yaml': 'namePrefix: p-\nresources: [r.yaml]\n',
      'r.yaml': documents(
        manifest('apps/v1', 'Deployment', 'web'),
        manifest('v1', 'Service', 'web'),
        manifest('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', { spec: { scaleTargetRef } }),
        manifest('networking.k8s.io/v1', 'Ingress', 'web', {
          metadata: { annotations: { 'nginx.ingress.kubernetes.io/auth-secret': 'tls' } },
          spec: { tls: [{ secretName: 'tls' }], rules: [{ http: { paths: [{ backend }, { backend }] } }] },
        }),
        manifest('v1', 'Secret', 'tls'),
        manifest('apps/v1', 'StatefulSet', 'db', { spec: { serviceName: 'web' } }),
        manifest(`${rbac}/v1`, 'Role', 'web', {
          rules: [{ resources: ['secrets'], resourceNames: ['tls', 'x'] }],
        }),
      ),
    });
    const ofKind = (kind: string): unknown => objects.find((object) => object['kind'] === kind);
    expect(ofKind('HorizontalPodAutoscaler')).toMatchObject({ spec: { scaleTargetRef: { name: 'p-web' } } });
    const prefixed = { backend: { service: { name: 'p-web' } } };
    expect(ofKind('Ingress')).toMatchObject({
      metadata: { annotations: { 'nginx.ingress.kubernetes.io/auth-secret': 'p-tls' } },
      spec: { tls: [{ secretName: 'p-tls' }], rules: [{ http: { paths: [prefixed, prefixed] } }] },
    });
    expect(ofKind('StatefulSet')).toMatchObject({ spec: { serviceName: 'p-web' } });
    expect(ofKind('Role')).toMatchObject({ rules: [{ resourceNames: ['p-tls', 'x'] }] });
  });

  test('of roles are followed by the kind of the roleRef', async () => {
    const roleRef = (kind: string) => ({ roleRef: { apiGroup: rbac, kind, name: 'web' } });
    const objects = await render({
      'kustomization.yaml': 'resources: [roles, clusterroles, r.yaml]\n',
      'roles/kustomization.yaml': 'namePrefix: r-\nresources: [r.yaml]\n',
      'roles/r.yaml': manifest(`${rbac}/v1`, 'Role', 'web'),
      'clusterroles/kustomization.yaml': 'namePrefix: c-\nresources: [r.yaml]\n',
      'clusterroles/r.yaml': manifest(`${rbac}/v1`, 'ClusterRole', 'web'),
      'r.yaml': documents(
        manifest(`${rbac}/v1`, 'RoleBinding', 'a', roleRef('Role')),
        manifest(`${rbac}/v1`, 'RoleBinding', 'b', roleRef('ClusterRole')),
        manifest(`${rbac}/v1`, 'ClusterRoleBinding', 'c', roleRef('ClusterRole')),
      ),
    });
    expect(objects.slice(2).map((object) => (object['roleRef'] as { name: string }).name)).toEqual([
      'r-web',
      'c-web',
      'c-web',
    ]);
  });

  test('of one folder used twice are followed within each use', async () => {
    const objects = await render({
      'kustomization.yaml': 'resources: [one, two]\n',
      'one/kustomization.yaml': 'namePrefix: one-\nresources: [../base]\n',
      'two/kustomization.yaml': 'namePrefix: two-\nresources: [../base]\n',
      'base/kustomization.yaml': 'resources: [r.yaml]\n',
      'base/r.yaml': documents(
        manifest('v1', 'ConfigMap', 'web'),
        manifest('v1', 'Pod', 'web', { spec: { volumes: [{ configMap: { name: 'web' } }] } }),
      ),
    });
    const volumes = objects.slice(2).map((object) => object['spec']);
    expect(volumes).toEqual([
      { volumes: [{ configMap: { name: 'one-web' } }] },
      { volumes: [{ configMap: { name: 'two-web' } }] },
    ]);
  });

  test('of other namespaces are not followed', async () => {
    const objects = await render({
      'kustomization.yaml': 'namePrefix: p-\nresources: [r.yaml]\n',
      'r.yaml': documents(
        manifest('v1', 'ConfigMap', 'web', { metadata: { namespace: 'there' } }),
        manifest('v1', 'Pod', 'web', { spec: { volumes: [{ configMap: { name: 'web' } }] } }),
      ),
    });
    expect(objects[1]).toMatchObject({ spec: { volumes: [{ configMap: { name: 'web' } }] } });
  });

  test('that may mean several resources are refused', async () => {
    const files = {
      'kustomization.yaml': 'namePrefix: p-\nresources: [one, two, r.yaml]\n',
      'one/kustomization.yaml': 'namePrefix: one-\nresources: [../base]\n',
      'two/kustomization.yaml': 'namePrefix: two-\nresources: [../base]\n',
      'base/kustomization.yaml': 'resources: [r.yaml]\n',
      'base/r.yaml': manifest('v1', 'ConfigMap', 'web'),
      'r.yaml': manifest('v1', 'Pod', 'web', { spec: { volumes: [{ configMap: { name: 'web' } }] } }),
    };
    const [finding] = await findingsOf(files);
    expect(finding).toMatchObject({
      code: 'kustomize/ambiguous-reference',
      where: { file: 'r.yaml', line: 1, column: 1 },
    });
    expect(finding?.message).toBe(
      "v1 Pod p-web refers to 'web', which may be v1 ConfigMap p-one-web (base/r.yaml:1:1) or v1 ConfigMap p-two-web (base/r.yaml:1:1)",
    );
  });

  test('that make two resources the same are refused', async () => {
    const files = {
      'kustomization.yaml': 'namePrefix: p-\nresources: [inner, r.yaml]\nsortOptions: {order: fifo}\n',
      'inner/kustomization.yaml': 'nameSuffix: b\nresources: [r.yaml]\n',
      'inner/r.yaml': manifest('v1', 'ConfigMap', 'a'),
      'r.yaml': manifest('v1', 'ConfigMap', 'ab'),
    };
    expect(await refusals(files)).toEqual(['r.yaml:1:1 kustomize/duplicate-resource']);
  });
});
