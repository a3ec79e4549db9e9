import {
  conditionsOf,
  defineController,
  metadataOnly,
  requeueAfter,
  waitingFor,
  type Controller,
  type ReconcileContext,
  type Stored,
} from 'opsdk';
import { Job } from 'opsdk/k8s/batch/v1';
import { PersistentVolumeClaim, Pod, Secret } from 'opsdk/k8s/core/v1';
import { EtcdBackup } from '../../api/etcd/v1beta2/etcd-backup.ts';
import { desiredJob, jobNameOf, observedJob } from '../../backup/backup-job.ts';
import { changeOf, timeText } from '../../backup/backup-status.ts';
import {
  nextStep,
  type BackupStep,
  type ObservedBackup,
  type ObservedJob,
} from '../../backup/backup-step.ts';
import { scheduleOf } from '../../backup/schedule.ts';
import { operatorImage, storagePod } from '../../backup/storage-pod.ts';

/** Longest wait for the next time of a schedule, in milliseconds: the clock may be corrected meanwhile. */
const longestWait = 3_600_000;

interface EtcdBackupOptions {
  /** Returns the image of the Jobs. Default: the operator's own. @throws Error if it is not known */
  readonly image?: () => string;
}

/** Saves snapshots of etcd by Jobs, one step a reconcile. The decisions are those of `nextStep`. */
export function createEtcdBackupController({ image = operatorImage }: EtcdBackupOptions = {}): Controller {
  return defineController({
    for: EtcdBackup,
    owns: [Job],
    concurrency: 4,
    reconcileTimeout: '1m',
    async reconcile(backup, context) {
      const { client, key, events } = context;
      const observed = await observe(backup, context);
      const { schedule, status, now } = observed;
      const step = nextStep(observed);
      if (step.type === 'CreateJob') {
        await client.apply(Job, desiredJob(backup, step.run, image()));
        events.normal('BackupStarted', `Job ${step.run.job} saves ${pathOf(backup)}`, { action: 'Save' });
      }
      if (step.type === 'RepeatJob') {
        const job = { name: step.run.job, namespace: key.namespace };
        await client.delete(Job, job, { propagationPolicy: 'Background', ignoreNotFound: true });
        events.warning('BackupResultLost', `Job ${job.name} has succeeded, but its Pod is gone`, {
          action: 'Save',
        });
      }
      if (step.type === 'BeginRun' && step.missed > 0)
        events.warning('BackupsMissed', `${step.missed} backups were due and not made`, { action: 'Save' });
      if (step.type === 'ResetClock')
        events.warning(
          'ClockJumped',
          `the last backup was for ${status.lastScheduleTime}, which is in the future`,
        );
      if (step.type === 'RecordFailure') events.warning('BackupFailed', step.message, { action: 'Save' });
      if (step.type === 'RecordSuccess')
        events.normal('BackupSucceeded', `saved ${step.saved.path}`, { action: 'Save' });

      const scheduledFor =
        step.type === 'BeginRun' && step.scheduledFor !== undefined ? timeText(step.scheduledFor) : undefined;
      const change = changeOf(step, { status, schedule, now, job: jobNameOf(backup, scheduledFor) });
      const conditions = conditionsAfter(backup, step);
      await client.mergeStatus(EtcdBackup, key, { ...change, conditions });

      switch (step.type) {
        case 'WaitForObject': {
          const missing = { name: step.name, namespace: key.namespace };
          return step.kind === 'Secret'
            ? waitingFor(Secret, missing, '30s')
            : waitingFor(PersistentVolumeClaim, missing, '30s');
        }
        case 'WaitUntil':
          return step.time === undefined ? undefined : requeueAfter(Math.min(step.time - now, longestWait));
        // The Job brings the object again. A step that changes the status alone does not.
        case 'CreateJob':
        case 'WaitForJob':
        case 'Pause':
        case 'Done':
          return undefined;
        case 'RepeatJob':
        case 'BeginRun':
        case 'RecordSuccess':
        case 'RecordFailure':
        case 'ResetClock':
          return requeueAfter(1);
      }
    },
    async onError(backup, error, { client, key }) {
      const conditions = conditionsOf(backup, ['Succeeded']).false(
        'Succeeded',
        'ReconcileFailed',
        error.message,
      );
      await client.mergeStatus(EtcdBackup, key, {
        reason: 'ReconcileFailed',
        conditions: conditions.toJSON(),
      });
    },
  });
}

export const etcdBackupController = createEtcdBackupController();

async function observe(
  backup: Stored<EtcdBackup>,
  { client, key, now }: ReconcileContext,
): Promise<ObservedBackup> {
  const { spec, status = {}, metadata } = backup;
  const schedule = await scheduleOf(spec.backupPolicy, Date.parse(metadata.creationTimestamp ?? ''));
  const { run } = status;
  let job: ObservedJob | undefined;
  if (run !== undefined) {
    const found = await client.find(Job, { name: run.job, namespace: key.namespace });
    if (found !== undefined) {
      // One that is being deleted brings the object again when it is gone.
      const isLeaving = found.metadata.deletionTimestamp !== undefined;
      job = observedJob(isLeaving ? {} : found.status, []);
      // The Job may be seen before its Pods: they are read from the API server.
      if (job.state !== 'Active') job = observedJob(found.status, await podsOf(run.job));
    }
  }
  const missing = run !== undefined && job === undefined ? await missingObject() : undefined;
  return { paused: spec.paused === true, schedule, status, job, missing, now: now() };

  async function podsOf(name: string) {
    const labelSelector = `batch.kubernetes.io/job-name=${name}`;
    return (await client.live.list(Pod, { namespace: key.namespace, labelSelector })).items;
  }

  /** Returns the first object that the Job needs and that does not exist: its Pod would wait for it until the Job's end. */
  async function missingObject(): Promise<ObservedBackup['missing']> {
    const { needs } = storagePod(spec.storageType, spec);
    const tls =
      spec.clientTLSSecret === undefined ? [] : [{ kind: 'Secret' as const, name: spec.clientTLSSecret }];
    for (const each of [needs, ...tls]) {
      const name = { name: each.name, namespace: key.namespace };
      const found =
        each.kind === 'Secret'
          ? await client.live.find(metadataOnly(Secret), name)
          : await client.live.find(metadataOnly(PersistentVolumeClaim), name);
      if (found === undefined) return each;
    }
    return undefined;
  }
}

function pathOf({ spec }: EtcdBackup): string {
  return storagePod(spec.storageType, spec).storage.path;
}

/** Returns the condition `Succeeded`, which is about the last backup that has ended, or about the first one until then. */
function conditionsAfter(backup: Stored<EtcdBackup>, step: BackupStep) {
  const conditions = conditionsOf(backup, ['Succeeded', 'Progressing']);
  if (step.type === 'RecordSuccess') conditions.true('Succeeded', 'Saved', `saved ${step.saved.path}`);
  else if (step.type === 'RecordFailure') conditions.false('Succeeded', step.reason, step.message);
  else if (step.type === 'WaitForObject')
    conditions.false('Succeeded', `${step.kind}NotFound`, `${step.kind} ${step.name} does not exist`);
  else if (backup.status?.succeeded === undefined) conditions.unknown('Succeeded', 'NotSaved');
  const isRunning = ['BeginRun', 'CreateJob', 'WaitForJob', 'RepeatJob'].includes(step.type);
  if (isRunning) conditions.true('Progressing', 'Saving');
  else if (step.type === 'WaitForObject') conditions.false('Progressing', 'Waiting');
  else if (step.type === 'Pause') conditions.false('Progressing', 'Paused');
  else conditions.false('Progressing', 'Idle');
  return conditions.toJSON();
}
