import type { KubeObject } from '../../../src/sdk/api/index.ts';
import type { Deployment, StatefulSet } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import type { HorizontalPodAutoscaler } from '../../../src/sdk/k8s/generated/autoscaling/v2.ts';
import type { CronJob, Job } from '../../../src/sdk/k8s/generated/batch/v1.ts';
import type {
  ContainerState,
  ContainerStatus,
  PersistentVolumeClaim,
  Pod,
} from '../../../src/sdk/k8s/generated/core/v1.ts';
import type { PodDisruptionBudget } from '../../../src/sdk/k8s/generated/policy/v1.ts';

/** Compared fields of an object, each as one short text. A field without value is absent. */
export type Fields = Readonly<Record<string, string>>;

type Values = Record<string, string | number | boolean | undefined>;

const readers: Readonly<Record<string, (object: never) => Values>> = {
  Pod: podFields,
  Deployment: ({ status = {} }: Deployment) => ({
    observed: status.observedGeneration,
    replicas: status.replicas,
    updated: status.updatedReplicas,
    ready: status.readyReplicas,
    available: status.availableReplicas,
    unavailable: status.unavailableReplicas,
    terminating: status.terminatingReplicas,
    ...conditionFields(status.conditions),
  }),
  StatefulSet: ({ status }: StatefulSet) => ({
    replicas: status?.replicas,
    current: status?.currentReplicas,
    updated: status?.updatedReplicas,
    ready: status?.readyReplicas,
    available: status?.availableReplicas,
  }),
  Job: ({ status = {} }: Job) => ({
    active: status.active,
    ready: status.ready,
    succeeded: status.succeeded,
    failed: status.failed,
    terminating: status.terminating,
    started: status.startTime !== undefined,
    completed: status.completionTime !== undefined,
    ...conditionFields(status.conditions),
  }),
  CronJob: ({ status = {} }: CronJob) => ({
    active: status.active?.length,
    succeeded: status.lastSuccessfulTime !== undefined,
  }),
  PersistentVolumeClaim: ({ status, spec }: PersistentVolumeClaim) => ({
    phase: status?.phase,
    volume: spec?.volumeName !== undefined,
    capacity: status?.capacity?.['storage'],
    ...conditionFields(status?.conditions),
  }),
  HorizontalPodAutoscaler: ({ status }: HorizontalPodAutoscaler) => ({
    current: status?.currentReplicas,
    desired: status?.desiredReplicas,
    ...conditionFields(status?.conditions),
  }),
  PodDisruptionBudget: ({ status }: PodDisruptionBudget) => ({
    healthy: status?.currentHealthy,
    desired: status?.desiredHealthy,
    expected: status?.expectedPods,
    allowed: status?.disruptionsAllowed,
    ...conditionFields(status?.conditions),
  }),
};

/** Returns the compared fields of an object. Times, names that are generated, addresses and messages differ from run to run. */
export function fieldsOf(object: KubeObject): Fields {
  const read = readers[object.kind] as ((object: KubeObject) => Values) | undefined;
  if (read === undefined) throw new TypeError(`expected a kind with fields, got ${object.kind}`);
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  const deleted = deletionTimestamp === undefined ? undefined : `in ${deletionGracePeriodSeconds} s`;
  const all: Values = { ...read(object), deleted };
  return Object.fromEntries(
    Object.entries(all)
      .filter(([, value]) => value !== undefined && value !== false && value !== 0)
      .map(([name, value]) => [name, String(value)]),
  );
}

function podFields({ status = {} }: Pod): Values {
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  return {
    phase: status.phase,
    reason: status.reason,
    ...conditionFields(status.conditions),
    address: status.podIP !== undefined,
    ...Object.assign({}, ...statuses.map(containerFields)),
  };
}

function containerFields({ name, state, lastState, restartCount, ready, started }: ContainerStatus): Values {
  const flags = `${ready ? ', ready' : ''}${started === true ? ', started' : ''}`;
  return {
    [name]: `${stateText(state)}${flags}`,
    [`${name} before`]: lastState?.terminated && stateText(lastState),
    [`${name} restarts`]: restartCount,
  };
}

function stateText({ waiting, running, terminated }: ContainerState = {}): string {
  if (terminated !== undefined) return `${terminated.reason} ${terminated.exitCode}`;
  return waiting?.reason ?? (running === undefined ? 'unknown' : 'running');
}

function conditionFields(
  conditions: readonly {
    readonly type?: string | undefined;
    readonly status?: string | undefined;
    readonly reason?: string | undefined;
  }[] = [],
): Values {
  return Object.fromEntries(
    conditions.map(({ type = '', status = '', reason = '' }) => [type, `${status} ${reason}`.trim()]),
  );
}
