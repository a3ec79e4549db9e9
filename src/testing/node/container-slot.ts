import type { Container, ContainerState, Pod } from '../../sdk/k8s/generated/core/v1.ts';
import type { ContainerLog } from './container-log.ts';
import type { ContainerRun } from './container-runtime.ts';
import type { ContainerRole } from './pod-status.ts';

/** A container of a Pod on a node, with its progress. Times are those of the clock. */
export interface Slot {
  container: Container;
  readonly role: ContainerRole;
  state: ContainerState;
  /** State in which the previous run ended. */
  lastState: ContainerState | undefined;
  /** State in which the run before the previous one ended. */
  earlierState: ContainerState | undefined;
  restartCount: number;
  run: ContainerRun | undefined;
  containerID: string | undefined;
  /** Output of the current run, or of the last one; undefined until the container was started. */
  log: ContainerLog | undefined;
  /** Output of the run before. */
  formerLog: ContainerLog | undefined;
  /** Time at which the container was started. */
  startedAt: number;
  /** Time at which the container ended. */
  endedAt: number;
  /** Delay before the next start; 0 until the container has ended once. */
  delay: number;
  isStopping: boolean;
  /** True while a running container ends because its image has changed. It is then started again, regardless of the restart policy. */
  isReplaced: boolean;
}

/** Returns the containers of a Pod, none of which has been started, in the order of their starts. */
export function slotsOf({ spec }: Pod): readonly Slot[] {
  const { initContainers = [], containers = [] } = spec ?? {};
  const reason = firstWait(initContainers.length > 0);
  return [
    ...initContainers.map((container) =>
      slotOf(container, container.restartPolicy === 'Always' ? 'sidecar' : 'init', reason),
    ),
    ...containers.map((container) => slotOf(container, 'main', reason)),
  ];
}

function firstWait(hasInits: boolean): string {
  return hasInits ? 'PodInitializing' : 'ContainerCreating';
}

function slotOf(container: Container, role: ContainerRole, reason: string): Slot {
  return {
    container,
    role,
    state: waiting(reason),
    lastState: undefined,
    earlierState: undefined,
    restartCount: 0,
    run: undefined,
    containerID: undefined,
    log: undefined,
    formerLog: undefined,
    startedAt: 0,
    endedAt: 0,
    delay: 0,
    isStopping: false,
    isReplaced: false,
  };
}

/** Milliseconds for which a container must run until its back-off is reset. Source: kubelet, `backOffPeriod` and `MaxContainerBackOff`. */
const forgetAfter = 600_000;

/** Counts a restart of a container, and sets the delay of the next one. A container that ended because its image changed gets no delay. */
export function countRestart(
  slot: Slot,
  backOff: { readonly first: number; readonly longest: number },
): void {
  slot.restartCount += 1;
  if (slot.isReplaced) return;
  const ranLong = slot.endedAt - slot.startedAt > forgetAfter;
  slot.delay = slot.delay === 0 || ranLong ? backOff.first : Math.min(slot.delay * 2, backOff.longest);
}

/**
 * Takes the image of a container from a newer version of its Pod, and resets the back-off, which belongs to the former image.
 *
 * @returns true if the container runs with the former image, and has to end; it is then started again, regardless of the restart policy
 */
export function takeImage(slot: Slot, { spec }: Pod): boolean {
  const all = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const container = all.find(({ name }) => name === slot.container.name);
  if (container === undefined || container.image === slot.container.image) return false;
  slot.container = container;
  slot.delay = 0;
  slot.isReplaced = slot.run !== undefined && slot.role !== 'init';
  return slot.isReplaced;
}

/** Moves the state of a container that has ended to `lastState`. Call it before the container waits or is started again. */
export function keepLastState(slot: Slot): void {
  if (slot.state.terminated === undefined) return;
  slot.earlierState = slot.lastState;
  slot.lastState = slot.state;
}

/** Resets waiting containers that are not started again: to the state in which they ended or, if they never ran, to their first state. */
export function forgetWaits(slots: readonly Slot[]): void {
  const reason = firstWait(slots.some(({ role }) => role !== 'main'));
  for (const slot of slots) {
    if (slot.state.waiting === undefined) continue;
    if (slot.lastState === undefined) slot.state = waiting(reason);
    else {
      slot.state = slot.lastState;
      slot.lastState = slot.earlierState;
    }
  }
}

export function waiting(reason: string, message?: string): ContainerState {
  return { waiting: { reason, ...(message === undefined ? {} : { message }) } };
}

/** Returns the time at which the startup probe of a container succeeds: when its initial delay is over. */
function startedTime({ startedAt, container }: Slot): number {
  return startedAt + (container.startupProbe?.initialDelaySeconds ?? 0) * 1000;
}

/** Returns the time at which the readiness probe of a container succeeds for the first time. */
export function readyTime(slot: Slot): number {
  const delay = (slot.container.readinessProbe?.initialDelaySeconds ?? 0) * 1000;
  return Math.max(startedTime(slot), slot.startedAt + delay);
}

/** Returns true if the startup probe of a container has succeeded. */
export function isStarted(slot: Slot, now: number): boolean {
  return slot.run !== undefined && (slot.run.probes?.isStarted ?? now >= startedTime(slot));
}

/** Returns the time at which the next probe of a container will succeed; Infinity if no probe is pending. */
export function probeTime(slot: Slot, now: number): number {
  if (slot.run === undefined || slot.run.probes !== undefined) return Infinity;
  return Math.min(...[startedTime(slot), readyTime(slot)].filter((time) => time > now), Infinity);
}

/** Returns true once all main containers have ended, and none is started again. */
export function haveEnded(pod: Pod, slots: readonly Slot[]): boolean {
  return slots
    .filter(({ role }) => role === 'main')
    .every((slot) => slot.state.terminated !== undefined && !isRestarted(pod, slot));
}

/** Returns the containers that are to end next: sidecars after the others, one by one in reverse order. */
export function nextToStop(slots: readonly Slot[]): readonly Slot[] {
  const running = slots.filter(({ run }) => run !== undefined);
  const others = running.filter(({ role }) => role !== 'sidecar');
  return others.length > 0 ? others : running.slice(-1);
}

/** Returns true if a container that has ended is started again. */
export function isRestarted(
  { spec }: Pod,
  { state, role, container, isReplaced }: Pick<Slot, 'state' | 'role' | 'container' | 'isReplaced'>,
): boolean {
  if (isReplaced) return true;
  const own = container.restartPolicy ?? spec?.restartPolicy ?? 'Always';
  const policy = role === 'sidecar' ? 'Always' : own;
  const hasFailed = state.terminated?.exitCode !== 0;
  if (role === 'init') return hasFailed && policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && hasFailed);
}
