import { agree, type AnyStep, type Case } from '../case.ts';
import {
  commonCases,
  container,
  labels,
  podSpec,
  requestsOf,
  type Fields,
  type KindUnderTest,
} from './requests.ts';

export const pod: KindUnderTest = {
  path: '/api/v1/namespaces/$NS/pods',
  apiVersion: 'v1',
  kind: 'Pod',
  valid: { spec: podSpec() },
};
const { create, get, spec, merge, status, object, below, remove, apply } = requestsOf(pod);
const say = (name: string, ...steps: readonly AnyStep[]): Case => agree(`Pod: ${name}`, ...steps);
const withSpec = (name: string, change: Fields): Case => say(name, create(spec(change)));
const withContainer = (name: string, own: Fields): Case =>
  withSpec(name, { containers: [{ ...container, ...own }] });
const bound = { nodeName: 'n1' };
const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
const eviction = (name = 'a'): Fields => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });
const post = (part: string, body: Fields) => below({ ...get, method: 'POST', body }, part);
const budgetPath = '/apis/policy/v1/namespaces/$NS/poddisruptionbudgets';
const createBudget = (name: string, change: Fields = {}) => ({
  method: 'POST' as const,
  path: budgetPath,
  body: {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { minAvailable: 1, selector: { matchLabels: labels }, ...change },
  },
});
const budgetStatus = (name: string, change: Fields) => ({
  method: 'PATCH' as const,
  path: `${budgetPath}/${name}/status`,
  type: 'application/merge-patch+json',
  body: {
    status: { observedGeneration: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, ...change },
  },
});
const labelled = create({ ...object(), metadata: { name: 'a', labels } });
const ready = [labelled, status(running)];
const binding = (target: Fields, metadata: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name: 'a', ...metadata },
  target,
});
const onNode = create(spec(bound));

export const podCases: readonly Case[] = [
  ...commonCases(pod),
  withSpec('no containers', { containers: [] }),
  withSpec('two containers of a name', { containers: [container, container] }),
  withSpec('Never', { restartPolicy: 'Never' }),
  withSpec('an invalid restartPolicy', { restartPolicy: 'Sometimes' }),
  withSpec('an invalid dnsPolicy', { dnsPolicy: 'Any' }),
  withSpec('an init container with a probe', {
    initContainers: [{ name: 'i', image: 'x', livenessProbe: { exec: { command: ['a'] } } }],
  }),
  withSpec('a sidecar', { initContainers: [{ name: 'i', image: 'x:1', restartPolicy: 'Always' }] }),
  withSpec('an init container of the name of a container', { initContainers: [{ name: 'web', image: 'x' }] }),
  withSpec('hostNetwork', {
    hostNetwork: true,
    containers: [{ ...container, ports: [{ containerPort: 80 }] }],
  }),
  withSpec('an invalid node', { nodeName: 'A_B' }),
  withSpec('an invalid nodeSelector', { nodeSelector: { 'a b': 'c' } }),
  withSpec('a negative grace period', { terminationGracePeriodSeconds: -5 }),
  withSpec('activeDeadlineSeconds of 0', { activeDeadlineSeconds: 0 }),
  withSpec('a ServiceAccount', { serviceAccountName: 'x' }),
  withSpec('an invalid ServiceAccount', { serviceAccountName: 'X_' }),
  withSpec('tolerations', { tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }] }),
  withSpec('a toleration without key', { tolerations: [{ operator: 'Equal', value: 'x' }] }),
  withSpec('a toleration of seconds', {
    tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds: 3 }],
  }),
  withSpec('an invalid effect', { tolerations: [{ key: 'a', operator: 'Exists', effect: 'Never' }] }),
  withSpec('affinity', {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' },
        ],
      },
    },
  }),
  withSpec('volumes', {
    volumes: [
      { name: 'a', emptyDir: {} },
      { name: 'b', secret: { secretName: 's', items: [{ key: 'k', path: 'p' }] } },
      { name: 'c', configMap: { name: 'c', optional: false } },
      {
        name: 'd',
        projected: {
          sources: [
            { secret: { name: 's' } },
            { downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.name' } }] } },
          ],
        },
      },
      { name: 'e', persistentVolumeClaim: { claimName: 'c' } },
      { name: 'f' },
      { name: 'g', hostPath: { path: '/x' } },
    ],
  }),
  withSpec('two volumes of a name', { volumes: [{ name: 'a' }, { name: 'a' }] }),
  withSpec('a volume of two sources', {
    volumes: [{ name: 'a', emptyDir: {}, secret: { secretName: 's' } }],
  }),
  withSpec('a volume without a Secret', { volumes: [{ name: 'a', secret: {} }] }),
  withSpec('a volume without a claim', { volumes: [{ name: 'a', persistentVolumeClaim: {} }] }),
  withSpec('a volume without a name', { volumes: [{ emptyDir: {} }] }),
  withSpec('a gate', { schedulingGates: [{ name: 'example.com/x' }] }),
  withSpec('a priority', { priorityClassName: 'x' }),
  withSpec('an invalid hostname', { hostname: 'a.b' }),
  withContainer('a mount of an unknown volume', { volumeMounts: [{ name: 'x', mountPath: '/x' }] }),
  withContainer('a mount without a path', { volumeMounts: [{ name: 'x' }] }),
  withContainer('requests over limits', { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
  withContainer('limits', { resources: { limits: { cpu: '0.5', memory: '1024Mi' } } }),
  withContainer('requests', {
    resources: { requests: { cpu: '1000m' }, limits: { cpu: 2, memory: '1.5Gi' } },
  }),
  withContainer('an extended resource without a limit', {
    resources: { requests: { 'example.com/gpu': '1' } },
  }),
  withContainer('an unknown resource', { resources: { requests: { gpu: '1' } } }),
  withContainer('a negative amount', { resources: { requests: { cpu: '-1' } } }),
  withContainer('duplicate names of ports', {
    ports: [
      { name: 'a', containerPort: 80 },
      { name: 'a', containerPort: 81 },
    ],
  }),
  withContainer('a port out of range', { ports: [{ containerPort: 70_000 }] }),
  withContainer('a port without a number', { ports: [{ name: 'a' }] }),
  withContainer('an invalid name of a port', { ports: [{ name: 'A_long-port-name--x', containerPort: 1 }] }),
  withContainer('an invalid protocol', { ports: [{ containerPort: 1, protocol: 'ICMP' }] }),
  withContainer('an invalid variable', { env: [{ name: 'a=b', value: 'x' }] }),
  withContainer('a variable without a name', { env: [{ value: 'x' }] }),
  withContainer('a variable of two sources', {
    env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
  }),
  withContainer('a variable of a Secret', {
    env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }],
  }),
  withContainer('a variable of no key', { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's' } } }] }),
  withContainer('envFrom', {
    envFrom: [{ configMapRef: { name: 'c' } }, { prefix: 'P_', secretRef: { name: 's' } }],
  }),
  withContainer('envFrom nothing', { envFrom: [{}] }),
  withContainer('a probe without a handler', { livenessProbe: { periodSeconds: 3 } }),
  withContainer('a probe with two handlers', {
    livenessProbe: { exec: { command: ['a'] }, tcpSocket: { port: 80 } },
  }),
  withContainer('a liveness probe of two successes', {
    livenessProbe: { tcpSocket: { port: 80 }, successThreshold: 2 },
  }),
  withContainer('probes', {
    startupProbe: { httpGet: { port: 'http', httpHeaders: [{ name: 'A', value: 'b' }] } },
    readinessProbe: { grpc: { port: 80 }, initialDelaySeconds: 1 },
    lifecycle: { preStop: { httpGet: { port: 80 } }, postStart: { exec: { command: ['a'] } } },
  }),
  withContainer('a probe of a negative time', {
    readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: -1 },
  }),
  withContainer('a probe of port 0', { readinessProbe: { tcpSocket: { port: 0 } } }),
  withContainer('an invalid pull policy', { imagePullPolicy: 'Often' }),
  withContainer('an image with a space', { image: ' x' }),
  withContainer('privileges', {
    securityContext: { privileged: false, runAsUser: 0, readOnlyRootFilesystem: false },
  }),
  withContainer('an invalid user', { securityContext: { runAsUser: -1 } }),
  withContainer('mounts', {
    volumeMounts: [{ name: 'x', mountPath: '/x', subPath: '../y', readOnly: false }],
  }),
  say('another image', create(), merge({ spec: { containers: [{ ...container, image: 'nginx:2' }] } })),
  say('another command', create(), merge({ spec: { containers: [{ ...container, command: ['a'] }] } })),
  say('another container', create(), merge({ spec: { containers: [container, { name: 'b', image: 'b' }] } })),
  say('another node', create(), merge({ spec: bound })),
  say('another restartPolicy', create(), merge({ spec: { restartPolicy: 'Never' } })),
  say(
    'a deadline',
    create(),
    merge({ spec: { activeDeadlineSeconds: 10 } }),
    merge({ spec: { activeDeadlineSeconds: 20 } }),
  ),
  say(
    'no deadline any more',
    create(spec({ activeDeadlineSeconds: 9 })),
    merge({ spec: { activeDeadlineSeconds: null } }),
  ),
  say('one more toleration', create(), merge({ spec: { tolerations: [{ key: 'a', operator: 'Exists' }] } })),
  say(
    'a gate removed',
    create(spec({ schedulingGates: [{ name: 'example.com/x' }] })),
    merge({ spec: { schedulingGates: [] } }),
  ),
  say('a gate added', create(), merge({ spec: { schedulingGates: [{ name: 'example.com/x' }] } })),
  say('a status', ...ready),
  say('a status by apply', create(), requestsOf(pod).statusApply({ phase: 'Running', podIP: '10.1.1.1' })),
  say(
    'a status with addresses',
    create(),
    status({ podIP: '10.1.1.1', podIPs: [{ ip: '10.1.1.1' }], hostIP: '10.1.1.2' }),
  ),
  say('a status in a create', create({ ...object(), status: running })),
  say('the status by the main endpoint', create(), merge({ status: running })),
  say(
    'spec by the status endpoint',
    create(),
    below(merge({ spec: { nodeName: 'x' }, metadata: { labels } }), 'status'),
  ),
  say(
    'containers in a status',
    create(),
    status({
      containerStatuses: [
        {
          name: 'web',
          image: 'nginx:1',
          imageID: 'x',
          ready: true,
          restartCount: 0,
          state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
        },
      ],
    }),
  ),
  say('deleted on a node', onNode, remove(), get, remove({ gracePeriodSeconds: 0 }), get),
  say(
    'deleted with a grace period',
    onNode,
    remove({ gracePeriodSeconds: 5 }),
    remove({ gracePeriodSeconds: 2 }),
  ),
  say('deleted after its end', onNode, status({ phase: 'Succeeded' }), remove(), get),
  say('bound', create(), post('binding', binding({ kind: 'Node', name: 'n1' })), get),
  say(
    'bound twice',
    create(),
    post('binding', binding({ name: 'n1' })),
    post('binding', binding({ name: 'n2' })),
  ),
  say('bound to nothing', create(), post('binding', binding({}))),
  say('bound to another kind', create(), post('binding', binding({ kind: 'Host', name: 'x' }))),
  say(
    'bound while gated',
    create(spec({ schedulingGates: [{ name: 'example.com/x' }] })),
    post('binding', binding({ name: 'n1' })),
  ),
  say('a binding of no Pod', post('binding', binding({ name: 'n1' }))),
  say('evicted', create(), post('eviction', eviction()), get),
  say('evicted by another name', create(), post('eviction', eviction('b'))),
  say('an eviction of no Pod', post('eviction', eviction())),
  say('evicted without a budget', ...ready, post('eviction', eviction()), get),
  say('evicted on a node', create(spec(bound)), status(running), post('eviction', eviction()), get),
  say('a budget not seen yet', createBudget('b'), ...ready, post('eviction', eviction()), get),
  say(
    'a budget of nothing',
    createBudget('b'),
    budgetStatus('b', { disruptionsAllowed: 0 }),
    ...ready,
    post('eviction', eviction()),
  ),
  say(
    'a budget of one',
    createBudget('b'),
    budgetStatus('b', { disruptionsAllowed: 1 }),
    ...ready,
    post('eviction', eviction()),
    { method: 'GET', path: `${budgetPath}/b` },
  ),
  say('two budgets', createBudget('b'), createBudget('c'), ...ready, post('eviction', eviction())),
  say(
    'a budget of others',
    createBudget('b', { selector: { matchLabels: { app: 'y' } } }),
    ...ready,
    post('eviction', eviction()),
  ),
  say(
    'an unhealthy Pod, always',
    createBudget('b', { unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
    labelled,
    status({ phase: 'Running' }),
    post('eviction', eviction()),
  ),
  say(
    'an unhealthy Pod, healthy budget',
    createBudget('b'),
    budgetStatus('b', { disruptionsAllowed: 0 }),
    labelled,
    status({ phase: 'Running' }),
    post('eviction', eviction()),
  ),
  say(
    'an eviction that is tried',
    ...ready,
    { ...post('eviction', eviction()), path: '/api/v1/namespaces/$NS/pods/a/eviction?dryRun=All' },
    get,
  ),
  say('of a phase', create(), status({ phase: 'Running' }), {
    ...get,
    path: `${pod.path}?fieldSelector=status.phase%3DRunning`,
  }),
  say('of a node', onNode, { ...get, path: `${pod.path}?fieldSelector=spec.nodeName%3Dn1` }),
  say(
    'an apply of another image',
    apply(),
    apply(spec({ containers: [{ ...container, image: 'nginx:2' }] })),
  ),
];
