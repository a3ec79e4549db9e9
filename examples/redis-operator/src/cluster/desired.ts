import { hashOf, ownedBy, type ApplyObject } from 'opsdk';
import type { StatefulSet } from 'opsdk/k8s/apps/v1';
import type { Container, EnvVar, Service } from 'opsdk/k8s/core/v1';
import type { PodDisruptionBudget } from 'opsdk/k8s/policy/v1';
import type { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import { redisPort } from '../redis/redis-admin.ts';
import { redisConf, startCommand } from './config.ts';
import { clientServiceName, configName, labelsOf, nodesServiceName, shardLabel } from './names.ts';

/** Returns the Service by whose name the Pods find each other, also those that are not ready. */
export function desiredNodesService(cluster: DistributedRedisCluster): ApplyObject<Service> {
  const labels = labelsOf(cluster);
  return {
    metadata: { name: nodesServiceName(cluster), labels, ...ownedBy(cluster) },
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: labels,
      ports: [{ name: 'redis', port: redisPort }],
    },
  };
}

/** Returns the Service by which clients find a first node; that one names the others. */
export function desiredClientService(cluster: DistributedRedisCluster): ApplyObject<Service> {
  const labels = labelsOf(cluster);
  return {
    metadata: { name: clientServiceName(cluster), labels, ...ownedBy(cluster) },
    spec: { selector: labels, ports: [{ name: 'redis', port: redisPort }] },
  };
}

/** Returns the budget of a shard: drains remove one of its Pods at a time, and a replica has time to take over. */
export function desiredBudget(
  cluster: DistributedRedisCluster,
  shard: string,
): ApplyObject<PodDisruptionBudget> {
  const labels = { ...labelsOf(cluster), [shardLabel]: shard };
  return {
    metadata: { name: shard, labels, ...ownedBy(cluster) },
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  };
}

/** Variable with the password of a cluster; none if it has no password. */
export function passwordEnv({ spec }: DistributedRedisCluster, name = 'REDIS_PASSWORD'): readonly EnvVar[] {
  const secret = spec.passwordSecret;
  if (secret === undefined) return [];
  return [{ name, valueFrom: { secretKeyRef: { name: secret.name, key: 'password' } } }];
}

/** @param claimSize size in the template that exists, which cannot be changed; undefined for a new one */
export function desiredShard(
  cluster: DistributedRedisCluster,
  shard: string,
  claimSize: string | number | undefined,
): ApplyObject<StatefulSet> {
  const { spec } = cluster;
  const labels = { ...labelsOf(cluster), [shardLabel]: shard };
  const { type, size, class: storageClassName } = spec.storage ?? { type: 'ephemeral' };
  const hasClaims = type === 'persistent-claim';
  return {
    metadata: { name: shard, labels, ...ownedBy(cluster) },
    spec: {
      serviceName: nodesServiceName(cluster),
      replicas: 1 + (spec.clusterReplicas ?? 1),
      podManagementPolicy: 'Parallel',
      // The operator replaces Pods: it knows which one is a master at the moment.
      updateStrategy: { type: 'OnDelete' },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'redis.kun/config': hashOf(redisConf(cluster)) } },
        spec: {
          terminationGracePeriodSeconds: 30,
          // Where there are several nodes, no node has two Pods of a shard more than another one.
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: { matchLabels: labels },
            },
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: labelsOf(cluster) },
            },
          ],
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 999,
            fsGroup: 999,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          containers: [desiredContainer(cluster, shard)],
          volumes: [
            { name: 'conf', configMap: { name: configName(cluster) } },
            ...(hasClaims ? [] : [{ name: 'data', emptyDir: {} }]),
          ],
        },
      },
      ...(hasClaims && {
        volumeClaimTemplates: [
          {
            metadata: { name: 'data', labels },
            spec: {
              accessModes: ['ReadWriteOnce'],
              resources: { requests: { storage: claimSize ?? size ?? '' } },
              ...(storageClassName !== undefined && { storageClassName }),
            },
          },
        ],
      }),
    },
  };
}

function desiredContainer(cluster: DistributedRedisCluster, shard: string): Container {
  const { image = '', resources } = cluster.spec;
  // An error such as LOADING is an answer, too, but not the one of a node that can serve.
  const ping = 'redis-cli -h "$POD_IP" ping | grep -q PONG';
  return {
    name: 'redis',
    image,
    command: [...startCommand],
    env: [
      { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      { name: 'SHARD', value: shard },
      ...passwordEnv(cluster),
      // Read by redis-cli.
      ...passwordEnv(cluster, 'REDISCLI_AUTH'),
    ],
    ports: [
      { name: 'redis', containerPort: redisPort },
      { name: 'bus', containerPort: redisPort + 10_000 },
    ],
    ...(resources && { resources }),
    volumeMounts: [
      { name: 'conf', mountPath: '/conf' },
      { name: 'data', mountPath: '/data' },
    ],
    readinessProbe: { exec: { command: ['sh', '-c', ping] }, periodSeconds: 5, timeoutSeconds: 3 },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  };
}
