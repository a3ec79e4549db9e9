import { describe, expect, test } from 'vitest';
import { codes, edited, refusals, type Loose, csvOf } from './objects.ts';

const manager = 'nginx-operator-controller-manager';

const cache = { packageName: 'cache', version: '1.2.0' };

const without = (objects: Loose[], ...kinds: string[]): Loose[] =>
  objects.filter((object) => !kinds.includes(object.kind));

describe('what OLM could not install is refused', () => {
  test('no objects, and a base alone', () => {
    expect(codes(refusals([]))).toEqual(['bundle/empty']);
    expect(codes(refusals(edited('nginx-operator', (_, find) => [find('ClusterServiceVersion')])))).toEqual([
      'bundle/empty',
    ]);
  });

  test('no Deployment', () => {
    const objects = edited('nginx-operator', (all) => without(all, 'Deployment'));
    expect(codes(refusals(objects))).toEqual(['bundle/no-deployment']);
  });

  test('a DaemonSet instead of a Deployment, by its name', () => {
    const objects = edited('nginx-operator', (all, find) => void (find('Deployment').kind = 'DaemonSet'));
    const findings = refusals(objects);
    expect(codes(findings)).toEqual(['bundle/no-deployment', 'bundle/kind-not-supported']);
    expect(findings[0]?.message).toContain('as a DaemonSet');
    expect(findings[1]?.message).toContain(`apps/v1 DaemonSet nginx-operator-system/${manager}`);
  });

  test('no base', () => {
    const objects = edited('nginx-operator', (all) => without(all, 'ClusterServiceVersion'));
    expect(codes(refusals(objects))).toEqual(['bundle/no-base']);
  });

  test('a base beside the objects replaces one among them', () => {
    const base = edited('nginx-operator', (_, find) => [find('ClusterServiceVersion')])[0];
    const objects = edited('nginx-operator', (all) => without(all, 'ClusterServiceVersion'));
    expect(csvOf(objects, { base })).toEqual(csvOf(edited('nginx-operator', (all) => all)));
  });

  test('a ClusterServiceVersion of another package', () => {
    const objects = edited('nginx-operator', (all) => all);
    expect(codes(refusals(objects, { packageName: 'other' }))).toEqual([
      'bundle/foreign-csv',
      'bundle/no-base',
    ]);
  });

  test('a ServiceAccount that is not there', () => {
    const objects = edited('nginx-operator', (all) => without(all, 'ServiceAccount'));
    const [finding, ...more] = refusals(objects);
    expect(finding).toMatchObject({
      code: 'bundle/missing-service-account',
      where: { file: 'objects.yaml' },
    });
    expect(more).toEqual([]);
  });

  test('a ServiceAccount without rules', () => {
    const objects = edited('nginx-operator', (all) => without(all, 'RoleBinding', 'ClusterRoleBinding'));
    expect(codes(refusals(objects))).toEqual(['bundle/unbound-service-account']);
  });

  test('bindings of an account of the same name in another namespace do not count', () => {
    const objects = edited('nginx-operator', (all) => {
      for (const { kind, subjects } of all)
        if (['RoleBinding', 'ClusterRoleBinding'].includes(kind)) subjects[0].namespace = 'elsewhere';
      return all;
    });
    expect(codes(refusals(objects))).toEqual(['bundle/unbound-service-account']);
  });

  test('the account `default` needs neither object nor rules', () => {
    const objects = edited('nginx-operator', (all, find) => {
      delete find('Deployment').spec.template.spec.serviceAccountName;
      return without(all, 'RoleBinding', 'ClusterRoleBinding');
    });
    expect(refusals(objects)).toEqual([]);
  });

  test.each(['Role', 'ClusterRole'])('a binding to a %s that is not there', (kind) => {
    const objects = edited('nginx-operator', (all) => without(all, kind));
    const bindings = objects.filter(({ object }) => object.kind === `${kind}Binding`);
    expect(codes(refusals(objects))).toEqual(bindings.map(() => 'bundle/missing-role'));
  });

  test('an aggregated ClusterRole, whose rules only the cluster knows', () => {
    const objects = edited('nginx-operator', (all, find) => {
      find('ClusterRole', 'nginx-operator-manager-role').aggregationRule = { clusterRoleSelectors: [] };
      return all;
    });
    expect(codes(refusals(objects))).toEqual(['bundle/missing-role']);
  });

  test('a RoleBinding for another namespace', () => {
    const objects = edited('nginx-operator', (all, find) => {
      find('RoleBinding').metadata.namespace = 'kube-system';
      find('Role').metadata.namespace = 'kube-system';
      return all;
    });
    expect(codes(refusals(objects))).toEqual(['bundle/foreign-namespace']);
  });

  test('an object for another namespace', () => {
    const objects = edited('nginx-operator', (all, find) => {
      find('Service').metadata.namespace = 'kube-system';
      return all;
    });
    const [finding] = refusals(objects);
    expect(finding?.message).toContain(
      'Service kube-system/nginx-operator-controller-manager-metrics-service',
    );
  });

  test('two Deployments of one name, in two namespaces', () => {
    const objects = edited('nginx-operator', (all, find) => {
      const second = structuredClone(find('Deployment'));
      second.metadata.namespace = 'other';
      return [...all, second];
    });
    expect(codes(refusals(objects))).toContain('bundle/duplicate-object');
  });

  test('the same object twice counts once, different ones of one name are refused', () => {
    const twice = edited('nginx-operator', (all, find) => [
      ...all,
      structuredClone(find('CustomResourceDefinition')),
    ]);
    expect(refusals(twice)).toEqual([]);
    const different = edited('nginx-operator', (all, find) => {
      const other = structuredClone(find('CustomResourceDefinition'));
      other.spec.scope = 'Cluster';
      return [...all, other];
    });
    expect(codes(refusals(different))).toEqual(['bundle/duplicate-object']);
  });

  test.each([
    [
      'a kind that OLM does not know',
      { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' } },
    ],
    [
      'an old version of CRDs',
      { apiVersion: 'apiextensions.k8s.io/v1beta1', kind: 'ThirdParty', metadata: { name: 'x' } },
    ],
    [
      'a custom resource of no kind of the bundle',
      { apiVersion: 'operator.example.com/v9', kind: 'NginxOperator', metadata: { name: 'x' } },
    ],
    [
      'a custom resource of another group',
      { apiVersion: 'example.com/v1alpha1', kind: 'NginxOperator', metadata: { name: 'x' } },
    ],
  ])('%s', (_, object) => {
    const findings = refusals(edited('nginx-operator', (all) => [...all, object]));
    expect(codes(findings)).toEqual(['bundle/kind-not-supported']);
    expect(findings[0]?.message).toContain(`${object.apiVersion} ${object.kind} ${object.metadata.name}`);
  });

  test.each([
    ['rules', 'Role', (object: Loose) => (object.rules = 'all')],
    ['subjects', 'RoleBinding', (object: Loose) => (object.subjects = [3])],
    [
      'spec.template.spec.containers',
      'Deployment',
      (object: Loose) => (object.spec.template.spec.containers = {}),
    ],
  ])('%s of the wrong type', (path, kind, change) => {
    const findings = refusals(edited('nginx-operator', (all, find) => void change(find(kind))));
    expect(codes(findings)).toContain('bundle/invalid-object');
    expect(findings.map(({ message }) => message).join()).toContain(`: ${path}`);
  });

  test('an empty name and a version that replaces itself', () => {
    const objects = edited('nginx-operator', (all, find) => {
      const { spec } = find('ClusterServiceVersion');
      spec.displayName = ' ';
      spec.replaces = 'nginx-operator.v0.0.1';
      return all;
    });
    expect([...codes(refusals(objects))].sort()).toEqual([
      'bundle/incomplete-base',
      'bundle/replaces-itself',
    ]);
  });

  test('related images that are not clear', () => {
    const objects = edited('nginx-operator', (all, find) => {
      find('Deployment').spec.template.spec.containers[0].env[1] = {
        name: 'RELATED_IMAGE_B',
        valueFrom: { fieldRef: { fieldPath: 'x' } },
      };
      find('Deployment').spec.template.spec.initContainers = [
        { name: 'init', env: [{ name: 'RELATED_IMAGE_NGINX_SERVER', value: 'nginx' }] },
      ];
      find('ClusterServiceVersion').spec.relatedImages = [{ name: 'nginx-server', image: 'other' }];
      return all;
    });
    expect(codes(refusals(objects))).toEqual(['bundle/related-image', 'bundle/related-image']);
  });

  test('everything that is wrong at once', () => {
    const objects = edited('nginx-operator', (all, find) => {
      find('Service').metadata.namespace = 'kube-system';
      find('Deployment').spec.template.spec.serviceAccountName = 'nobody';
      return [
        ...without(all, 'ClusterServiceVersion'),
        { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' } },
      ];
    });
    expect(codes(refusals(objects))).toEqual([
      'bundle/no-base',
      'bundle/missing-service-account',
      'bundle/unbound-service-account',
      'bundle/kind-not-supported',
      'bundle/foreign-namespace',
    ]);
  });
});

describe('webhooks that OLM would call in another way are refused', () => {
  test.each([
    [
      'a namespaceSelector',
      'bundle/webhook-field',
      (webhook: Loose) => (webhook.namespaceSelector = { matchLabels: { a: 'b' } }),
    ],
    [
      'matchConditions',
      'bundle/webhook-field',
      (webhook: Loose) => (webhook.matchConditions = [{ name: 'a', expression: 'true' }]),
    ],
    [
      'a URL',
      'bundle/webhook-target',
      (webhook: Loose) => (webhook.clientConfig = { url: 'https://x.example' }),
    ],
    [
      'a Service that is not there',
      'bundle/webhook-target',
      (webhook: Loose) => (webhook.clientConfig.service.name = 'nowhere'),
    ],
    [
      'a Service of another namespace',
      'bundle/webhook-target',
      (webhook: Loose) => (webhook.clientConfig.service.namespace = 'nowhere'),
    ],
    [
      'a port that the Service has not',
      'bundle/webhook-target',
      (webhook: Loose) => (webhook.clientConfig.service.port = 1),
    ],
  ])('%s', (_, code, change) => {
    const objects = edited(
      'webhooks',
      (all, find) => void change(find('MutatingWebhookConfiguration').webhooks[0]),
    );
    const findings = refusals(objects, cache);
    expect(codes(findings)).toEqual([code]);
    expect(findings[0]?.message).toContain(
      'MutatingWebhookConfiguration cache-mutating-webhook-configuration: the webhook mmemcached-v1.kb.io',
    );
  });

  test('an empty namespaceSelector restricts nothing', () => {
    const objects = edited('webhooks', (all, find) => {
      find('MutatingWebhookConfiguration').webhooks[0].namespaceSelector = {};
      return all;
    });
    expect(refusals(objects, cache)).toEqual([]);
  });

  test('a Service whose selector fits no Deployment, for all four webhooks', () => {
    const objects = edited('webhooks', (all, find) => void (find('Service').spec.selector = { a: 'b' }));
    expect(codes(refusals(objects, cache))).toEqual(Array<string>(4).fill('bundle/webhook-target'));
  });

  test('a volume that waits for a certificate of cert-manager', () => {
    const objects = edited('webhooks', (all, find) => {
      find('Deployment').spec.template.spec.volumes = [
        { name: 'certs', secret: { secretName: 'webhook-server-cert' } },
      ];
      const certificate = {
        apiVersion: 'cert-manager.io/v1',
        kind: 'Certificate',
        metadata: { name: 'serving-cert', namespace: 'cache-system' },
        spec: { secretName: 'webhook-server-cert' },
      };
      return [...all, certificate];
    });
    const findings = refusals(objects, cache);
    expect(codes(findings)).toEqual(['bundle/cert-manager-volume']);
    expect(findings[0]?.message).toContain('spec.template.spec.volumes[0]');
  });
});
