import { casesOfKinds, labels, type Fields } from './requests.ts';
const backend = { service: { name: 's', port: { number: 80 } } };
const http = (path: Fields): Fields => ({
  http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...path }] },
});

export const smallKinds = casesOfKinds({
  PodDisruptionBudget: [
    {
      path: '/apis/policy/v1/namespaces/$NS/poddisruptionbudgets',
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      valid: { spec: { minAvailable: 1, selector: { matchLabels: labels } } },
    },
    (r) => ({
      both: [r.create(r.spec({ maxUnavailable: 1 }))],
      'a percentage': [r.create(r.spec({ minAvailable: '50%' }))],
      'an invalid percentage': [r.create(r.spec({ minAvailable: 'x' }))],
      'more than all': [r.create(r.spec({ minAvailable: '150%' }))],
      negative: [r.create(r.spec({ minAvailable: -1 }))],
      'no selector': [r.create(r.spec({ selector: undefined }))],
      'an empty selector': [r.create(r.spec({ selector: {} }))],
      'an invalid selector': [
        r.create(r.spec({ selector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } })),
      ],
      'a policy': [r.create(r.spec({ unhealthyPodEvictionPolicy: 'AlwaysAllow' }))],
      'an unknown policy': [r.create(r.spec({ unhealthyPodEvictionPolicy: 'Any' }))],
      'another number': [r.create(), r.merge({ spec: { minAvailable: 2 } })],
      'both later': [r.create(), r.merge({ spec: { maxUnavailable: 2 } })],
      'a status': [
        r.create(),
        r.status({
          disruptionsAllowed: 1,
          currentHealthy: 2,
          desiredHealthy: 1,
          expectedPods: 2,
          observedGeneration: 1,
        }),
      ],
      'a negative status': [r.create(), r.status({ disruptionsAllowed: -1 })],
      'a status by apply': [
        r.create(),
        r.statusApply({ disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 }),
      ],
    }),
  ],
  Ingress: [
    {
      path: '/apis/networking.k8s.io/v1/namespaces/$NS/ingresses',
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      valid: { spec: { rules: [{ host: 'a.example.com', ...http({}) }] } },
    },
    (r) => ({
      'no rules': [r.create(r.spec({ rules: [] }))],
      'a backend by default': [r.create(r.spec({ rules: undefined, defaultBackend: backend }))],
      'a backend of nothing': [r.create(r.spec({ defaultBackend: {} }))],
      'a backend without a port': [r.create(r.spec({ defaultBackend: { service: { name: 's' } } }))],
      'a port of two forms': [
        r.create(r.spec({ defaultBackend: { service: { name: 's', port: { name: 'h', number: 1 } } } })),
      ],
      'a port by name': [
        r.create(r.spec({ defaultBackend: { service: { name: 's', port: { name: 'http' } } } })),
      ],
      'an invalid port': [
        r.create(r.spec({ defaultBackend: { service: { name: 'A_', port: { number: 70_000 } } } })),
      ],
      'a resource': [
        r.create(
          r.spec({ defaultBackend: { resource: { apiGroup: 'x.example.com', kind: 'K', name: 'n' } } }),
        ),
      ],
      'no pathType': [r.create(r.spec({ rules: [http({ pathType: undefined })] }))],
      'an unknown pathType': [r.create(r.spec({ rules: [http({ pathType: 'Any' })] }))],
      'a relative path': [r.create(r.spec({ rules: [http({ path: 'x' })] }))],
      'a path with dots': [r.create(r.spec({ rules: [http({ path: '/a/../b//c/..' })] }))],
      'a specific path': [
        r.create(r.spec({ rules: [http({ pathType: 'ImplementationSpecific', path: '' })] })),
      ],
      'no paths': [r.create(r.spec({ rules: [{ http: { paths: [] } }] }))],
      'a wildcard': [r.create(r.spec({ rules: [{ host: '*.example.com', ...http({}) }] }))],
      'an invalid wildcard': [r.create(r.spec({ rules: [{ host: 'a.*.com', ...http({}) }] }))],
      'an address': [r.create(r.spec({ rules: [{ host: '10.1.1.1', ...http({}) }] }))],
      'an invalid host': [r.create(r.spec({ rules: [{ host: 'A_b', ...http({}) }] }))],
      TLS: [r.create(r.spec({ tls: [{ hosts: ['a.example.com'], secretName: 's' }] }))],
      'invalid TLS': [r.create(r.spec({ tls: [{ hosts: ['A_'], secretName: 'A_' }] }))],
      'a class': [r.create(r.spec({ ingressClassName: 'x' })), r.merge({ spec: { ingressClassName: 'A_' } })],
      'a status': [
        r.create(),
        r.status({ loadBalancer: { ingress: [{ ip: '10.1.1.1' }, { hostname: 'x.example.com' }] } }),
      ],
    }),
  ],
  Lease: [
    {
      path: '/apis/coordination.k8s.io/v1/namespaces/$NS/leases',
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      valid: { spec: { holderIdentity: 'x', leaseDurationSeconds: 15 } },
    },
    (r) => ({
      'a duration of 0': [r.create(r.spec({ leaseDurationSeconds: 0 }))],
      'negative transitions': [r.create(r.spec({ leaseTransitions: -1 }))],
      'no spec': [r.create(r.object({ spec: undefined }))],
      times: [
        r.create(
          r.spec({ renewTime: '2026-01-01T00:00:00.000000Z', acquireTime: '2026-01-01T00:00:00.123456Z' }),
        ),
      ],
      'another holder': [r.create(), r.merge({ spec: { holderIdentity: 'y', leaseTransitions: 1 } })],
      'no holder': [r.create(), r.merge({ spec: { holderIdentity: '' } })],
      'a preferred holder': [r.create(r.spec({ preferredHolder: 'x' }))],
      'a status': [r.create(), r.status({ a: 1 })],
    }),
  ],
  NetworkPolicy: [
    {
      path: '/apis/networking.k8s.io/v1/namespaces/$NS/networkpolicies',
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      valid: { spec: { podSelector: { matchLabels: labels } } },
    },
    (r) => ({
      'no selector': [r.create(r.object({ spec: {} }))],
      'ingress and egress': [
        r.create(
          r.spec({
            ingress: [{ ports: [{ port: 80 }], from: [{ podSelector: {} }] }],
            egress: [{ to: [{ ipBlock: { cidr: '10.1.0.0/16', except: ['10.1.2.0/24'] } }] }],
          }),
        ),
      ],
      everything: [r.create(r.spec({ ingress: [{}], egress: [] }))],
      'no peer': [r.create(r.spec({ ingress: [{ from: [{}] }] }))],
      'a block and a selector': [
        r.create(r.spec({ ingress: [{ from: [{ podSelector: {}, ipBlock: { cidr: '10.1.0.0/16' } }] }] })),
      ],
      'no block': [r.create(r.spec({ ingress: [{ from: [{ ipBlock: {} }] }] }))],
      'an invalid block': [r.create(r.spec({ ingress: [{ from: [{ ipBlock: { cidr: 'x' } }] }] }))],
      'an invalid port': [
        r.create(r.spec({ ingress: [{ ports: [{ port: 70_000 }, { port: 'A_' }, { protocol: 'ICMP' }] }] })),
      ],
      'a range of ports': [
        r.create(
          r.spec({
            ingress: [
              {
                ports: [
                  { port: 5, endPort: 9 },
                  { port: 5, endPort: 3 },
                  { endPort: 3 },
                  { port: 'a', endPort: 3 },
                ],
              },
            ],
          }),
        ),
      ],
      'unknown types': [r.create(r.spec({ policyTypes: ['Any'] }))],
      'three types': [r.create(r.spec({ policyTypes: ['Ingress', 'Egress', 'Ingress'] }))],
      'other rules': [r.create(), r.merge({ spec: { policyTypes: ['Egress'] } })],
      'an invalid selector': [
        r.create(
          r.spec({ podSelector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] } }),
        ),
      ],
    }),
  ],
  HorizontalPodAutoscaler: [
    {
      path: '/apis/autoscaling/v2/namespaces/$NS/horizontalpodautoscalers',
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      valid: {
        spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } },
      },
    },
    (r) => ({
      'no maximum': [r.create(r.spec({ maxReplicas: 0 }))],
      'a negative maximum': [r.create(r.spec({ maxReplicas: -1 }))],
      'less than the minimum': [r.create(r.spec({ minReplicas: 5 }))],
      'a minimum of 0': [r.create(r.spec({ minReplicas: 0 }))],
      'no target': [r.create(r.spec({ scaleTargetRef: {} }))],
      'a metric': [
        r.create(
          r.spec({
            metrics: [
              {
                type: 'Resource',
                resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1024Mi' } },
              },
            ],
          }),
        ),
      ],
      'a metric of nothing': [r.create(r.spec({ metrics: [{ type: 'Resource' }] }))],
      'an unknown metric': [r.create(r.spec({ metrics: [{ type: 'Any' }] }))],
      'a metric without a target': [
        r.create(r.spec({ metrics: [{ type: 'Resource', resource: { name: 'cpu' } }] })),
      ],
      'a metric of two targets': [
        r.create(
          r.spec({
            metrics: [
              {
                type: 'Resource',
                resource: {
                  name: 'cpu',
                  target: { type: 'Utilization', averageUtilization: 0, averageValue: '1' },
                },
              },
            ],
          }),
        ),
      ],
      'a behaviour': [r.create(r.spec({ behavior: { scaleDown: { stabilizationWindowSeconds: 10 } } }))],
      'another maximum': [r.create(), r.merge({ spec: { maxReplicas: 7 } })],
      'a status': [r.create(), r.status({ currentReplicas: 1, desiredReplicas: 2 })],
    }),
  ],
  EndpointSlice: [
    {
      path: '/apis/discovery.k8s.io/v1/namespaces/$NS/endpointslices',
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      valid: { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.1.1'] }], ports: [{ port: 80 }] },
    },
    (r) => ({
      'no type': [r.create(r.object({ addressType: undefined }))],
      'an unknown type': [r.create(r.object({ addressType: 'Any' }))],
      'another type': [r.create(), r.merge({ addressType: 'IPv6' })],
      'no addresses': [r.create(r.object({ endpoints: [{}] }))],
      'an invalid address': [r.create(r.object({ endpoints: [{ addresses: ['x'] }] }))],
      'an address of another type': [r.create(r.object({ endpoints: [{ addresses: ['2001:db8::1'] }] }))],
      'ports of a name': [
        r.create(
          r.object({
            ports: [
              { name: 'a', port: 1 },
              { name: 'a', port: 2 },
            ],
          }),
        ),
      ],
      'an unknown protocol': [r.create(r.object({ ports: [{ port: 1, protocol: 'ICMP' }] }))],
      'other endpoints': [
        r.create(),
        r.merge({ endpoints: [{ addresses: ['10.1.1.2'], conditions: { ready: false } }] }),
      ],
      'a target': [
        r.create(
          r.object({
            endpoints: [{ addresses: ['10.1.1.1'], nodeName: 'n', targetRef: { kind: 'Pod', name: 'p' } }],
          }),
        ),
      ],
      'no ports': [r.create(r.object({ ports: undefined }))],
    }),
  ],
  PriorityClass: [
    {
      path: '/apis/scheduling.k8s.io/v1/priorityclasses',
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      valid: { value: 10 },
    },
    (r) => ({
      'another value': [r.create(), r.merge({ value: 20 })],
      'a value too high': [r.create(r.object({ value: 1_000_000_001 }))],
      'no value': [r.create(r.object({ value: undefined }))],
      'never preempts': [
        r.create(r.object({ preemptionPolicy: 'Never' })),
        r.merge({ preemptionPolicy: 'PreemptLowerPriority' }),
      ],
      'an unknown policy': [r.create(r.object({ preemptionPolicy: 'Any' }))],
      'a description': [r.create(), r.merge({ description: 'x' })],
      negative: [r.create(r.object({ value: -5 }))],
    }),
  ],
});
