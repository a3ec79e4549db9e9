// `npm run bench:heap`: bytes that objects take on the heap in a cache, for each byte of JSON that `opsdk_cache_bytes` counts. The factors
// are those of docs/observability.md and of the warning `runtime/cache-memory`, which takes 1.5.
import { spawnSync } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensureBuild, ensureDependencies } from '../scripts/lib/provision.mjs';

const metadata = (index, more = {}) => ({
  name: `object-${index}-7d4b9c6f5`,
  namespace: `namespace-${index % 50}`,
  uid: `0a1b2c3d-${String(index).padStart(4, '0')}-4e5f-8a9b-0c1d2e3f4a5b`,
  resourceVersion: String(100_000 + index),
  generation: 1,
  creationTimestamp: '2026-01-02T03:04:05Z',
  ...more,
});
const condition = (type) => ({
  ...{ type, status: 'True', observedGeneration: 1, lastTransitionTime: '2026-01-02T03:04:05Z' },
  ...{ reason: 'AllGood', message: 'everything is as it should be' },
});
const probe = (path) => ({
  httpGet: { path, port: 8081, scheme: 'HTTP' },
  ...{
    initialDelaySeconds: 15,
    timeoutSeconds: 1,
    periodSeconds: 20,
    successThreshold: 1,
    failureThreshold: 3,
  },
});
const partial = (index) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: metadata(index, {
    labels: { 'app.kubernetes.io/name': `app-${index % 200}`, 'pod-template-hash': '7d4b9c6f5' },
    annotations: { 'checksum/config': `${'f'.repeat(60)}${index % 1000}` },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: `app-${index % 200}`,
        uid: `${index % 200}`,
        controller: true,
      },
    ],
  }),
});
const pod = (index) => ({
  ...partial(index),
  spec: {
    volumes: [{ name: 'config', configMap: { name: `app-${index % 200}`, defaultMode: 420 } }],
    containers: [
      {
        name: 'app',
        image: `registry.example.com/team/app-${index % 200}:1.2.3`,
        command: ['/app', 'serve', '--port=8080'],
        ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
        env: [
          { name: 'LOG_LEVEL', value: 'info' },
          { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
        ],
        resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
        volumeMounts: [{ name: 'config', mountPath: '/etc/app' }],
        livenessProbe: probe('/healthz'),
        readinessProbe: probe('/readyz'),
        imagePullPolicy: 'IfNotPresent',
        securityContext: { capabilities: { drop: ['ALL'] }, allowPrivilegeEscalation: false },
      },
    ],
    ...{ restartPolicy: 'Always', serviceAccountName: 'app', nodeName: `node-${index % 100}` },
    tolerations: ['not-ready', 'unreachable'].map((name) => ({
      ...{
        key: `node.kubernetes.io/${name}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      },
    })),
  },
  status: {
    phase: 'Running',
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
    podIP: `10.1.${index % 256}.${(index >> 8) % 256}`,
    containerStatuses: [
      {
        name: 'app',
        state: { running: { startedAt: '2026-01-02T03:04:05Z' } },
        ...{ ready: true, restartCount: 0, started: true },
        imageID: `registry.example.com/team/app@sha256:${'a'.repeat(64)}`,
        containerID: `containerd://${String(index).padStart(64, 'b')}`,
      },
    ],
  },
});
const configMap = (index, data) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(index), data });
const site = (index) => ({
  apiVersion: 'example.com/v1',
  kind: 'Site',
  metadata: metadata(index, { finalizers: ['example.com/site'], labels: { app: 'site' } }),
  spec: { replicas: index % 5, image: 'nginx:1.27', hosts: [`site-${index}.example.com`] },
  status: {
    observedGeneration: 1,
    readyReplicas: index % 5,
    conditions: ['Ready', 'Progressing'].map(condition),
  },
});

const kinds = {
  'texts of 100 kB': {
    count: 300,
    make: (index) => configMap(index, { text: `${index}`.padEnd(100_000, 'a') }),
  },
  'texts of 1 kB': {
    count: 20_000,
    make: (index) => configMap(index, { text: `${index}`.padEnd(1000, 'a') }),
  },
  'texts of 1 kB, not of Western Europe': {
    count: 10_000,
    make: (index) => configMap(index, { text: `${index}`.padEnd(1000, '世') }),
  },
  Pods: { count: 4000, make: pod },
  'metadata of Pods': { count: 20_000, make: partial },
  'custom resources': { count: 15_000, make: site },
};

/** Bytes of heap for each byte of JSON, of a kind in a cache. */
async function factorOf({ count, make }) {
  const { Store } = await import('../dist/sdk/runtime/cache/store.js');
  const used = async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      globalThis.gc();
      await setImmediate();
    }
    return process.memoryUsage().heapUsed;
  };
  const store = new Store({ apiVersion: 'v1', kind: 'Object' });
  const before = await used();
  // As watches do it: parsed from bytes, one after the other.
  for (let index = 0; index < count; index += 1)
    store.apply('ADDED', JSON.parse(Buffer.from(JSON.stringify(make(index))).toString()));
  return ((await used()) - before) / store.bytes;
}

const [only] = process.argv.slice(2);
if (only === undefined) {
  await ensureDependencies();
  await ensureBuild();
  // A process each, so that none finds the garbage of another.
  for (const name of Object.keys(kinds)) {
    const { stdout } = spawnSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    console.log(`${name.padEnd(40)}${stdout.trim().padStart(6)}`);
  }
} else console.log((await factorOf(kinds[only])).toFixed(2));
