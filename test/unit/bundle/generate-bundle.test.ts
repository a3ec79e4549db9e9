import { describe, expect, test } from 'vitest';
import { bundleOf, codes, edited, refusals, type Loose } from './objects.ts';

const manager = 'nginx-operator-controller-manager';
const cache = { packageName: 'cache', version: '1.2.0' };
const without = (objects: Loose[], ...kinds: string[]): Loose[] =>
  objects.filter((object) => !kinds.includes(object.kind));
const csvOf = (objects: Parameters<typeof bundleOf>[0], input = {}): Loose =>
  bundleOf(objects, input).manifests[0]?.document;

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

  test('a base beside the objects stands in for one among them', () => {
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
    const objects = edited('nginx-operator', (all, find) => {
      for (const kind of ['RoleBinding', 'ClusterRoleBinding'])
        find(kind).subjects[0].namespace = 'elsewhere';
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
    expect(codes(refusals(objects))).toEqual(['bundle/missing-role']);
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

  test('placeholders, an empty name and a version that replaces itself', () => {
    const objects = edited('nginx-operator', (all, find) => {
      const { spec } = find('ClusterServiceVersion');
      spec.displayName = ' ';
      spec.description = 'Nginx Operator description. TODO.';
      spec.maintainers = [{ name: 'Maintainer Name', email: 'your@email.com' }];
      spec.provider = { name: 'Provider Name', url: 'https://your.domain' };
      spec.replaces = 'nginx-operator.v0.0.1';
      return all;
    });
    expect([...codes(refusals(objects))].sort()).toEqual([
      'bundle/incomplete-base',
      ...Array<string>(5).fill('bundle/placeholder'),
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

test.each([
  ['the certificates of webhooks that nobody makes', '/tmp/k8s-webhook-server/serving-certs', [], 1],
  ['a Secret of the bundle itself', '/tmp/k8s-webhook-server/serving-certs', ['certs'], 0],
  ['a Secret of the user', '/etc/credentials', [], 0],
])('a volume with %s', (_, mountPath, secrets, count) => {
  const objects = edited('nginx-operator', (all, find) => {
    const pod = find('Deployment').spec.template.spec;
    pod.volumes = [{ name: 'v', secret: { secretName: 'certs' } }];
    pod.containers[0].volumeMounts = [{ name: 'v', mountPath }];
    return [...all, ...secrets.map((name) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } }))];
  });
  expect(codes(refusals(objects))).toEqual(Array<string>(count).fill('bundle/cert-manager-volume'));
});

describe('what is worth a word is told, and the bundle is made', () => {
  const told = (edit: Parameters<typeof edited>[1]): readonly string[] =>
    codes(bundleOf(edited('nginx-operator', edit)).warnings);

  test('the golden case has nothing to tell', () => {
    expect(told((all) => all)).toEqual([]);
  });

  test('the placeholder of the image', () => {
    expect(
      told(
        (all, find) => void (find('Deployment').spec.template.spec.containers[0].image = 'controller:latest'),
      ),
    ).toEqual(['bundle/default-image']);
  });

  test('a kind without sample', () => {
    expect(told((all) => without(all, 'NginxOperator'))).toEqual(['bundle/no-example']);
  });

  test('the namespace as a word in the Deployment, not as a part of one', () => {
    expect(
      told((all, find) => {
        find('Deployment').spec.template.spec.containers[0].args = [
          '--in=nginx-operator-system',
          '--name=nginx-operator-systems',
          'svc.nginx-operator-system.svc',
        ];
        return all;
      }),
    ).toEqual(['bundle/fixed-namespace', 'bundle/fixed-namespace']);
  });

  test('fields of the account that OLM does not keep', () => {
    expect(told((all, find) => void (find('ServiceAccount').imagePullSecrets = [{ name: 'x' }]))).toEqual([
      'bundle/lost-field',
    ]);
  });

  test('an empty icon, which is left out', () => {
    const objects = edited('nginx-operator', (all, find) => {
      find('ClusterServiceVersion').spec.icon = [{ base64data: '', mediatype: '' }];
      return all;
    });
    expect(codes(bundleOf(objects).warnings)).toEqual(['bundle/empty-icon']);
    expect(csvOf(objects).spec).not.toHaveProperty('icon');
  });

  test('a containerImage that no container has', () => {
    expect(
      told((all, find) => void (find('ClusterServiceVersion').metadata.annotations.containerImage = 'old')),
    ).toEqual(['bundle/container-image']);
  });
});

describe('the ClusterServiceVersion', () => {
  test('takes extra accounts from bindings, and OLM makes them', () => {
    const objects = edited('webhooks', (all) => all);
    const bundle = bundleOf(objects, { ...cache, extraServiceAccounts: ['metrics-reader'] });
    const csv = bundle.manifests[0]?.document as Loose;
    expect(csv.spec.install.spec.clusterPermissions).toMatchObject([
      { serviceAccountName: 'manager' },
      { serviceAccountName: 'metrics-reader', rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }] },
    ]);
    expect(bundle.manifests.map(({ file }) => file)).not.toContain('metrics-reader_v1_serviceaccount.yaml');
    expect(codes(bundle.warnings)).not.toContain('bundle/loose-service-account');
  });

  test('an extra account that does not exist is refused', () => {
    const findings = refusals(
      edited('nginx-operator', (all) => all),
      { extraServiceAccounts: ['nobody'] },
    );
    expect(findings[0]).toMatchObject({
      code: 'bundle/missing-service-account',
      where: { flag: '--extra-service-accounts' },
    });
  });

  test('grants a ClusterRole that is bound by a RoleBinding in its namespaces only', () => {
    const objects = edited('nginx-operator', (all, find) => {
      find('RoleBinding').roleRef = { kind: 'ClusterRole', name: 'nginx-operator-nginxoperator-viewer-role' };
      return without(all, 'Role');
    });
    const { permissions } = csvOf(objects).spec.install.spec;
    expect(permissions[0].rules).toEqual([
      { apiGroups: ['operator.example.com'], resources: ['nginxoperators'], verbs: ['get', 'list', 'watch'] },
    ]);
  });

  test('keeps examples of the base where there are no samples', () => {
    const objects = edited('nginx-operator', (all, find) => {
      find('ClusterServiceVersion').metadata.annotations['alm-examples'] = '[{"own":1}]';
      return without(all, 'NginxOperator');
    });
    expect(csvOf(objects).metadata.annotations['alm-examples']).toBe('[{"own":1}]');
  });

  test('names related images after their Deployment where two differ', () => {
    const objects = edited('nginx-operator', (all, find) => {
      const second = structuredClone(find('Deployment'));
      second.metadata.name = 'second';
      second.spec.template.spec.containers[0].env[1].value = 'nginx:other';
      return [...all, second];
    });
    expect(csvOf(objects).spec.relatedImages).toEqual([
      { image: 'docker.io/library/nginx:1.27', name: `${manager}-nginx-server` },
      { image: 'nginx:other', name: 'second-nginx-server' },
    ]);
  });

  test('has no time of its own', () => {
    expect(csvOf(edited('nginx-operator', (all) => all)).metadata.annotations).not.toHaveProperty(
      'createdAt',
    );
  });
});
