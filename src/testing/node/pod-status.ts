import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
} from '../../sdk/k8s/generated/core/v1.ts';

/** Role of a container: `init` containers run one after the other before the others, `sidecar`s are init containers that go on running. */
export type ContainerRole = 'init' | 'sidecar' | 'main';

/** State of a container, as a kubelet knows it. */
export interface ContainerRecord {
  readonly container: Container;
  readonly role: ContainerRole;
  readonly state: ContainerState;
  /** State in which the previous run of the container ended. */
  readonly lastState: ContainerState | undefined;
  readonly restartCount: number;
  /** True once the startup probe has succeeded. */
  readonly started: boolean;
  /** True while the readiness probe succeeds. */
  readonly ready: boolean;
  /** `containerd://…`; undefined until the container was started. */
  readonly containerID: string | undefined;
  /** True while the container ends because its image has changed. */
  readonly isReplaced?: boolean;
}

/** Addresses and times of a Pod on a node. */
export interface PodPlace {
  readonly hostIP: string;
  /** Undefined until the kubelet has seen the address of the Pod's network. */
  readonly podIP: string | undefined;
  /** True while the Pod has a network. */
  readonly hasSandbox: boolean;
  /** Time at which the kubelet accepted the Pod. */
  readonly startTime: string;
}

/** Reason for which a node has failed a Pod. */
export interface PodFailure {
  /** Reason in CamelCase, such as `Evicted`. */
  readonly reason: string;
  readonly message: string;
  /** True if the node ended the Pod, so that its condition DisruptionTarget is true. */
  readonly isDisruption: boolean;
}

type Phase = NonNullable<PodStatus['phase']>;

/** Progress of a Pod towards its end. */
export interface PodEnd {
  /** Reason for which the node has failed the Pod; undefined if it has not. */
  readonly failure: PodFailure | undefined;
  /** True if the containers are not started again, regardless of the restart policy. */
  readonly isTerminating: boolean;
  /** Last written phase. A kubelet writes the last phase only after it has removed the network. */
  readonly phaseBefore: Phase | undefined;
}

/**
 * Returns the fields of a Pod's status that a kubelet writes, including the conditions that a kubelet owns. Other conditions, such as those
 * of readiness gates, belong to other controllers. A condition keeps its time while its status stays the same.
 * @param former conditions that were written last
 * @param now time of the transitions, in RFC 3339
 * @see https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/kubelet_pods.go, `generateAPIPodStatus`
 */
export function podStatus(
  pod: Pod,
  records: readonly ContainerRecord[],
  { hostIP, podIP, hasSandbox, startTime }: PodPlace,
  former: readonly PodCondition[],
  now: string,
  { failure, isTerminating, phaseBefore }: PodEnd,
): PodStatus {
  const phase = phaseOf(pod, records, failure, isTerminating);
  const isEarly = isOver(phase) && hasSandbox;
  const mine = [...conditions(pod, records, phase, hasSandbox), ...disruption(failure)];
  const statuses = (roles: readonly ContainerRole[]): ContainerStatus[] =>
    records.filter(({ role }) => roles.includes(role)).map(containerStatus);
  const initStatuses = statuses(['init', 'sidecar']);
  return {
    phase: isEarly ? (phaseBefore ?? 'Pending') : phase,
    ...(failure === undefined || isEarly ? {} : { reason: failure.reason, message: failure.message }),
    observedGeneration: pod.metadata.generation,
    conditions: mine.map((condition) => withTime(condition, former, now)),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(podIP === undefined ? {} : { podIP, podIPs: [{ ip: podIP }] }),
    startTime,
    ...(initStatuses.length === 0 ? {} : { initContainerStatuses: initStatuses }),
    containerStatuses: statuses(['main']),
  };
}

function containerStatus(record: ContainerRecord): ContainerStatus {
  const { container, state, lastState, restartCount, started, ready, containerID, role } = record;
  const image = container.image ?? '';
  const isDone = role === 'init' && state.terminated?.exitCode === 0;
  return {
    name: container.name,
    state,
    lastState: lastState ?? {},
    ready: role === 'init' ? isDone : ready,
    started: role === 'init' ? state.running !== undefined : started,
    restartCount,
    image,
    imageID: containerID === undefined ? '' : image,
    ...(containerID === undefined ? {} : { containerID }),
  };
}

/**
 * Returns the last status of a Pod that was deleted before its containers had ended by themselves. Containers in an unknown state count as
 * failed.
 * @see https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/status/status_manager.go, `TerminatePod`
 */
export function terminatedStatus(status: PodStatus): PodStatus {
  const statuses = status.containerStatuses ?? [];
  const isInitialized = statuses.every(({ state }) => state?.waiting?.reason !== 'PodInitializing');
  const message = 'The container could not be located when the pod was terminated';
  const terminated = { exitCode: 137, reason: 'ContainerStatusUnknown', message };
  return {
    ...status,
    phase: isOver(status.phase) ? status.phase : 'Failed',
    containerStatuses: statuses.map((each) =>
      each.state?.terminated === undefined && isInitialized ? { ...each, state: { terminated } } : each,
    ),
  };
}

/** Returns true for a phase that a Pod does not leave. */
export function isOver(phase: Phase | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Source: kubelet, `getPhase`. */
export function phaseOf(
  { spec }: Pod,
  records: readonly ContainerRecord[],
  failure: PodFailure | undefined,
  isTerminating: boolean,
): Phase {
  if (failure !== undefined) return 'Failed';
  const inits = records.filter(({ role }) => role !== 'main');
  const mains = records.filter(({ role }) => role === 'main');
  const failedInit = inits.some(
    ({ role, state }) => role === 'init' && state.terminated !== undefined && state.terminated.exitCode !== 0,
  );
  if (failedInit && spec?.restartPolicy === 'Never') return 'Failed';
  const isInitialized = inits.every(({ role, state, started }) =>
    role === 'init' ? state.terminated?.exitCode === 0 : started || state.terminated !== undefined,
  );
  const hasStarted = mains.some(
    ({ state, lastState }) => state.waiting === undefined || lastState?.terminated,
  );
  if (!isInitialized && !hasStarted) return 'Pending';
  if (
    mains.some(({ state, lastState }) => state.waiting !== undefined && lastState?.terminated === undefined)
  )
    return 'Pending';
  if (mains.some(({ state, isReplaced }) => state.running !== undefined || isReplaced === true))
    return 'Running';
  const codes = mains.map(({ state, lastState }) => (state.terminated ?? lastState?.terminated)?.exitCode);
  const restartPolicy = isTerminating ? 'Never' : (spec?.restartPolicy ?? 'Always');
  if (restartPolicy === 'Always') return 'Running';
  // Sidecars are ended after the containers, and the Pod with them.
  if (inits.some(({ role, state }) => role === 'sidecar' && state.running !== undefined)) return 'Running';
  if (codes.every((code) => code === 0)) return 'Succeeded';
  return restartPolicy === 'Never' ? 'Failed' : 'Running';
}

type Condition = Omit<PodCondition, 'lastTransitionTime' | 'lastProbeTime'>;

/** Source: kubelet, `status/generate.go`. */
function conditions(
  pod: Pod,
  records: readonly ContainerRecord[],
  phase: Phase,
  hasSandbox: boolean,
): readonly Condition[] {
  const hasEnded = isOver(phase);
  const incomplete = records.filter(
    ({ role, state, started }) =>
      (role === 'init' && state.terminated?.exitCode !== 0) || (role === 'sidecar' && !started && !hasEnded),
  );
  const initialized: Verdict =
    phase === 'Succeeded' && incomplete.length === 0
      ? { status: 'True', reason: 'PodCompleted' }
      : incomplete.length === 0
        ? { status: 'True' }
        : notYet('ContainersNotInitialized', `containers with incomplete status: [${namesOf(incomplete)}]`);
  const unready = records.filter(({ role, ready }) => role !== 'init' && !ready);
  const containersReady: Verdict = hasEnded
    ? { status: 'False', reason: phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed' }
    : unready.length === 0
      ? { status: 'True' }
      : notYet('ContainersNotReady', `containers with unready status: [${namesOf(unready)}]`);
  const gates = closedGates(pod);
  const ready: Verdict =
    containersReady.status === 'True' && gates !== undefined
      ? notYet('ReadinessGatesNotReady', gates)
      : containersReady;
  const sandbox: Verdict = hasSandbox
    ? { status: 'True' }
    : { status: 'False', reason: 'PodSandboxNotReady' };
  const generation = pod.metadata.generation;
  const verdicts: Readonly<Record<string, Verdict>> = {
    PodReadyToStartContainers: sandbox,
    Initialized: initialized,
    Ready: ready,
    ContainersReady: containersReady,
    PodScheduled: { status: 'True' },
  };
  return Object.entries(verdicts).map(([type, verdict]) => ({
    type,
    observedGeneration: generation,
    ...verdict,
  }));
}

/** Source: kubelet, `pkg/kubelet/eviction`. */
function disruption(failure: PodFailure | undefined): readonly Condition[] {
  if (failure?.isDisruption !== true) return [];
  const { message } = failure;
  return [{ type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', message }];
}

interface Verdict {
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

function notYet(reason: string, message: string): Verdict {
  return { status: 'False', reason, message };
}

function namesOf(records: readonly ContainerRecord[]): string {
  return records.map(({ container }) => container.name).join(' ');
}

/** Returns the message for the first readiness gates that are not open; undefined if all are. */
function closedGates({ spec, status }: Pod): string | undefined {
  const messages = (spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const condition = status?.conditions?.find(({ type }) => type === conditionType);
    const named = `corresponding condition of pod readiness gate "${conditionType}"`;
    if (condition === undefined) return [`${named} does not exist.`];
    return condition.status === 'True'
      ? []
      : [`the status of pod readiness gate "${conditionType}" is not "True", but ${condition.status}`];
  });
  return messages.length === 0 ? undefined : messages.join(', ');
}

function withTime(condition: Condition, former: readonly PodCondition[], now: string): PodCondition {
  const before = former.find(({ type }) => type === condition.type);
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : now;
  return { ...condition, lastTransitionTime };
}
