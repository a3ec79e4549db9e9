// A StatefulSet whose Pods answer HTTP requests, for tests of the network and the volumes that the bed gives to Pods.
import { StatefulSet } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { PersistentVolumeClaim, Pod, Service } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import { eventually } from '../../../src/testing/index.ts';
import type { ClusterBed } from './cluster-bed.ts';

export const namespace = 'default';
/** Name of the StatefulSet and of its headless Service. Its Pods listen on {@link webPort}. */
export const web = { name: 'web', namespace };
/** Name of the Service with an address of its own, port 80. */
export const front = { name: 'web-front', namespace };
export const webPort = 8080;

/** Answers with the Pod's name and the address of the client. `/write?text` and `/read` use a file in the volume. */
const program = `
  const { readFileSync, writeFileSync } = require('node:fs');
  const { hostname } = require('node:os');
  const file = '/data/note';
  require('node:http').createServer(({ url, socket }, answer) => {
    const [path, text] = url.split('?');
    if (path === '/write') writeFileSync(file, text);
    answer.end(path === '/read' ? readFileSync(file) : hostname() + ' ' + socket.remoteAddress);
  }).listen(${webPort}, '0.0.0.0');
  process.on('SIGTERM', () => process.exit());
`;

/** The running Pods, and what tests ask them. Disposing of them twice is allowed. */
export interface WebPods extends AsyncDisposable {
  readonly client: KubeClient;
  /** Runs a program for Node in a Pod. @returns its output @throws Error with its error output if it fails */
  run(pod: string, program: string): Promise<string>;
  /** Requests a URL from within a Pod, on a new connection. `patience`: milliseconds until it gives up. Default: a minute. */
  fetch(pod: string, url: string, patience?: number): Promise<string>;
}

/** Starts two Pods with a volume each, and waits until they are ready. @param isSpread each on a node of its own */
export async function startWebPods(bed: ClusterBed, isSpread = false): Promise<WebPods> {
  const client = createClient({
    cluster: await loadCluster({ kubeconfig: bed.kubeconfig }),
    fieldManager: 'test',
  });
  const run = async (name: string, text: string): Promise<string> => {
    const command = ['node', '-e', text];
    const { exitCode, stdout, stderr } = await client.exec({ name, namespace }, { command });
    if (exitCode !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  let isOver = false;
  const labels = { app: 'web' };
  await client.create(Service, {
    metadata: web,
    spec: { clusterIP: 'None', selector: labels, ports: [{ port: webPort }] },
  });
  await client.create(Service, {
    metadata: front,
    spec: { selector: labels, ports: [{ port: 80, targetPort: webPort }] },
  });
  const topologyKey = 'kubernetes.io/hostname';
  await client.create(StatefulSet, {
    metadata: web,
    spec: {
      replicas: 2,
      serviceName: web.name,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 5,
          ...(isSpread && {
            affinity: {
              podAntiAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: [
                  { labelSelector: { matchLabels: labels }, topologyKey },
                ],
              },
            },
          }),
          securityContext: { runAsUser: 65_532, runAsGroup: 65_532, fsGroup: 65_532, runAsNonRoot: true },
          containers: [
            {
              name: 'web',
              image: bed.base,
              command: ['node', '-e', program],
              readinessProbe: { tcpSocket: { port: webPort }, periodSeconds: 1 },
              volumeMounts: [{ name: 'data', mountPath: '/data' }],
            },
          ],
        },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  });
  await eventually(
    async () => {
      const { status } = await client.get(StatefulSet, web);
      if (status?.readyReplicas !== 2) throw new Error(`${status?.readyReplicas ?? 0} of 2 Pods are ready`);
    },
    { timeout: 240_000, interval: 250 },
  );
  return {
    client,
    run,
    fetch: (pod, url, patience = 60_000) =>
      run(
        pod,
        `fetch('${url}', { signal: AbortSignal.timeout(${patience}) }).then((answer) => answer.text()).then(console.log)`,
      ),
    async [Symbol.asyncDispose]() {
      if (isOver) return;
      isOver = true;
      await client.delete(StatefulSet, web, { ignoreNotFound: true });
      for (const service of [web, front]) await client.delete(Service, service, { ignoreNotFound: true });
      await eventually(
        async () => {
          const { items } = await client.list(Pod, { namespace, labelSelector: 'app=web' });
          if (items.length > 0) throw new Error(`${items.length} Pods are left`);
        },
        { timeout: 150_000 },
      );
      for (const index of [0, 1])
        await client.delete(
          PersistentVolumeClaim,
          { name: `data-web-${index}`, namespace },
          { ignoreNotFound: true },
        );
      await client.close();
    },
  };
}
