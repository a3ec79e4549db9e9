import { conditionsOf, defineController, programHost, requeueAfter } from 'opsdk';
import type { ReconcileContext, Stored } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { Service } from 'opsdk/k8s/core/v1';
import { FlinkCluster } from '../../api/flink/v1beta1/flink-cluster.ts';
import { desiredJobManager, desiredService, desiredTaskManagers } from '../../cluster/desired.ts';
import { nameOf, taskManagersOf } from '../../cluster/desired.ts';
import { jobIdOf, nextJobStep, type JobStep } from '../../cluster/next-job-step.ts';
import { jobStatus, missingStatus } from '../../cluster/observed-status.ts';
import { httpFlink, type ConnectFlink, type FlinkApi } from '../../flink/flink-api.ts';

/** Keeps a JobManager and TaskManagers for each FlinkCluster, and runs its job. One step a reconcile, which can be killed anywhere. */
export function createFlinkClusterController({ connect = httpFlink }: { connect?: ConnectFlink } = {}) {
  return defineController({
    for: FlinkCluster,
    owns: [Deployment, Service],
    backoff: { base: '500ms', cap: '30s' },
    async reconcile(cluster, context) {
      const { client, key, signal } = context;
      await client.apply(Service, desiredService(cluster));
      const jobManager = await client.apply(Deployment, desiredJobManager(cluster));
      const taskManagers = await client.apply(Deployment, desiredTaskManagers(cluster));
      const ready = taskManagers.status?.readyReplicas ?? 0;
      if (!jobManager.status?.readyReplicas) {
        const status = missingStatus(cluster, ready, 'The JobManager is not ready');
        await client.mergeStatus(FlinkCluster, key, status);
        return; // its Deployment brings the next run
      }
      const flink = connect(await addressOf(cluster), signal);
      const slots = await flink.slots();
      if (ready < taskManagersOf(cluster) || slots < cluster.spec.parallelism) {
        const message = `${ready} of ${taskManagersOf(cluster)} TaskManagers are ready, with ${slots} slots`;
        await client.mergeStatus(FlinkCluster, key, missingStatus(cluster, ready, message));
        return requeueAfter('2s'); // a slot registers later than its Pod is ready
      }
      const step = await observeJob(cluster, flink);
      await takeStep(cluster, step, flink);
      report(cluster, step, context);
      await client.mergeStatus(FlinkCluster, key, jobStatus(cluster, ready, step));
      if (step.type === 'Watch') return requeueAfter('10s');
      if (step.type !== 'None' && step.type !== 'Ended') return requeueAfter('1s');
    },
    async onError(cluster, { message }, { client, key }) {
      const conditions = conditionsOf(cluster, ['Ready']).false('Ready', 'ReconcileFailed', message);
      const name = { name: nameOf(cluster, 'taskmanager'), namespace: key.namespace };
      // Kubernetes knows how many are ready, also while the JobManager does not answer.
      const taskManagers = (await client.find(Deployment, name))?.status?.readyReplicas ?? 0;
      await client.mergeStatus(FlinkCluster, key, { taskManagers, conditions: conditions.toJSON() });
    },
  });
}

export const flinkClusterController = createFlinkClusterController();

async function addressOf(cluster: Stored<FlinkCluster>): Promise<string> {
  const host = `${nameOf(cluster, 'jobmanager')}.${cluster.metadata.namespace}.svc`;
  return `http://${await programHost(host)}:8081`;
}

async function observeJob(cluster: FlinkCluster, flink: FlinkApi): Promise<JobStep> {
  const wanted = jobIdOf(cluster);
  const { jobId, jobState } = cluster.status ?? {};
  const last = jobId === undefined ? undefined : { jobId, state: jobState };
  const states: Record<string, string | undefined> = {};
  for (const id of new Set([wanted, jobId])) if (id !== undefined) states[id] = await flink.jobState(id);
  return nextJobStep({ wanted, last, states });
}

async function takeStep({ spec }: FlinkCluster, step: JobStep, flink: FlinkApi): Promise<void> {
  if (step.type === 'Cancel') return flink.cancel(step.jobId);
  if (step.type !== 'Submit' || spec.job === undefined) return;
  const { jar, entryClass, args = [] } = spec.job;
  // The id of a file is its name, with a prefix if it was uploaded.
  const jarId = (await flink.jars()).find((id) => id === jar || id.endsWith(`_${jar}`));
  if (jarId === undefined) throw new Error(`spec.job.jar: the image has no ${jar} in /opt/flink/usrlib`);
  const { parallelism } = spec;
  await flink.run(jarId, { jobId: step.jobId, entryClass, programArgsList: args, parallelism });
}

function report({ status }: FlinkCluster, step: JobStep, { events }: ReconcileContext): void {
  if (step.type === 'Submit') events.normal('JobSubmitted', step.jobId, { action: 'Submit' });
  else if (step.type === 'Cancel') events.normal('JobCancelled', step.jobId, { action: 'Cancel' });
  else if (step.type === 'Ended' && step.state !== 'FINISHED' && status?.jobState !== step.state)
    events.warning('JobFailed', `${step.jobId} is ${step.state}`, { action: 'Watch' });
}
