import { describe, expect, test } from 'vitest';
import type { Node, Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { placePod, podRequests, type OccupiedNode } from '../../../../src/testing/node/place-pod.ts';

type PodSpec = NonNullable<Pod['spec']>;

let count = 0;
function podOf(spec: Partial<PodSpec> = {}, labels: Record<string, string> = {}, namespace = 'ns'): Pod {
  count += 1;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `pod-${count}`, namespace, uid: `u${count}`, labels },
    spec: { containers: [{ name: 'app', image: 'x' }], ...spec },
  };
}

function nodeOf(
  name: string,
  { spec, labels = {} }: { spec?: Node['spec']; labels?: Record<string, string> } = {},
): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec: spec ?? {},
    status: { allocatable: { cpu: '2', memory: '4Gi', pods: '4' } },
  };
}

const on = (node: Node, ...pods: Pod[]): OccupiedNode => ({ node, pods });
const cpu = (quantity: string): Partial<PodSpec> => ({
  containers: [{ name: 'app', image: 'x', resources: { requests: { cpu: quantity } } }],
});

function place(pod: Pod, ...nodes: OccupiedNode[]): string {
  const placement = placePod(pod, {
    nodes,
    namespaceLabels: (name) => ({ 'kubernetes.io/metadata.name': name }),
    volumeReason: () => undefined,
  });
  return 'node' in placement ? placement.node : placement.message;
}

/** The reasons alone; what is said of preemption has tests of its own. */
const reasons = (message: string): string => message.replace(/^.*?available: |\. preemption: .*$/g, '');

describe('a Pod is bound to', () => {
  test('the node with the fewest Pods of its owner, then with the fewest Pods, then the first', () => {
    const owned = (): Pod => {
      const pod = podOf();
      const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'rs', controller: true };
      return { ...pod, metadata: { ...pod.metadata, ownerReferences: [owner] } };
    };
    expect(place(owned(), on(nodeOf('a'), owned()), on(nodeOf('b'), podOf(), podOf()))).toBe('b');
    expect(place(podOf(), on(nodeOf('a'), podOf()), on(nodeOf('b')))).toBe('b');
    expect(place(podOf(), on(nodeOf('b')), on(nodeOf('a')))).toBe('a');
  });

  test.each<[string, Partial<PodSpec>]>([
    ['its selector', { nodeSelector: { disk: 'ssd' } }],
    [
      'its affinity',
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] }],
            },
          },
        },
      },
    ],
    [
      'its name, as a DaemonSet names it',
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }] }],
            },
          },
        },
      },
    ],
  ])('the node of %s', (_, spec) => {
    expect(place(podOf(spec), on(nodeOf('a')), on(nodeOf('b', { labels: { disk: 'ssd' } })))).toBe('b');
    expect(reasons(place(podOf(spec), on(nodeOf('a'))))).toBe(
      "1 node(s) didn't match Pod's node affinity/selector",
    );
  });
});

describe('a Pod fits on no node', () => {
  test('that is full', () => {
    expect(place(podOf(cpu('1500m')), on(nodeOf('a'), podOf(cpu('1'))))).toBe(
      '0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
    );
    const four = [podOf(), podOf(), podOf(), podOf()];
    expect(reasons(place(podOf(), on(nodeOf('a'), ...four)))).toBe('1 Too many pods');
  });

  test('that is too small, whoever leaves it', () => {
    expect(place(podOf(cpu('64')), on(nodeOf('a')), on(nodeOf('b')))).toContain(
      'preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    );
  });

  test('that is cordoned or has a taint that it does not tolerate', () => {
    const cordoned = nodeOf('a', { spec: { unschedulable: true } });
    const tainted = nodeOf('b', { spec: { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] } });
    expect(reasons(place(podOf(), on(cordoned), on(tainted)))).toBe(
      '1 node(s) had untolerated taint(s), 1 node(s) were unschedulable',
    );
    const tolerant = podOf({
      tolerations: [{ key: 'gpu', operator: 'Equal', value: 'yes', effect: 'NoSchedule' }],
    });
    expect(place(tolerant, on(cordoned), on(tainted))).toBe('b');
    expect(place(podOf({ tolerations: [{ operator: 'Exists' }] }), on(cordoned))).toBe('a');
    const preferred = nodeOf('c', { spec: { taints: [{ key: 'x', effect: 'PreferNoSchedule' }] } });
    expect(place(podOf(), on(preferred))).toBe('c');
  });

  test('on which another Pod has its host port', () => {
    const pod = (): Pod =>
      podOf({ containers: [{ name: 'app', image: 'x', ports: [{ containerPort: 80, hostPort: 80 }] }] });
    expect(reasons(place(pod(), on(nodeOf('a'), pod())))).toBe(
      "1 node(s) didn't have free ports for the requested pod ports",
    );
  });

  test('where affinities to other Pods forbid it', () => {
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } };
    const required = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    const apart = podOf({ affinity: { podAntiAffinity: required } }, { app: 'web' });
    const together = podOf({ affinity: { podAffinity: required } });
    const web = podOf({}, { app: 'web' });
    expect(place(apart, on(nodeOf('a'), web), on(nodeOf('b')))).toBe('b');
    expect(reasons(place(apart, on(nodeOf('a'), web)))).toBe(
      "1 node(s) didn't match pod anti-affinity rules",
    );
    expect(reasons(place(web, on(nodeOf('a'), apart)))).toBe(
      "1 node(s) didn't satisfy existing pods anti-affinity rules",
    );
    expect(place(together, on(nodeOf('a')), on(nodeOf('b'), web))).toBe('b');
    expect(reasons(place(together, on(nodeOf('a'))))).toBe("1 node(s) didn't match pod affinity rules");
    // The first of Pods that want to be together may begin anywhere.
    expect(place(podOf({ affinity: { podAffinity: required } }, { app: 'web' }), on(nodeOf('a')))).toBe('a');
    // Pods of other namespaces do not count, unless the term names them.
    const elsewhere = podOf({}, { app: 'web' }, 'other');
    expect(place(apart, on(nodeOf('a'), elsewhere))).toBe('a');
    const everywhere = {
      requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, namespaceSelector: {} }],
    };
    const wary = podOf({ affinity: { podAntiAffinity: everywhere } });
    expect(reasons(place(wary, on(nodeOf('a'), elsewhere)))).toBe(
      "1 node(s) didn't match pod anti-affinity rules",
    );
  });

  test('where the spread over zones would become uneven', () => {
    const zone = (name: string, of: string): Node => nodeOf(name, { labels: { zone: of } });
    const spread = (): Pod =>
      podOf(
        {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'zone',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: { matchLabels: { app: 'web' } },
            },
          ],
        },
        { app: 'web' },
      );
    expect(place(spread(), on(zone('a', 'z1'), spread()), on(zone('b', 'z2')))).toBe('b');
    const full = nodeOf('b', { labels: { zone: 'z2' }, spec: { unschedulable: true } });
    expect(reasons(place(spread(), on(zone('a', 'z1'), spread()), on(full)))).toBe(
      "1 node(s) didn't match pod topology spread constraints, 1 node(s) were unschedulable",
    );
    expect(reasons(place(spread(), on(nodeOf('a'))))).toBe(
      "1 node(s) didn't match pod topology spread constraints (missing required label)",
    );
  });

  test('if there is none', () => {
    expect(place(podOf())).toBe('no nodes available to schedule pods');
  });
});

test('requests are those of containers and sidecars, or of the largest init container with the sidecars before it', () => {
  const container = (name: string, amount: string, more: object = {}) => ({
    name,
    image: 'x',
    resources: { requests: { cpu: amount, memory: '1Mi' } },
    ...more,
  });
  const pod = podOf({
    initContainers: [container('side', '100m', { restartPolicy: 'Always' }), container('init', '2')],
    containers: [container('a', '0.5'), container('b', '250m')],
    overhead: { cpu: '10m' },
  });
  expect(podRequests(pod)).toEqual(
    new Map([
      ['cpu', 2110n],
      ['memory', 3n * 1024n * 1024n * 1000n],
    ]),
  );
});
