import { conditionsOf } from 'opsdk';
import type {
  DistributedRedisCluster,
  DistributedRedisClusterStatus,
  RedisNode,
} from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import type { Anomaly } from './anomalies.ts';
import { reportScaling, scalingConditions, type Scaling } from './autoscale.ts';
import { labelsOf, selectorOf } from './names.ts';
import type { Step } from './next-step.ts';
import { hasSlots, type Observed } from './observed.ts';
import type { Restoration } from './restore.ts';
import { freeSlots } from './slots.ts';

/** Conditions that the operator sets. All that it sends replace all that are there. */
export const ownConditions = [
  ...(['Ready', 'Available', 'Degraded', 'Restored', 'AnomalyDetected'] as const),
  ...scalingConditions,
] as const;

/** Label that a StatefulSet gives the Pods that it numbers. */
const indexLabel = 'apps.kubernetes.io/pod-index';

interface Outcome {
  readonly observed: Observed;
  readonly step: Step;
  /** Undefined as long as the cluster is not in order. */
  readonly restoration: Restoration | undefined;
  /** Undefined without `autoscaling`. */
  readonly scaling: Scaling | undefined;
  /** The worst first. */
  readonly anomalies: readonly Anomaly[];
}

/** Returns the status after a step. Nodes that did not answer are not in it: their masters and slots are those that the others have now. */
export function observedStatus(
  cluster: DistributedRedisCluster,
  { observed, step, restoration, scaling, anomalies }: Outcome,
): DistributedRedisClusterStatus {
  const { members, unreachable } = observed;
  const isPaused = cluster.spec.paused === true;
  const message = 'message' in step ? step.message : '';
  const conditions = conditionsOf(cluster, ownConditions);
  const restored = restoration ?? { state: wasRestored(cluster) ? 'Restored' : 'Pending' };

  // A node that has just come, and one that follows no master yet, see no slots served: no client depends on them.
  const masters = members.filter(hasSlots);
  const isServing = masters.length > 0 && masters.every((member) => member.isServing);
  if (isServing) conditions.true('Available', 'AllSlotsServed');
  else conditions.false('Available', 'SlotsNotServed', `${freeSlots(members).length} slots have no master`);

  if (isPaused) conditions.false('Ready', 'Paused', 'spec.paused is true');
  else if (step.type !== 'Done') conditions.false('Ready', step.type, message);
  else if (cluster.spec.init !== undefined && restored.state !== 'Restored')
    conditions.false('Ready', 'NotRestored', restored.message ?? '');
  else conditions.true('Ready', 'AllSlotsServed');

  if (unreachable.length > 0) conditions.true('Degraded', 'NodesUnreachable', message);
  else if (step.type === 'UpdateBlocked') conditions.true('Degraded', 'UpdateBlocked', message);
  else if (restored.state === 'Failed') conditions.true('Degraded', 'RestoreFailed', restored.message ?? '');
  else conditions.false('Degraded', 'AsExpected');

  if (cluster.spec.init !== undefined) {
    if (restored.state === 'Restored') conditions.true('Restored', 'Restored');
    else conditions.false('Restored', restored.reason ?? restored.state, restored.message ?? '');
  }
  reportScaling(conditions, scaling);
  const [worst] = anomalies;
  if (worst === undefined) conditions.false('AnomalyDetected', 'AsExpected');
  else conditions.true('AnomalyDetected', worst.reason, anomalies.map((each) => each.message).join('; '));

  const path = restoration?.path ?? cluster.status?.restoredFrom;
  const nodes = members.map(nodeOf);
  return {
    phase: phaseOf(cluster, step, restored.state),
    ...(step.type !== 'Done' && { step: step.type }),
    masters: masters.length,
    replicas: members.filter(({ self }) => self.master !== undefined).length,
    selector: selectorOf({ ...labelsOf(cluster), [indexLabel]: '0' }),
    ...(scaling !== undefined && { autoscaling: scaling.status }),
    // While nobody answers, the last nodes are all that is known.
    nodes: nodes.length > 0 ? nodes : (cluster.status?.nodes?.map((node) => ({ ...node })) ?? []),
    ...(path !== undefined && { restoredFrom: path }),
    conditions: conditions.toJSON(),
  };
}

/** Returns true if the status says that the backup was restored. */
export function wasRestored({ status }: DistributedRedisCluster): boolean {
  return status?.conditions?.some((each) => each.type === 'Restored' && each.status === 'True') ?? false;
}

function phaseOf(
  cluster: DistributedRedisCluster,
  step: Step,
  restored: Restoration['state'],
): NonNullable<DistributedRedisClusterStatus['phase']> {
  if (cluster.spec.paused === true) return 'Paused';
  if (step.type === 'Done')
    return cluster.spec.init === undefined || restored === 'Restored' ? 'Healthy' : 'Restoring';
  const before = cluster.status?.phase;
  return before === undefined || before === 'Creating' ? 'Creating' : 'Scaling';
}

function nodeOf({ self, name, ip, nodeName }: Observed['members'][number]): RedisNode {
  return {
    id: self.id,
    pod: name,
    ip,
    ...(nodeName !== '' && { nodeName }),
    role: self.master === undefined ? 'Master' : 'Replica',
    slots: self.slots.length,
  };
}
