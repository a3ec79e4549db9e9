import { ownedBy, type ApplyObject } from 'opsdk';
import type { ConfigMap } from 'opsdk/k8s/core/v1';
import type { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import { redisPort } from '../redis/redis-admin.ts';
import { configName, labelsOf } from './names.ts';

/** Milliseconds after which a node that does not answer is suspected. */
const nodeTimeout = 5000;

/** Seconds after which the other nodes have found a node failed, and a replica has its role. */
const electionSeconds = 12;

/**
 * Starts Redis. A node that comes back without its data, at an address where the others know a master whose slots a replica has, waits until
 * one of them has taken over: replicas would take it for their master, and copy its emptiness. It asks masters, and waits for the time of an
 * election if most of them do not answer.
 *
 * The password is neither in a file nor among the arguments, which other processes could read.
 */
const startScript = `set -eu
trap 'exit 143' TERM
may_start() {
  asked=0
  answered=0
  for peer in $(cat /conf/peers); do
    [ "$peer" != "$POD_IP" ] || continue
    asked=$((asked + 1))
    nodes=$(timeout 2 redis-cli -h "$peer" cluster nodes || true)
    case $nodes in *myself*) answered=$((answered + 1)) ;; *) continue ;; esac
    printf '%s\\n' "$nodes" | awk -v own="$POD_IP:${redisPort}@" '
      index($2, own) == 1 && $3 ~ /master/ && NF > 8 { master = $1 }
      $3 ~ /slave/ && $3 !~ /fail/ { followed[$4] }
      END { exit (master in followed) }
    ' || return 1
  done
  [ $((answered * 2)) -ge "$asked" ] || [ "$(date +%s)" -ge "$end" ]
}
if [ ! -s /data/nodes.conf ]; then
  end=$(($(date +%s) + ${electionSeconds}))
  until may_start; do
    echo "waiting until a replica has the slots of the node that was at $POD_IP"
    sleep 1
  done
fi
trap - TERM
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

/** @param peers addresses of masters, whom a node without data asks before it starts */
export function desiredConfig(cluster: DistributedRedisCluster, peers: readonly string[]) {
  return {
    metadata: { name: configName(cluster), labels: labelsOf(cluster), ...ownedBy(cluster) },
    data: {
      'redis.conf': redisConf(cluster),
      peers: peers.join('\n'),
    },
  } satisfies ApplyObject<ConfigMap>;
}
