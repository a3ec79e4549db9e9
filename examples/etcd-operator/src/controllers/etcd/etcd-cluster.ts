import { conditionsOf, defineController, requeueAfter, type Controller } from 'opsdk';
import { Pod, Service } from 'opsdk/k8s/core/v1';
import { EtcdCluster, type EtcdClusterStatus } from '../../api/etcd/v1beta2/etcd-cluster.ts';
import { clientPort, desiredPod, desiredServices, hostOf, labelsOf, peerUrl } from '../../cluster/desired.ts';
import { httpEtcd, type EtcdApi } from '../../etcd/member-api.ts';
import { nextStep, type Observed, type Step } from '../../cluster/next-step.ts';

interface EtcdControllerOptions {
  /**
   * Returns the host that etcd knows a member by. Default: its name. Members that cannot look up names of the cluster need its
   * address.
   */
  readonly addressOf?: (name: string) => string;
  /** Calls etcd. Default: by HTTP. */
  readonly etcd?: EtcdApi;
}

/** Returns a controller that keeps the members of EtcdClusters, one Pod each, and replaces those that are lost. */
export function createEtcdClusterController({
  addressOf = (name) => name,
  etcd = httpEtcd,
}: EtcdControllerOptions = {}): Controller {
  return defineController({
    for: EtcdCluster,
    owns: [Pod, Service],
    concurrency: 4,
    reconcileTimeout: '1m',
    backoff: { base: '200ms', cap: '10s' },
    async reconcile(cluster, { client, key, events, signal }) {
      if (cluster.spec.paused === true) {
        await client.applyStatus(EtcdCluster, key, { ...cluster.status, controlPaused: true });
        return;
      }
      for (const service of desiredServices(cluster)) await client.apply(Service, service);
      const labelSelector = Object.entries(labelsOf(cluster))
        .map((label) => label.join('='))
        .join();
      const { items: pods } = await client.list(Pod, { namespace: key.namespace, labelSelector });
      const running = pods.filter(isRunning);
      const health = await Promise.all(running.map((pod) => etcd.isHealthy(endpointOf(pod), signal)));
      const members = etcd.members(running.map(endpointOf), signal);
      const observed: Observed = {
        name: key.name,
        size: cluster.spec.size ?? 3,
        hasFormed: cluster.status?.size !== undefined && cluster.status.size > 0,
        pods,
        members: await members.list(),
        ready: running.filter((_, index) => health[index]).map(({ metadata }) => metadata.name ?? ''),
        urlOf: (pod) => peerUrl(addressOf(hostOf(cluster, pod))),
      };
      const step = nextStep(observed);
      if ('create' in step)
        for (const member of step.create) await client.create(Pod, desiredPod(cluster, member));
      if ('evict' in step) await client.delete(Pod, { name: step.evict, namespace: key.namespace });
      if ('add' in step) await members.add(observed.urlOf(step.add));
      if ('remove' in step) {
        const { name = '', peerURLs } = step.remove;
        await etcd.members(endpointsWithout(running, name), signal).remove(step.remove);
        if (step.reason === 'RemovingMember') await client.delete(Pod, { name, namespace: key.namespace });
        events.normal(step.reason, `Removed member ${name || peerURLs.join()}`);
      }
      await client.applyStatus(EtcdCluster, key, observedStatus(cluster, observed, step));
      // A change of a Pod is seen without asking again.
      if (step.reason !== 'Ready' && step.reason !== 'AllMembersLost') return requeueAfter('500ms');
    },
    async onError(cluster, error, { client, key }) {
      const conditions = conditionsOf(cluster, ['Available', 'Degraded']);
      conditions.true('Degraded', 'StepFailed', error.message);
      await client.applyStatus(EtcdCluster, key, { ...cluster.status, conditions: conditions.toJSON() });
    },
  });
}

function observedStatus(
  cluster: EtcdCluster,
  { members, ready, hasFormed }: Observed,
  { reason }: Step,
): EtcdClusterStatus {
  const conditions = conditionsOf(cluster, ['Available', 'Degraded']);
  conditions.false('Degraded', 'AsExpected');
  const message = `${ready.length} of ${members.length} members are healthy`;
  if (ready.length > members.length / 2) conditions.true('Available', 'Quorum', message);
  else conditions.false('Available', 'NoQuorum', message);
  const isLost = reason === 'AllMembersLost';
  const isRunning = reason === 'Ready' || cluster.status?.phase === 'Running';
  return {
    phase: isLost ? 'Failed' : isRunning ? 'Running' : 'Creating',
    reason,
    controlPaused: false,
    // Pods that do not run yet do not know their members.
    size: members.length === 0 && hasFormed ? (cluster.status?.size ?? 0) : members.length,
    readyMembers: [...ready].sort(),
    conditions: conditions.toJSON(),
  };
}

function isRunning({ metadata, status }: Pod): boolean {
  return (
    metadata.deletionTimestamp === undefined && status?.phase === 'Running' && status.podIP !== undefined
  );
}

function endpointOf({ status }: Pod): string {
  return `http://${status?.podIP}:${clientPort}`;
}

/** A member is removed by the others: it ends before it could answer. */
function endpointsWithout(pods: readonly Pod[], name: string): readonly string[] {
  return pods.filter(({ metadata }) => metadata.name !== name).map(endpointOf);
}

export const etcdClusterController = createEtcdClusterController();
