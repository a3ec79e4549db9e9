import { describe, expect, test } from 'vitest';
import { bundleOf, codes, edited, refusals, type Loose, specOf, filesOf, warningsOf } from './objects.ts';

const rbac = 'rbac.authorization.k8s.io';

describe('objects', () => {
  // Source: operator-registry `pkg/lib/bundle/supported_resources.go`, without those that are read into the ClusterServiceVersion.
  test.each([
    ['v1', 'ConfigMap Secret'],
    ['autoscaling.k8s.io/v1', 'VerticalPodAutoscaler'],
    [
      'console.openshift.io/v1',
      'ConsoleCLIDownload ConsoleLink ConsolePlugin ConsoleQuickStart ConsoleYAMLSample',
    ],
    ['monitoring.coreos.com/v1', 'PodMonitor PrometheusRule ServiceMonitor'],
    ['networking.k8s.io/v1', 'NetworkPolicy'],
    ['policy/v1', 'PodDisruptionBudget'],
    ['scheduling.k8s.io/v1', 'PriorityClass'],
  ])('of %s that OLM installs: %s', (apiVersion, kinds) => {
    const extra = kinds.split(' ').map((kind) => ({ apiVersion, kind, metadata: { name: 'x' } }));
    const group = apiVersion.includes('/') ? apiVersion.replace('/', '_') : apiVersion;
    const files = filesOf(edited('nginx-operator', (all) => [...all, ...extra]));
    expect(files).toEqual(
      expect.arrayContaining(extra.map(({ kind }) => `x_${group}_${kind.toLowerCase()}.yaml`)),
    );
    const foreign = extra.map((object) => ({ ...object, apiVersion: 'example.org/v1' }));
    expect(codes(refusals(edited('nginx-operator', (all) => [...all, ...foreign])))).toEqual(
      foreign.map(() => 'bundle/kind-not-supported'),
    );
  });

  test.each([
    ['apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', 'xs.example.com'],
    [`${rbac}/v1beta1`, 'ClusterRole', 'x'],
    ['admissionregistration.k8s.io/v1beta1', 'MutatingWebhookConfiguration', 'x'],
    ['scorecard.operatorframework.io/v1alpha2', 'Configuration', 'x'],
  ])('of an old version are refused, once: %s %s', (apiVersion, kind, name) => {
    const old = {
      apiVersion,
      kind,
      metadata: { name },
      spec: { group: 'example.com', names: { plural: 'xs' } },
    };
    const findings = refusals(edited('nginx-operator', (all) => [...all, old]));
    expect(codes(findings)).toEqual(['bundle/kind-not-supported']);
    expect(findings[0]?.message).toContain(`got ${apiVersion}`);
  });

  test.each(['../../package.json', '..', 'a\\b', 'a%2fb', 'a\nb'])(
    'with a name that is a path: %j',
    (name) => {
      const findings = refusals(
        edited('nginx-operator', (_, find) => void (find('Service').metadata.name = name)),
      );
      expect(codes(findings)).toEqual(['bundle/invalid-object']);
    },
  );

  test.each(['nginxoperators', 'others.operator.example.com', 'nginxoperators.example.com'])(
    'a CustomResourceDefinition %s, which is not called after its kind',
    (name) => {
      const objects = edited(
        'nginx-operator',
        (_, find) => void (find('CustomResourceDefinition').metadata.name = name),
      );
      expect(refusals(objects).map(({ message }) => message)).toContainEqual(
        expect.stringContaining('metadata.name is not <spec.names.plural>.<spec.group>'),
      );
    },
  );

  test('a CustomResourceDefinition that serves nothing', () => {
    const objects = edited('nginx-operator', (all, find) => {
      find('CustomResourceDefinition').spec.versions[0].served = false;
      return all.filter(({ kind }) => kind !== 'NginxOperator');
    });
    expect(refusals(objects).map(({ message }) => message)).toEqual([
      expect.stringContaining('spec.versions has no version that is served'),
    ]);
  });

  test('samples of a group of cert-manager, if the kinds are the own ones', () => {
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'certificates.cert-manager.io' },
      spec: {
        group: 'cert-manager.io',
        names: { kind: 'Certificate', plural: 'certificates' },
        versions: [{ name: 'v1', served: true, storage: true }],
      },
    };
    const sample = {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: 'mine' },
      spec: {},
    };
    const withCrd = bundleOf(edited('nginx-operator', (all) => [...all, crd, sample]));
    expect(JSON.stringify(withCrd.manifests[0]?.document)).toContain('mine');
    const approval = { ...sample, apiVersion: 'policy.cert-manager.io/v1', kind: 'CertificateRequestPolicy' };
    expect(codes(refusals(edited('nginx-operator', (all) => [...all, approval])))).toEqual([
      'bundle/kind-not-supported',
    ]);
  });
});

describe('the base and the Deployment', () => {
  test('images without names, as some tools list them', () => {
    const images = [
      { image: 'x.example/b@sha256:b', name: '' },
      { image: 'x.example/a@sha256:a' },
      { image: 'x.example/c', name: 'c' },
    ];
    const objects = edited(
      'nginx-operator',
      (_, find) => void (find('ClusterServiceVersion').spec.relatedImages = images),
    );
    expect(specOf(objects).relatedImages).toEqual([
      { image: 'x.example/a@sha256:a', name: '' },
      { image: 'x.example/b@sha256:b', name: '' },
      { image: 'x.example/c', name: 'c' },
      { image: 'docker.io/library/nginx:1.27', name: 'nginx-server' },
    ]);
  });

  test.each([[{ name: 'a' }], [{ name: 'a', image: '' }], [{ name: 1, image: 'x.example/a' }]])(
    'an image that is none: %j',
    (image) => {
      const objects = edited(
        'nginx-operator',
        (_, find) => void (find('ClusterServiceVersion').spec.relatedImages = [image]),
      );
      expect(codes(refusals(objects))).toEqual(['bundle/related-image']);
    },
  );

  test('what a base says of the installation', () => {
    const objects = edited('nginx-operator', (_, find) => {
      find('ClusterServiceVersion').spec.install = {
        strategy: 'deployment',
        spec: { deployments: null, permissions: [{ serviceAccountName: 'x', rules: [] }] },
      };
    });
    expect(warningsOf(objects)).toEqual([
      expect.stringMatching(
        /^bundle\/lost-field: the base ClusterServiceVersion has spec\.install\.spec\.permissions, which op-sdk ignores: /,
      ),
    ]);
  });

  test('init containers get the namespaces to watch too', () => {
    const env = [{ name: 'WATCH_NAMESPACE', value: 'mine' }];
    const objects = edited('nginx-operator', (_, find) => {
      find('Deployment').spec.template.spec.initContainers = [{ name: 'init', image: 'x.example/i', env }];
    });
    const [deployment] = specOf(objects).install.spec.deployments;
    expect(deployment.spec.template.spec.initContainers[0].env).toEqual([
      {
        name: 'WATCH_NAMESPACE',
        valueFrom: { fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" } },
      },
    ]);
  });

  test('what a cluster wrote into an object is not kept', () => {
    const objects = edited('nginx-operator', (_, find) => {
      Object.assign(find('Service'), { status: { loadBalancer: {} } });
      Object.assign(find('Service').metadata, { uid: 'u', resourceVersion: '1' });
    });
    const service = bundleOf(objects).manifests.find(({ document }) => document['kind'] === 'Service');
    expect(service?.document).not.toHaveProperty('status');
    expect(Object.keys(service?.document['metadata'] as object).sort()).toEqual(['labels', 'name']);
  });

  test('the install modes of a base, and the capability level of one that says none', () => {
    const installModes = [{ type: 'OwnNamespace', supported: true }];
    const objects = edited('nginx-operator', (_, find) => {
      find('ClusterServiceVersion').spec.installModes = installModes;
      delete find('ClusterServiceVersion').metadata.annotations;
    });
    expect(specOf(objects).installModes).toEqual(installModes);
    expect(bundleOf(objects).manifests[0]?.document['metadata']).toMatchObject({
      annotations: { capabilities: 'Basic Install' },
    });
  });

  test('samples of one kind, by their names, however they come', () => {
    const samples = ['b', 'a', 'c'].map((name) => ({
      apiVersion: 'operator.example.com/v1alpha1',
      kind: 'NginxOperator',
      metadata: { name },
    }));
    const examplesOf = (order: readonly object[]): unknown => {
      const document: Loose = bundleOf(
        edited('nginx-operator', (all) => [...all.filter(({ kind }) => kind !== 'NginxOperator'), ...order]),
      ).manifests[0]?.document;
      return (JSON.parse(document.metadata.annotations['alm-examples']) as Loose[]).map(
        ({ metadata }) => metadata.name as string,
      );
    };
    expect(examplesOf(samples)).toEqual(['a', 'b', 'c']);
    expect(examplesOf(samples.toReversed())).toEqual(['a', 'b', 'c']);
  });

  test('annotations of a Deployment', () => {
    const objects = edited(
      'nginx-operator',
      (_, find) => void (find('Deployment').metadata.annotations = { 'example.com/a': 'b' }),
    );
    expect(warningsOf(objects)).toEqual([
      expect.stringMatching(/^bundle\/lost-field: .*annotations, example\.com\/a;/),
    ]);
  });
});

describe('the Services of webhooks', () => {
  const cache = { packageName: 'cache', version: '1.2.0' };

  test('lead to the port of the Service, unless they name another one', () => {
    const objects = edited('webhooks', (_, find) => void delete find('Service').spec.ports[0].targetPort);
    const ports = new Set(
      (specOf(objects, cache).webhookdefinitions as Loose[]).map(
        ({ containerPort, targetPort }) => `${containerPort} ${targetPort}`,
      ),
    );
    expect(ports).toEqual(new Set(['443 443', '8443 webhook']));
  });

  test('definitions of the base stay, but for those that configurations replace', () => {
    const plain = specOf(
      edited('webhooks', () => undefined),
      cache,
    ).webhookdefinitions as Loose[];
    const own = { generateName: 'own.kb.io', type: 'ValidatingAdmissionWebhook', deploymentName: 'x' };
    const objects = edited('webhooks', (_, find) => {
      find('ClusterServiceVersion').spec.webhookdefinitions = [
        { ...own, generateName: plain[0].generateName as string },
        own,
      ];
    });
    expect(specOf(objects, cache).webhookdefinitions).toEqual([...plain, own]);
  });

  test('lead nowhere without a selector', () => {
    const objects = edited('webhooks', (_, find) => void delete find('Service').spec.selector);
    expect(new Set(codes(refusals(objects, cache)))).toEqual(new Set(['bundle/webhook-target']));
  });
});

describe('volumes with certificates', () => {
  const cache = { packageName: 'cache', version: '1.2.0' };
  const volume = (name: string, secret: object, service = {}): ReturnType<typeof edited> =>
    edited('webhooks', (_, find) => {
      const pod = find('Deployment').spec.template.spec;
      pod.volumes = [{ name, secret: { secretName: 'certs', ...secret } }];
      pod.containers[0].volumeMounts = [{ name, mountPath: '/tmp/k8s-webhook-server/serving-certs' }];
      find('Service').metadata.annotations = service;
    });

  test('are refused if nobody makes them', () => {
    expect(codes(refusals(volume('cert', {}), cache))).toEqual(['bundle/cert-manager-volume']);
  });

  test.each([
    ['that OLM replaces by its own', volume('webhook-cert', {})],
    ['that OLM replaces by its own, for API services', volume('apiservice-cert', {})],
    ['that need not be there', volume('cert', { optional: true })],
    [
      'that OpenShift makes',
      volume('cert', {}, { 'service.beta.openshift.io/serving-cert-secret-name': 'certs' }),
    ],
  ])('stay: those %s', (_, objects) => {
    expect(codes(refusals(objects, cache))).toEqual([]);
  });

  test('OLM replaces nothing where no webhook is answered', () => {
    const objects = edited('nginx-operator', (_, find) => {
      const pod = find('Deployment').spec.template.spec;
      pod.volumes = [{ name: 'webhook-cert', secret: { secretName: 'certs' } }];
      pod.containers[0].volumeMounts = [
        { name: 'webhook-cert', mountPath: '/tmp/k8s-webhook-server/serving-certs' },
      ];
    });
    expect(codes(refusals(objects))).toEqual(['bundle/cert-manager-volume']);
  });
});
