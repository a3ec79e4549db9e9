import type { Container, ContainerState } from '../../sdk/k8s/generated/core/v1.ts';
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

/** Writes seconds as Go does: `10s`, `1m20s`. */
export function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`;
}
