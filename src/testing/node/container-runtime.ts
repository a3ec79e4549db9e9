import type { Readable, Writable } from 'node:stream';
import type { Container, Pod } from '../../sdk/k8s/generated/core/v1.ts';
import type { ContainerLog } from './container-log.ts';

/** End of a container. */
export interface ContainerExit {
  /** Exit code of the program, 0 to 255; for a program that a signal has ended, 128 and the number of the signal. */
  readonly exitCode: number;
  /** Default: `Completed` for exit code 0, else `Error`. */
  readonly reason?: string;
  /** Message of the container's state. Default: none. */
  readonly message?: string;
  /** Number of the signal that ended the program. */
  readonly signal?: number;
}

/** Results of the probes of a container that a runtime runs by itself. */
export interface ProbeResults {
  /** True once the startup probe has succeeded. */
  readonly isStarted: boolean;
  /** True while the readiness probe succeeds. */
  readonly isReady: boolean;
}

/** A command that runs beside a container. */
export interface ContainerCommand {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the command has ended. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** A container that was started. */
export interface ContainerRun {
  readonly log: ContainerLog;
  /** Results of probes; undefined if the runtime has none, so that they succeed when their initial delays are over. */
  readonly probes?: ProbeResults | undefined;
  /**
   * Starts a command beside the container. Undefined if the container only pretends to run.
   * @throws Error if the command cannot be started
   */
  exec?(command: readonly string[]): Promise<ContainerCommand>;
  /** Asks the container to end, and kills it after the grace period, in seconds. */
  stop(gracePeriod: number): void;
}

/** Reports of a container to its Pod. A runtime never calls them before `start` has returned. */
export interface ContainerReports {
  /** Called when the container has ended. */
  readonly exited: (exit: ContainerExit) => void;
  /** Called when the result of a probe has changed. */
  readonly probed: () => void;
  /** Called with each result of a probe that a kubelet would report. */
  readonly warning: (reason: string, note: string) => void;
}

/** A Pod and its address, for a runtime. */
export interface PodOnNode {
  readonly pod: Pod;
  readonly podIP: string;
  readonly hostIP: string;
}

/** Runs the containers of Pods, as processes or only for the status. */
export interface ContainerRuntime {
  /** Starts a container. */
  start(place: PodOnNode, container: Container, reports: ContainerReports): ContainerRun;
  /** Forgets a Pod whose containers have ended, and removes its folders. */
  forget(pod: Pod): void;
}
