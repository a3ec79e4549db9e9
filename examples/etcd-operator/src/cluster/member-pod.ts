import { ownedBy, type ApplyObject } from 'opsdk';
import type { Container, PersistentVolumeClaim, Pod, Probe, Volume } from 'opsdk/k8s/core/v1';
import type { EtcdCluster } from '../api/etcd/v1beta2/etcd-cluster.ts';
import { restoreNameAnnotation, restoreUidAnnotation, type SeedMember } from '../etcd/restore-source.ts';
import type { SecretKeys } from '../tls/secret-files.ts';
import {
  annotations,
  claimNameOf,
  clientPort,
  hostOf,
  labelsOf,
  metricsPort,
  peerPort,
  schemeOf,
} from './names.ts';
import { etcdContainer } from './observed.ts';
import type { MemberToStart } from './step.ts';

const dataVolume = { name: 'data', mountPath: '/var/etcd' } as const;
const dataDir = `${dataVolume.mountPath}/data`;
const tlsFolder = '/etc/etcd/tls';

/** Secret that is mounted into a member's Pod, and the keys of its data. */
export interface MountedSecret {
  readonly secretName: string;
  readonly keys: SecretKeys;
}

export interface MemberTLS {
  readonly peer: MountedSecret;
  readonly server: MountedSecret;
}

export interface PodOptions {
  readonly hash: string;
  readonly tls: MemberTLS | undefined;
  /** Peer URL of the member, as etcd has it. */
  readonly peerURL: string;
}

export function imageOf({ spec }: EtcdCluster, version: string): string {
  return `${spec.repository}:v${version}`;
}

function metadataOf(cluster: EtcdCluster, name: string, token: string) {
  const labels = { ...cluster.spec.pod?.labels, ...labelsOf(cluster), etcd_node: name };
  return { labels, annotations: { [annotations.token]: token }, ...ownedBy(cluster) };
}

/** Returns the claim of a member; undefined if the cluster has no storage. */
export function desiredClaim(
  cluster: EtcdCluster,
  { name, token }: Pick<MemberToStart, 'name' | 'token'>,
): ApplyObject<PersistentVolumeClaim> | undefined {
  const { storage } = cluster.spec;
  if (storage === undefined) return undefined;
  return {
    metadata: { name: claimNameOf(name), ...metadataOf(cluster, name, token) },
    spec: {
      accessModes: ['ReadWriteOnce'],
      ...(storage.class === undefined ? {} : { storageClassName: storage.class }),
      resources: { requests: { storage: storage.size } },
    },
  };
}

/** Returns the Pod of a member. */
export function desiredPod(
  cluster: EtcdCluster,
  member: MemberToStart,
  options: PodOptions,
): ApplyObject<Pod> {
  const { spec, metadata } = cluster;
  const { name, token, restore, version } = member;
  const { pod = {} } = spec;
  const image = imageOf(cluster, version);
  const seed: SeedMember = {
    name,
    peerURL: options.peerURL,
    token,
    dataDir,
    volume: dataVolume,
    image,
    version,
  };
  const base = metadataOf(cluster, name, token);
  return {
    metadata: {
      ...base,
      name,
      annotations: {
        ...pod.annotations,
        ...base.annotations,
        [annotations.hash]: options.hash,
        ...(restore && {
          [restoreNameAnnotation]: restore.restore.name,
          [restoreUidAnnotation]: restore.restore.uid,
        }),
      },
    },
    spec: {
      hostname: name,
      subdomain: metadata.name ?? '',
      restartPolicy: 'Always',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: pod.securityContext ?? {
        runAsNonRoot: true,
        runAsUser: 65532,
        runAsGroup: 65532,
        fsGroup: 65532,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      ...placementOf(cluster),
      initContainers: [...(restore?.initContainers(seed) ?? [])],
      containers: [containerOf(cluster, member, options)],
      volumes: [...volumesOf(cluster, name, options.tls), ...(restore?.volumes ?? [])],
    },
  };
}

/** Returns where the Pod may run. */
function placementOf({ spec, metadata }: EtcdCluster): Partial<ApplyObject<Pod>['spec']> {
  const { pod = {} } = spec;
  const { nodeSelector, tolerations, topologySpreadConstraints, priorityClassName, imagePullSecrets } = pod;
  const apart = {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        {
          labelSelector: { matchLabels: { etcd_cluster: metadata.name ?? '' } },
          topologyKey: 'kubernetes.io/hostname',
        },
      ],
    },
  };
  return {
    nodeSelector,
    tolerations,
    topologySpreadConstraints,
    priorityClassName,
    imagePullSecrets,
    affinity: pod.antiAffinity === true ? apart : pod.affinity,
  };
}

function containerOf(cluster: EtcdCluster, member: MemberToStart, { tls, peerURL }: PodOptions): Container {
  const { pod = {} } = cluster.spec;
  return {
    name: etcdContainer,
    image: imageOf(cluster, member.version),
    command: ['etcd', ...flagsOf(cluster, member, peerURL), ...(tls === undefined ? [] : tlsFlags())],
    env: [...(pod.etcdEnv ?? []), { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
    ports: [
      { name: 'client', containerPort: clientPort },
      { name: 'peer', containerPort: peerPort },
      { name: 'metrics', containerPort: metricsPort },
    ],
    volumeMounts: [
      dataVolume,
      ...(tls === undefined ? [] : [{ name: 'tls', mountPath: tlsFolder, readOnly: true }]),
    ],
    readinessProbe: readinessProbe(member.version),
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    ...(pod.resources === undefined ? {} : { resources: pod.resources }),
  };
}

/**
 * Clients are sent to a member that has a quorum, also if its database is full: deletions have to reach it. A liveness
 * probe would restart a member that has lost the others; etcd ends by itself where it cannot go on.
 */
function readinessProbe(version: string): Probe {
  const times = { timeoutSeconds: 5, periodSeconds: 5 };
  // /health of 3.4 writes into the log of the members, which 3.6 refuses to read.
  return /^3\.4\./.test(version)
    ? { tcpSocket: { port: 'metrics' }, ...times }
    : { httpGet: { path: '/health?exclude=NOSPACE', port: 'metrics' }, ...times };
}

function flagsOf(cluster: EtcdCluster, member: MemberToStart, peerURL: string): readonly string[] {
  const scheme = schemeOf(cluster);
  const initialCluster = Object.entries(member.initialCluster).map((peer) => peer.join('='));
  return [
    `--name=${member.name}`,
    `--data-dir=${dataDir}`,
    `--listen-peer-urls=${scheme}://$(POD_IP):${peerPort}`,
    `--listen-client-urls=${scheme}://$(POD_IP):${clientPort}`,
    `--listen-metrics-urls=http://$(POD_IP):${metricsPort}`,
    `--initial-advertise-peer-urls=${peerURL}`,
    `--advertise-client-urls=${scheme}://${hostOf(cluster, member.name)}:${clientPort}`,
    `--initial-cluster=${initialCluster.join()}`,
    `--initial-cluster-state=${member.state}`,
    `--initial-cluster-token=${member.token}`,
  ];
}

function tlsFlags(): readonly string[] {
  const files = (use: string) => `${tlsFolder}/${use}`;
  return [
    '--client-cert-auth=true',
    `--trusted-ca-file=${files('server')}/ca.crt`,
    `--cert-file=${files('server')}/tls.crt`,
    `--key-file=${files('server')}/tls.key`,
    '--peer-client-cert-auth=true',
    `--peer-trusted-ca-file=${files('peer')}/ca.crt`,
    `--peer-cert-file=${files('peer')}/tls.crt`,
    `--peer-key-file=${files('peer')}/tls.key`,
  ];
}

function volumesOf({ spec }: EtcdCluster, name: string, tls: MemberTLS | undefined): readonly Volume[] {
  const data: Volume =
    spec.storage === undefined
      ? { name: dataVolume.name, emptyDir: {} }
      : { name: dataVolume.name, persistentVolumeClaim: { claimName: claimNameOf(name) } };
  if (tls === undefined) return [data];
  const sources = Object.entries(tls).map(([use, { secretName, keys }]: [string, MountedSecret]) => ({
    secret: {
      name: secretName,
      items: [
        { key: keys.ca, path: `${use}/ca.crt` },
        { key: keys.cert, path: `${use}/tls.crt` },
        { key: keys.key, path: `${use}/tls.key` },
      ],
    },
  }));
  return [data, { name: 'tls', projected: { sources } }];
}
