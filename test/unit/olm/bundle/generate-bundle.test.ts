import { describe, expect, test } from 'vitest';
import { bundleOf, codes, edited, refusals, type Loose, csvOf } from './objects.ts';

const manager = 'nginx-operator-controller-manager';

const cache = { packageName: 'cache', version: '1.2.0' };

const without = (objects: Loose[], ...kinds: string[]): Loose[] =>
  objects.filter((object) => !kinds.includes(object.kind));

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

describe('warnings are reported, and the bundle is written', () => {
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

  test('placeholders, and a description that is missing', () => {
    expect(
      told((all, find) => {
        const { spec } = find('ClusterServiceVersion');
        spec.description = '';
        spec.maintainers = [{ name: 'Maintainer Name', email: 'your@email.com' }];
        spec.provider = { name: 'Provider Name', url: 'https://your.domain' };
        return all;
      }),
    ).toEqual(['bundle/incomplete-base', ...Array<string>(4).fill('bundle/placeholder')]);
    expect(
      told(
        (all, find) =>
          void (find('ClusterServiceVersion').spec.description = 'Nginx Operator description. TODO.'),
      ),
    ).toEqual(['bundle/placeholder']);
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

  test('an x-descriptor of the base that no user interface knows', () => {
    const objects = edited('nginx-operator', (all, find) => {
      const [owned] = find('ClusterServiceVersion').spec.customresourcedefinitions.owned;
      owned.specDescriptors = [
        { path: 'replicas', 'x-descriptors': ['urn:alm:descriptor:com.tectonic.ui:podCount', 'ui:podcount'] },
      ];
      return all;
    });
    const { warnings } = bundleOf(objects);
    expect(codes(warnings)).toEqual(['schema/unknown-x-descriptor']);
    expect(warnings[0]?.message).toContain('owned[0].specDescriptors[0].x-descriptors: unknown x-descriptor');
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
