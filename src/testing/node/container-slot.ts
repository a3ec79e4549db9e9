import type { Container, ContainerState, Pod } from '../../sdk/k8s/generated/core/v1.ts';
import type { ContainerLog } from './container-log.ts';
import type { ContainerRun } from './container-runtime.ts';
import type { ContainerRole } from './pod-status.ts';

/** A container of a Pod on a node, and how it fares. Times are those of the clock. */
export interface Slot {
  readonly container: Container;
  readonly role: ContainerRole;
  state: ContainerState;
  lastState: ContainerState | undefined;
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
}

/** Returns a container that has not been started. @param hasInits true if init containers come first */
export function slotOf(container: Container, role: ContainerRole, hasInits: boolean): Slot {
  return {
    container,
    role,
    state: waiting(hasInits ? 'PodInitializing' : 'ContainerCreating'),
    lastState: undefined,
    restartCount: 0,
    run: undefined,
    containerID: undefined,
    log: undefined,
    formerLog: undefined,
    startedAt: 0,
    endedAt: 0,
    delay: 0,
    isStopping: false,
  };
}

export function waiting(reason: string, message?: string): ContainerState {
  return { waiting: { reason, ...(message === undefined ? {} : { message }) } };
}

/** Returns the time at which the startup probe of a container succeeds: when its initial delay is over. */
export function startedTime({ startedAt, container }: Slot): number {
  return startedAt + (container.startupProbe?.initialDelaySeconds ?? 0) * 1000;
}

/** Returns the time at which the readiness probe of a container succeeds for the first time. */
export function readyTime(slot: Slot): number {
  const delay = (slot.container.readinessProbe?.initialDelaySeconds ?? 0) * 1000;
  return Math.max(startedTime(slot), slot.startedAt + delay);
}

/** Returns true if a container that has ended is started again. */
export function isRestarted(
  { spec }: Pod,
  { state, role, container }: Pick<Slot, 'state' | 'role' | 'container'>,
): boolean {
  const own = container.restartPolicy ?? spec?.restartPolicy ?? 'Always';
  const policy = role === 'sidecar' ? 'Always' : own;
  const hasFailed = state.terminated?.exitCode !== 0;
  if (role === 'init') return hasFailed && policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && hasFailed);
}
