import type { KubeObject } from '../../sdk/api/index.ts';

/** Progress of a workload. */
export type RolloutStatus =
  | { readonly state: 'done' }
  | { readonly state: 'waiting'; readonly message: string }
  | { readonly state: 'failed'; readonly message: string };

interface Workload extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly partition?: number };
    };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

const done: RolloutStatus = { state: 'done' };
const waiting = (message: string): RolloutStatus => ({ state: 'waiting', message });

const rules: Readonly<Record<string, (workload: Workload) => RolloutStatus>> = {
  Deployment: ofDeployment,
  DaemonSet: ofDaemonSet,
  StatefulSet: ofStatefulSet,
};

/** Returns true if a type has rollouts that can be awaited. */
export function hasRollout({ group, kind }: { readonly group: string; readonly kind: string }): boolean {
  return group === 'apps' && kind in rules;
}

/** Returns true if the status of a workload describes its present generation. */
export function isObserved({ metadata, status }: Workload): boolean {
  return (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0);
}

/** Progress of the rollout of a Deployment, DaemonSet or StatefulSet, by the rules of `kubectl rollout status`. */
export function rolloutStatus(workload: KubeObject): RolloutStatus {
  if (!isObserved(workload)) return waiting('its controller has not seen the change yet');
  return rules[workload.kind]?.(workload) ?? done;
}

function ofDeployment({ spec, status }: Workload): RolloutStatus {
  const conditions = status?.conditions ?? [];
  const progressing = conditions.find(({ type }) => type === 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded')
    return { state: 'failed', message: progressing.message ?? 'the progress deadline is exceeded' };
  const wanted = spec?.replicas ?? 1;
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = status ?? {};
  if (updatedReplicas < wanted) {
    const failure = conditions.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
    if (failure?.message !== undefined) return waiting(failure.message);
    return waiting(`${updatedReplicas} of ${wanted} new replicas exist`);
  }
  if (replicas > updatedReplicas)
    return waiting(`${replicas - updatedReplicas} old replicas have not ended yet`);
  if (availableReplicas < updatedReplicas)
    return waiting(`${availableReplicas} of ${updatedReplicas} new replicas are available`);
  return done;
}

function ofDaemonSet({ spec, status }: Workload): RolloutStatus {
  // With the update strategy OnDelete, old Pods stay until somebody deletes them, so do not wait for new ones.
  if (spec?.updateStrategy?.type === 'OnDelete') return done;
  const {
    desiredNumberScheduled: wanted = 0,
    updatedNumberScheduled = 0,
    numberAvailable = 0,
  } = status ?? {};
  if (updatedNumberScheduled < wanted)
    return waiting(`${updatedNumberScheduled} of ${wanted} new Pods exist`);
  if (numberAvailable < wanted) return waiting(`${numberAvailable} of ${wanted} Pods are available`);
  return done;
}

function ofStatefulSet({ spec, status }: Workload): RolloutStatus {
  if (spec?.updateStrategy?.type === 'OnDelete') return done;
  const wanted = spec?.replicas ?? 1;
  const { readyReplicas = 0, updatedReplicas = 0, currentRevision, updateRevision } = status ?? {};
  if (readyReplicas < wanted) return waiting(`${readyReplicas} of ${wanted} Pods are ready`);
  const partition = spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  if (partition > 0) {
    const updating = Math.max(wanted - partition, 0);
    return updatedReplicas < updating ? waiting(`${updatedReplicas} of ${updating} new Pods exist`) : done;
  }
  return currentRevision === updateRevision
    ? done
    : waiting(`${updatedReplicas} of ${wanted} new Pods exist`);
}
