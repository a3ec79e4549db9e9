import type { Container, Pod } from '../../sdk/k8s/generated/core/v1.ts';

/** End of a container. */
export interface ContainerExit {
  /** Exit code of the program, 0 to 255; for a program that a signal has ended, 128 and the number of the signal. */
  readonly exitCode: number;
  /** Default: `Completed` for exit code 0, else `Error`. */
  readonly reason?: string;
  /** Message of the container's state. Default: none. */
  readonly message?: string;
  /** Number of the signal that ended it. */
  readonly signal?: number;
}

/** A container that was started. */
export interface ContainerRun {
  /** Asks the container to end, and forces it to after the grace period in seconds. */
  stop(gracePeriod: number): void;
}

/** Runs the containers of Pods: pretends to, or starts processes. */
export interface ContainerRuntime {
  /** Starts a container. Calls `exited` when it ends, never before `start` returns. */
  start(pod: Pod, container: Container, exited: (exit: ContainerExit) => void): ContainerRun;
}
