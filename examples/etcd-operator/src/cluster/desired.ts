import { ownedBy, type ApplyObject } from 'opsdk';
import type { Pod, Service } from 'opsdk/k8s/core/v1';
import type { EtcdCluster } from '../api/etcd/v1beta2/etcd-cluster.ts';

export const clientPort = 2379;
const peerPort = 2380;

/** Annotation with the members with which a Pod was started. */
const peersAnnotation = 'etcd.database.coreos.com/initial-cluster';

export function labelsOf({ metadata }: EtcdCluster): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'etcd', 'app.kubernetes.io/instance': metadata.name ?? '' };
}

/** Returns the host of a member, by which the other members find it. */
export function hostOf({ metadata }: EtcdCluster, pod: string): string {
  return `${pod}.${metadata.name}.${metadata.namespace}.svc`;
}

export function peerUrl(host: string): string {
  return `http://${host}:${peerPort}`;
}

/** Returns a headless Service for the members among themselves, and one for clients. */
export function desiredServices(cluster: EtcdCluster): readonly ApplyObject<Service>[] {
  const { name } = cluster.metadata;
  const selector = labelsOf(cluster);
  const metadata = { labels: selector, ...ownedBy(cluster) };
  const client = { name: 'client', port: clientPort };
  return [
    {
      metadata: { ...metadata, name },
      spec: {
        clusterIP: 'None',
        publishNotReadyAddresses: true,
        selector,
        ports: [client, { name: 'peer', port: peerPort }],
      },
    },
    { metadata: { ...metadata, name: `${name}-client` }, spec: { selector, ports: [client] } },
  ];
}

export interface MemberPod {
  readonly name: string;
  /** `new` for the first members of a cluster. */
  readonly state: 'new' | 'existing';
  /** Peer URLs of all members by name, this one included. */
  readonly peers: Readonly<Record<string, string>>;
}

export function desiredPod(cluster: EtcdCluster, { name, state, peers }: MemberPod) {
  const { spec, metadata } = cluster;
  const host = hostOf(cluster, name);
  const initialCluster = Object.entries(peers)
    .map((peer) => peer.join('='))
    .join();
  return {
    metadata: {
      name,
      labels: labelsOf(cluster),
      annotations: { [peersAnnotation]: initialCluster },
      ...ownedBy(cluster),
    },
    spec: {
      hostname: name,
      subdomain: metadata.name,
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 5,
      containers: [
        {
          name: 'etcd',
          image: `${spec.repository}:v${spec.version}`,
          command: [
            'etcd',
            `--name=${name}`,
            '--data-dir=/var/etcd/data',
            `--listen-peer-urls=http://$(POD_IP):${peerPort}`,
            `--listen-client-urls=http://$(POD_IP):${clientPort}`,
            `--initial-advertise-peer-urls=${peerUrl(host)}`,
            `--advertise-client-urls=http://${host}:${clientPort}`,
            `--initial-cluster=${initialCluster}`,
            `--initial-cluster-state=${state}`,
            // The operator asks every member before it adds one; etcd would want five seconds of calm besides.
            '--strict-reconfig-check=false',
          ],
          env: [{ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
          ports: [
            { name: 'client', containerPort: clientPort },
            { name: 'peer', containerPort: peerPort },
          ],
          volumeMounts: [{ name: 'data', mountPath: '/var/etcd' }],
          readinessProbe: { httpGet: { path: '/health', port: 'client' }, periodSeconds: 2 },
        },
      ],
      volumes: [{ name: 'data', emptyDir: {} }],
    },
  } satisfies ApplyObject<Pod>;
}

/** Returns the peer URLs with which a Pod was started, by the names of the members. */
export function peersOf({ metadata }: Pod): Readonly<Record<string, string>> {
  const text = metadata.annotations?.[peersAnnotation] ?? '';
  return Object.fromEntries(text.split(',').map((peer) => peer.split('=', 2) as [string, string]));
}
