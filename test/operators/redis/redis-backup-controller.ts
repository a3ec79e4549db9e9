import {
  conditionsOf,
  defineController,
  defineIndex,
  ownedBy,
  waitingFor,
  watch,
  type ApplyObject,
} from 'opsdk';
import { Job } from 'opsdk/k8s/batch/v1';
import { PersistentVolumeClaim } from 'opsdk/k8s/core/v1';
import { RedisClusterBackup, type RedisClusterBackupStatus } from './api/redis-cluster-backup.ts';
import { RedisCluster } from './api/redis-cluster.ts';

const byCluster = defineIndex(RedisClusterBackup, 'cluster', ({ spec }) => spec.cluster);

/** Writes the data of all masters into a claim, by one Pod each. */
export const redisBackupController = defineController({
  for: RedisClusterBackup,
  owns: [Job, PersistentVolumeClaim],
  watches: [
    watch(RedisCluster, {
      predicates: [({ object }) => object.status?.phase === 'Healthy'],
      map: async ({ metadata: { name = '', namespace = '' } }, { client }) =>
        (await client.byIndex(byCluster, name, { namespace })).items.map(({ metadata }) => metadata),
    }),
  ],
  indexes: [byCluster],
  async reconcile(backup, { client, key, events }) {
    if (backup.status?.phase === 'Succeeded' || backup.status?.phase === 'Failed') return;
    const { namespace } = key;
    const name = `${key.name}-backup`;
    let job: Job | undefined = await client.find(Job, { name, namespace });
    if (job === undefined) {
      const clusterKey = { name: backup.spec.cluster, namespace };
      const cluster = await client.find(RedisCluster, clusterKey);
      if (cluster?.status?.phase !== 'Healthy') {
        await client.applyStatus(RedisClusterBackup, key, observedStatus(backup, undefined));
        // The watch brings the backup again.
        return waitingFor(RedisCluster, clusterKey);
      }
      await client.apply(PersistentVolumeClaim, desiredClaim(backup, name));
      job = await client.apply(Job, desiredJob(backup, name, cluster));
      events.normal('BackupStarted', `Started the backup of ${cluster.metadata.name}`, { related: job });
    }
    await client.applyStatus(RedisClusterBackup, key, observedStatus(backup, job));
  },
});

function desiredClaim(backup: RedisClusterBackup, name: string): ApplyObject<PersistentVolumeClaim> {
  return {
    metadata: { name, ...ownedBy(backup) },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: backup.spec.size ?? '1Gi' } },
    },
  };
}

function desiredJob(
  backup: RedisClusterBackup,
  name: string,
  { spec, status }: RedisCluster,
): ApplyObject<Job> {
  const masters = (status?.nodes ?? []).filter(({ slots }) => slots > 0);
  const script = 'eval "host=\\$MASTER_$JOB_COMPLETION_INDEX"; exec redis-cli -h "$host" --rdb "$FILE"';
  return {
    metadata: { name, ...ownedBy(backup) },
    spec: {
      backoffLimit: 2,
      completions: masters.length,
      parallelism: masters.length,
      completionMode: 'Indexed',
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [
            {
              name: 'backup',
              image: spec.image ?? '',
              command: ['sh', '-c', script],
              env: [
                ...masters.map(({ ip }, index) => ({ name: `MASTER_${index}`, value: ip })),
                { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { fieldPath: indexField } } },
                { name: 'FILE', value: '/backup/$(JOB_COMPLETION_INDEX).rdb' },
              ],
              volumeMounts: [{ name: 'backup', mountPath: '/backup' }],
            },
          ],
          volumes: [{ name: 'backup', persistentVolumeClaim: { claimName: name } }],
        },
      },
    },
  };
}

/** Field with the number of a Pod of an indexed Job. */
const indexField = "metadata.annotations['batch.kubernetes.io/job-completion-index']";

/** @param job undefined until the cluster is healthy */
function observedStatus(backup: RedisClusterBackup, job: Job | undefined): RedisClusterBackupStatus {
  const conditions = conditionsOf(backup, ['Complete']);
  if (job === undefined) {
    conditions.false('Complete', 'Waiting', `RedisCluster ${backup.spec.cluster} is not healthy`);
    return { phase: 'Waiting', conditions: conditions.toJSON() };
  }
  const { metadata, spec, status } = job;
  const find = (type: string) =>
    status?.conditions?.find((each) => each.type === type && each.status === 'True');
  const failure = find('Failed');
  const phase = find('Complete') !== undefined ? 'Succeeded' : failure !== undefined ? 'Failed' : 'Running';
  if (phase === 'Succeeded') conditions.true('Complete', 'Saved');
  else conditions.false('Complete', phase, failure?.message);
  return {
    phase,
    claim: metadata.name ?? '',
    shards: spec?.completions ?? 0,
    conditions: conditions.toJSON(),
  };
}
