import { ownedBy, type ApplyObject } from 'opsdk';
import type { ConfigMap } from 'opsdk/k8s/core/v1';
import type { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import { configName, labelsOf } from './names.ts';

/** Milliseconds after which a node that does not answer is suspected. */
const nodeTimeout = 5000;

/** Seconds after which the other nodes have found a node failed, and a replica has its role. */
const electionSeconds = 12;

/**
 * Starts Redis. A node that comes back without its data while its replicas have it waits until they have given it up: at its old address they
 * would take it for their master, and copy its emptiness.
 *
 * The password is neither in a file nor among the arguments, which other processes could read.
 */
const startScript = `set -eu
if [ ! -s /data/nodes.conf ] && grep -qxF "$SHARD" /conf/serving; then
  echo "waiting ${electionSeconds} seconds: a replica is to take over first"
  sleep ${electionSeconds}
fi
exec redis-server - <<END
$(cat /conf/redis.conf)
$(if [ -n "\${REDIS_PASSWORD:-}" ]; then printf 'requirepass "%s"\\nmasterauth "%s"\\n' "$REDIS_PASSWORD" "$REDIS_PASSWORD"; fi)
dir /data
bind $POD_IP
cluster-announce-ip $POD_IP
END
`;

/** Command of the container: the script reads what the ConfigMap and the Secret say. */
export const startCommand: readonly string[] = ['sh', '-c', startScript];

/** Returns the lines of redis.conf. Those of the spec come last, and cannot name what the operator decides. */
export function redisConf({ spec }: DistributedRedisCluster): string {
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-config-file': 'nodes.conf',
    'cluster-node-timeout': String(nodeTimeout),
    // The operator decides which node follows which.
    'cluster-migration-barrier': '1000',
    // A replica that was disconnected for long is better than none.
    'cluster-replica-validity-factor': '0',
    'protected-mode': 'no',
    appendonly: 'yes',
    ...spec.config,
  };
  const lines = Object.entries(settings).map((line) => line.join(' '));
  return `${lines.join('\n')}\n`;
}

/** @param serving shards whose masters have slots: their nodes must not come back empty at once */
export function desiredConfig(cluster: DistributedRedisCluster, serving: readonly string[]) {
  return {
    metadata: { name: configName(cluster), labels: labelsOf(cluster), ...ownedBy(cluster) },
    data: {
      'redis.conf': redisConf(cluster),
      serving: `${serving.join('\n')}\n`,
    },
  } satisfies ApplyObject<ConfigMap>;
}
