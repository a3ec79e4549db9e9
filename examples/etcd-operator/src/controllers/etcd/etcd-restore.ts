import {
  conditionsOf,
  defineController,
  defineIndex,
  metadataOnly,
  requeueAfter,
  resourceVersionChanged,
  watch,
  type Controller,
  type ReconcileContext,
  type Stored,
} from 'opsdk';
import { Job } from 'opsdk/k8s/batch/v1';
import { PersistentVolumeClaim, Pod, Secret } from 'opsdk/k8s/core/v1';
import { EtcdCluster } from '../../api/etcd/v1beta2/etcd-cluster.ts';
import { EtcdRestore, type EtcdRestoreStatus } from '../../api/etcd/v1beta2/etcd-restore.ts';
import { observedJob } from '../../backup/backup-job.ts';
import { timeText } from '../../backup/backup-status.ts';
import type { ObservedJob } from '../../backup/backup-step.ts';
import { checkJobNameOf, desiredCheckJob, observedSeed } from '../../backup/check-job.ts';
import { nextStep, type ObservedRestore, type RestoreStep } from '../../backup/restore-step.ts';
import { operatorImage, storagePod } from '../../backup/storage-pod.ts';
import { restoreNameAnnotation, restoreUidAnnotation } from '../../etcd/restore-source.ts';

const byCluster = defineIndex(EtcdRestore, 'cluster', ({ spec }) => spec.etcdCluster.name);
const seedsByRestore = defineIndex(
  Pod,
  'restore',
  ({ metadata }) => metadata.annotations?.[restoreUidAnnotation],
);

interface EtcdRestoreOptions {
  /** Returns the image of the Jobs. Default: the operator's own. @throws Error if it is not known */
  readonly image?: () => string;
}

/** Checks backups, and has clusters start again from them, one step a reconcile. The decisions are those of `nextStep`. */
export function createEtcdRestoreController({ image = operatorImage }: EtcdRestoreOptions = {}): Controller {
  return defineController({
    for: EtcdRestore,
    owns: [Job],
    watches: [
      watch(Pod, {
        predicates: [resourceVersionChanged],
        map: ({ metadata }) => {
          const name = metadata.annotations?.[restoreNameAnnotation];
          return name === undefined ? [] : [{ name, namespace: metadata.namespace }];
        },
      }),
      watch(metadataOnly(EtcdCluster), {
        map: async ({ metadata }, { client }) =>
          (await client.byIndex(byCluster, metadata.name, { namespace: metadata.namespace })).items.map(
            (restore) => restore.metadata,
          ),
      }),
    ],
    indexes: [byCluster, seedsByRestore],
    concurrency: 4,
    reconcileTimeout: '1m',
    async reconcile(restore, context) {
      const { client, key, events, now } = context;
      const step = nextStep(await observe(restore, context));
      if (step.type === 'Done') return undefined;
      if (step.type === 'CreateJob') {
        await client.apply(Job, desiredCheckJob(restore, image()));
        events.normal('CheckStarted', `checking the backup ${pathOf(restore)}`, { action: 'Check' });
      }
      if (step.type === 'RepeatJob') {
        const job = { name: checkJobNameOf(restore), namespace: key.namespace };
        await client.delete(Job, job, { propagationPolicy: 'Background', ignoreNotFound: true });
      }
      if (step.type === 'BeginRestore')
        events.normal(
          'RestoreStarted',
          `the backup is complete; ${restore.spec.etcdCluster.name} starts from it`,
          {
            action: 'Restore',
          },
        );
      if (step.type === 'RecordFailure') events.warning('RestoreFailed', step.message, { action: 'Restore' });
      if (step.type === 'RecordSuccess')
        events.normal('RestoreSucceeded', `${restore.spec.etcdCluster.name} has started from the backup`, {
          action: 'Restore',
        });
      const conditions = conditionsAfter(restore, step);
      await client.mergeStatus(EtcdRestore, key, { ...changeOf(step, now()), conditions });
      if (step.type === 'Wait') return requeueAfter('30s');
      return step.type === 'BeginCheck' || step.type === 'RepeatJob' ? requeueAfter(1) : undefined;
    },
    async onError(restore, error, { client, key }) {
      const conditions = conditionsOf(restore, ['Succeeded']).false(
        'Succeeded',
        'ReconcileFailed',
        error.message,
      );
      await client.mergeStatus(EtcdRestore, key, {
        reason: 'ReconcileFailed',
        conditions: conditions.toJSON(),
      });
    },
  });
}

export const etcdRestoreController = createEtcdRestoreController();

async function observe(
  restore: Stored<EtcdRestore>,
  { client, key }: ReconcileContext,
): Promise<ObservedRestore> {
  const { spec, status = {}, metadata } = restore;
  const { namespace } = key;
  const clusterName = spec.etcdCluster.name;
  const cluster = await client.find(metadataOnly(EtcdCluster), { name: clusterName, namespace });
  const { items: restores } = await client.byIndex(byCluster, clusterName, { namespace });
  const before = restores.find((other) => isBefore(other, restore))?.metadata.name;
  const [seed] = (await client.byIndex(seedsByRestore, metadata.uid, { namespace })).items;
  const isChecking = status.phase === 'Checking';
  const job = isChecking ? await jobOf(checkJobNameOf(restore)) : undefined;
  const missing = job === undefined && status.phase !== 'Restoring' ? await missingObject() : undefined;
  const seen = seed === undefined ? undefined : observedSeed(seed);
  return { status, clusterExists: cluster !== undefined, before, missing, job, seed: seen };

  async function jobOf(name: string): Promise<ObservedJob | undefined> {
    const found = await client.find(Job, { name, namespace });
    if (found === undefined) return undefined;
    // One that is being deleted brings the object again when it is gone.
    const job = observedJob(found.metadata.deletionTimestamp === undefined ? found.status : {}, []);
    if (job.state === 'Active') return job;
    // The Job may be seen before its Pods: they are read from the API server.
    const labelSelector = `batch.kubernetes.io/job-name=${name}`;
    return observedJob(found.status, (await client.live.list(Pod, { namespace, labelSelector })).items);
  }

  async function missingObject(): Promise<ObservedRestore['missing']> {
    const { needs } = storagePod(spec.backupStorageType, spec);
    const name = { name: needs.name, namespace };
    const found =
      needs.kind === 'Secret'
        ? await client.live.find(metadataOnly(Secret), name)
        : await client.live.find(metadataOnly(PersistentVolumeClaim), name);
    return found === undefined ? needs : undefined;
  }
}

/** Returns true for another restore of the cluster that has not ended and was created earlier, or has begun already. */
function isBefore(other: EtcdRestore, restore: Stored<EtcdRestore>): boolean {
  const { phase } = other.status ?? {};
  if (other.metadata.uid === restore.metadata.uid || phase === 'Succeeded' || phase === 'Failed')
    return false;
  if (phase === 'Restoring') return true;
  const order = ({ metadata }: EtcdRestore): string => `${metadata.creationTimestamp} ${metadata.uid}`;
  return order(other) < order(restore);
}

function pathOf({ spec }: EtcdRestore): string {
  return storagePod(spec.backupStorageType, spec).storage.path;
}

/** Returns what a step changes in the status beside its conditions. */
function changeOf(step: RestoreStep, now: number): EtcdRestoreStatus {
  switch (step.type) {
    case 'Wait':
      return { phase: 'Waiting', reason: step.reason };
    case 'BeginCheck':
    case 'CreateJob':
    case 'WaitForJob':
    case 'RepeatJob':
      return { phase: 'Checking', reason: 'CheckingBackup' };
    case 'BeginRestore': {
      const { sha256, sizeBytes } = step.checked;
      return { phase: 'Restoring', reason: 'ReplacingMembers', sha256, sizeBytes };
    }
    case 'WaitForSeed':
      return { phase: 'Restoring', reason: 'ReplacingMembers' };
    case 'RecordSuccess':
      return { phase: 'Succeeded', reason: 'Restored', succeeded: true, completionTime: timeText(now) };
    case 'RecordFailure':
      return { phase: 'Failed', reason: step.reason, succeeded: false, completionTime: timeText(now) };
    case 'Done':
      return {};
  }
}

function conditionsAfter(restore: Stored<EtcdRestore>, step: RestoreStep) {
  const conditions = conditionsOf(restore, ['Succeeded']);
  if (step.type === 'RecordSuccess') conditions.true('Succeeded', 'Restored');
  else if (step.type === 'RecordFailure') conditions.false('Succeeded', step.reason, step.message);
  else if (step.type === 'Wait') conditions.false('Succeeded', step.reason, step.message);
  else if (step.type === 'BeginRestore' || step.type === 'WaitForSeed')
    conditions.false('Succeeded', 'ReplacingMembers');
  else conditions.false('Succeeded', 'CheckingBackup');
  return conditions.toJSON();
}
