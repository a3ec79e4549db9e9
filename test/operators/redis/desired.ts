import { hashOf, ownedBy, type ApplyObject } from 'opsdk';
import type { StatefulSet } from 'opsdk/k8s/apps/v1';
import type { ConfigMap, Service } from 'opsdk/k8s/core/v1';
import type { RedisCluster } from './api/redis-cluster.ts';
import { redisPort } from './redis-admin.ts';

/** Label with the shard of a Pod, a claim or a StatefulSet. */
export const shardLabel = 'redis.example.com/shard';

export function labelsOf({ metadata }: RedisCluster): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'redis', 'app.kubernetes.io/instance': metadata.name ?? '' };
}

/** Returns the text form of labels, which selects the objects that have them. */
export function selectorOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map((label) => label.join('='))
    .join();
}

/** Returns the names of the shards that a cluster should have. */
export function wantedShards({ metadata, spec }: RedisCluster): readonly string[] {
  return Array.from({ length: spec.masters }, (_, index) => `${metadata.name}-${index}`);
}

export function desiredConfig(cluster: RedisCluster) {
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-node-timeout': '5000',
    // The operator decides which node follows which; a master without slots would become a replica by itself.
    'cluster-allow-replica-migration': 'no',
    appendonly: 'yes',
    ...cluster.spec.config,
  };
  const lines = Object.entries(settings).map((line) => line.join(' '));
  return {
    metadata: { name: `${cluster.metadata.name}-config`, labels: labelsOf(cluster), ...ownedBy(cluster) },
    data: { 'redis.conf': `${lines.join('\n')}\n` },
  } satisfies ApplyObject<ConfigMap>;
}

/** Returns the Service by whose name the Pods of a shard are found. */
export function desiredService(cluster: RedisCluster, shard: string): ApplyObject<Service> {
  const labels = { ...labelsOf(cluster), [shardLabel]: shard };
  return {
    metadata: { name: shard, labels, ...ownedBy(cluster) },
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: labels,
      ports: [{ name: 'client', port: redisPort }],
    },
  };
}

export function desiredShard(cluster: RedisCluster, shard: string): ApplyObject<StatefulSet> {
  const { spec } = cluster;
  const labels = { ...labelsOf(cluster), [shardLabel]: shard };
  const config = desiredConfig(cluster);
  const checksum = hashOf(config.data);
  const { storage } = spec;
  return {
    metadata: { name: shard, labels, ...ownedBy(cluster) },
    spec: {
      serviceName: shard,
      replicas: 1 + (spec.replicas ?? 1),
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'redis.example.com/config': checksum } },
        spec: {
          terminationGracePeriodSeconds: 10,
          containers: [
            {
              name: 'redis',
              image: spec.image ?? '',
              command: ['redis-server', '/conf/redis.conf'],
              args: [
                ...['--bind', '$(POD_IP)', '--cluster-announce-ip', '$(POD_IP)'],
                ...['--dir', '/data', '--protected-mode', 'no'],
              ],
              env: [{ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
              ports: [{ name: 'client', containerPort: redisPort }],
              volumeMounts: [
                { name: 'config', mountPath: '/conf' },
                { name: 'data', mountPath: '/data' },
              ],
              readinessProbe: {
                exec: { command: ['sh', '-c', 'redis-cli -h "$POD_IP" ping'] },
                periodSeconds: 5,
              },
            },
          ],
          volumes: [
            { name: 'config', configMap: { name: config.metadata.name } },
            ...(storage === undefined ? [{ name: 'data', emptyDir: {} }] : []),
          ],
        },
      },
      ...(storage === undefined
        ? {}
        : {
            volumeClaimTemplates: [
              {
                metadata: { name: 'data', labels },
                spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: storage.size } } },
              },
            ],
          }),
    },
  };
}
