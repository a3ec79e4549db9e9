import { conditionsOf, defineController, watch } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { ConfigMap } from 'opsdk/k8s/core/v1';
import { KubeScheduler, type KubeSchedulerStatus } from '../../api/scheduling/v1alpha1/kube-scheduler.ts';
import { Scheduler, type SchedulerSpec } from '../../api/scheduling/v1alpha1/scheduler.ts';
import { desiredConfigMap, desiredDeployment, operandKey } from '../../operand/desired.ts';
import { schedulerConfiguration } from '../../operand/scheduler-configuration.ts';

/** The name of the only object of both kinds. */
const singleton = { name: 'cluster' };

export const kubeSchedulerController = defineController({
  for: KubeScheduler,
  owns: [ConfigMap, Deployment],
  watches: [watch(Scheduler, { map: () => [singleton] })],
  async reconcile(scheduler, { client, events, key }) {
    const { managementState = 'Managed' } = scheduler.spec;
    if (managementState === 'Managed') {
      const spec = (await client.find(Scheduler, singleton))?.spec ?? {};
      const configuration = schedulerConfiguration(spec, operandKey.namespace);
      await client.apply(ConfigMap, desiredConfigMap(scheduler, configuration));
      const deployment = await client.apply(Deployment, desiredDeployment(scheduler, configuration));
      await client.applyStatus(KubeScheduler, key, managedStatus(scheduler, spec, deployment));
      return;
    }
    if (managementState === 'Removed') {
      const isThere = (await client.find(Deployment, operandKey)) !== undefined;
      await client.delete(Deployment, operandKey, { ignoreNotFound: true });
      await client.delete(ConfigMap, operandKey, { ignoreNotFound: true });
      if (isThere)
        events.normal('SchedulerRemoved', 'Pods that ask for it stay Pending', { action: 'Remove' });
    }
    await client.applyStatus(KubeScheduler, key, restingStatus(scheduler, managementState));
  },
  async onError(scheduler, { message }, { client, key }) {
    const conditions = conditionsOf(scheduler, ['Degraded']).true('Degraded', 'ReconcileFailed', message);
    await client.mergeStatus(KubeScheduler, key, { conditions: conditions.toJSON() });
  },
});

export function managedStatus(
  scheduler: KubeScheduler,
  { profile = 'LowNodeUtilization' }: SchedulerSpec,
  { metadata, spec, status }: Deployment,
): KubeSchedulerStatus {
  const wanted = spec?.replicas ?? 1;
  const readyReplicas = status?.readyReplicas ?? 0;
  const isRolledOut =
    status?.observedGeneration === metadata.generation &&
    status?.updatedReplicas === wanted &&
    readyReplicas === wanted &&
    status?.replicas === wanted;
  const message = `${readyReplicas} of ${wanted} replicas are ready`;
  const conditions = conditionsOf(scheduler, ['Available', 'Progressing', 'Degraded']);
  // One replica schedules; the others only wait for it to fail.
  if (readyReplicas > 0) conditions.true('Available', 'SchedulerReady', message);
  else conditions.false('Available', 'NoReplicaReady', message);
  if (isRolledOut) conditions.false('Progressing', 'AsExpected', message);
  else conditions.true('Progressing', 'RollingOut', message);
  conditions.false('Degraded', 'AsExpected');
  return { profile, readyReplicas, conditions: conditions.toJSON() };
}

function restingStatus(scheduler: KubeScheduler, reason: 'Unmanaged' | 'Removed'): KubeSchedulerStatus {
  const conditions = conditionsOf(scheduler, ['Available', 'Progressing', 'Degraded']);
  if (reason === 'Unmanaged') conditions.unknown('Available', reason, 'Nobody looks after the scheduler');
  else conditions.false('Available', reason, 'The scheduler was removed');
  conditions.false('Progressing', reason).false('Degraded', reason);
  return { conditions: conditions.toJSON() };
}
