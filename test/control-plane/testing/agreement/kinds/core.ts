import { casesOfKinds, labels } from './requests.ts';

const port = { port: 80 };

export const coreKinds = casesOfKinds({
  ConfigMap: [
    {
      path: '/api/v1/namespaces/$NS/configmaps',
      apiVersion: 'v1',
      kind: 'ConfigMap',
      valid: { data: { a: '1' } },
    },
    (r) => ({
      'an invalid key': [r.create(r.object({ data: { '../a': '1' } }))],
      'a key twice': [r.create(r.object({ binaryData: { a: 'MQ==' } }))],
      immutable: [r.create(r.object({ immutable: true })), r.merge({ data: { a: '2' } })],
    }),
  ],
  Secret: [
    {
      path: '/api/v1/namespaces/$NS/secrets',
      apiVersion: 'v1',
      kind: 'Secret',
      valid: { data: { a: 'MQ==' } },
    },
    (r) => ({
      'for basic authentication, without its keys': [
        r.create(r.object({ type: 'kubernetes.io/basic-auth' })),
      ],
      'for SSH, without a key': [r.create(r.object({ type: 'kubernetes.io/ssh-auth' }))],
      'of a registry, without JSON': [
        r.create(r.object({ type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'YQ==' } })),
      ],
      'of a ServiceAccount, without its name': [
        r.create(r.object({ type: 'kubernetes.io/service-account-token' })),
      ],
      'of another type later': [r.create(), r.merge({ type: 'x' })],
    }),
  ],
  ServiceAccount: [
    { path: '/api/v1/namespaces/$NS/serviceaccounts', apiVersion: 'v1', kind: 'ServiceAccount', valid: {} },
    (r) => ({
      'references to Secrets': [
        r.create(r.object({ secrets: [{ name: 'a', namespace: 'b', kind: 'Secret' }] })),
      ],
      'without a token': [r.create(r.object({ automountServiceAccountToken: false })), r.get],
    }),
  ],
  Namespace: [
    { path: '/api/v1/namespaces', apiVersion: 'v1', kind: 'Namespace', valid: {} },
    (r) => ({
      'a finalizer of its spec': [r.create(r.object({ spec: { finalizers: ['example.com/x'] } }))],
      'an invalid finalizer of its spec': [r.create(r.object({ spec: { finalizers: ['a'] } }))],
      'a finalizer of its spec later': [r.create(), r.merge({ spec: { finalizers: [] } })],
      'a name with a dot': [r.create(r.object({}, { name: 'a.b' }))],
    }),
  ],
  Service: [
    {
      path: '/api/v1/namespaces/$NS/services',
      apiVersion: 'v1',
      kind: 'Service',
      valid: { spec: { selector: labels, ports: [port] } },
    },
    (r) => ({
      'an invalid protocol': [r.create(r.spec({ ports: [{ ...port, protocol: 'ICMP' }] }))],
      'a port twice': [
        r.create(
          r.spec({
            ports: [
              { ...port, name: 'a' },
              { ...port, name: 'b' },
            ],
          }),
        ),
      ],
      'a name twice': [
        r.create(
          r.spec({
            ports: [
              { name: 'a', port: 1 },
              { name: 'a', port: 2 },
            ],
          }),
        ),
      ],
      'an invalid target': [r.create(r.spec({ ports: [{ ...port, targetPort: 'a--b' }] }))],
      'an external address': [
        r.create(r.spec({ externalIPs: ['10.1.2.3'] })),
        r.merge({ spec: { externalIPs: null } }),
      ],
      'an external address of the machine itself': [r.create(r.spec({ externalIPs: ['127.0.0.1'] }))],
      'headless, without a selector': [r.create(r.spec({ clusterIP: 'None', selector: undefined }))],
      'headless later': [r.create(), r.merge({ spec: { clusterIP: 'None', clusterIPs: ['None'] } })],
      'a distribution': [r.create(r.spec({ trafficDistribution: 'PreferClose' }))],
      'an unknown distribution': [r.create(r.spec({ trafficDistribution: 'Any' }))],
    }),
  ],
  Event: [
    {
      path: '/apis/events.k8s.io/v1/namespaces/$NS/events',
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      valid: {
        eventTime: '2026-01-01T00:00:00.000000Z',
        action: 'Pull',
        reason: 'Pulled',
        type: 'Normal',
        regarding: { kind: 'Pod', name: 'a', namespace: '$NS' },
        reportingController: 'example.com/x',
        reportingInstance: 'x-1',
      },
    },
    (r) => ({
      'without its fields': [r.create(r.object({ action: '', reason: '', reportingController: '' }))],
      'about another namespace': [r.create(r.object({ regarding: { kind: 'Node', name: 'a' } }))],
      'an unknown type': [r.create(r.object({ type: 'Error' }))],
      'a series of one': [
        r.create(r.object({ series: { count: 1, lastObservedTime: '2026-01-01T00:00:00.000000Z' } })),
      ],
      'a series later': [
        r.create(),
        r.merge({ series: { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' } }),
      ],
      'another reason later': [r.create(), r.merge({ reason: 'x', note: 'y' })],
    }),
  ],
});
