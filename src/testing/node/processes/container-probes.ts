import type { Clock } from '../../../sdk/net/index.ts';
import type { Container, Probe } from '../../../sdk/k8s/generated/core/v1.ts';
import type { ProbeResults } from '../container-runtime.ts';
import { runHandler, type HandlerTarget } from './run-handler.ts';

interface ProbesOptions {
  readonly container: Container;
  readonly clock: Clock;
  /** Called when a result has changed. */
  readonly changed: () => void;
  /** Called with the note of an Event when a probe has failed. */
  readonly failed: (note: string) => void;
  /** Called when the container is to be started again. @param probe `liveness` or `startup` */
  readonly kill: (probe: string) => void;
}

/**
 * Maximum time in milliseconds between two tries of a probe that has not succeeded yet. It is short, so that tests need not wait for a
 * whole period.
 */
const firstPeriod = 250;

/**
 * Runs the probes of a container. Until a probe has succeeded once, it is tried more often than its period says, but failures count once a
 * period.
 * @see https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/prober/worker.go
 */
export class ContainerProbes implements ProbeResults {
  readonly #options: ProbesOptions;
  readonly #cancel = new Set<() => void>();
  #target: HandlerTarget | undefined;
  #isEnded = false;
  isStarted: boolean;
  isReady: boolean;

  constructor(options: ProbesOptions) {
    this.#options = options;
    // A container without probes is ready once its process runs.
    this.isStarted = false;
    this.isReady = false;
  }

  /** Starts the probes. Call it when the process runs. */
  begin(target: HandlerTarget): void {
    this.#target = target;
    const { startupProbe, livenessProbe, readinessProbe } = this.#options.container;
    const afterStart = (): void => {
      this.isStarted = true;
      if (readinessProbe === undefined) this.isReady = true;
      else
        this.#run(readinessProbe, 'Readiness', (isReady) => {
          if (this.isReady === isReady) return;
          this.isReady = isReady;
          this.#options.changed();
        });
      if (livenessProbe !== undefined)
        this.#run(livenessProbe, 'Liveness', (isAlive) => {
          if (!isAlive) this.#options.kill('liveness');
        });
      this.#options.changed();
    };
    if (startupProbe === undefined) return afterStart();
    this.#run(startupProbe, 'Startup', (isStarted) => {
      if (!isStarted) this.#options.kill('startup');
      else if (!this.isStarted) afterStart();
    });
  }

  end(): void {
    this.#isEnded = true;
    for (const cancel of this.#cancel) cancel();
  }

  /** Tries a probe again and again. Calls `decided` when enough tries in a row have succeeded or failed. */
  #run(probe: Probe, word: string, decided: (isSuccess: boolean) => void): void {
    const { clock, failed } = this.#options;
    const { initialDelaySeconds = 0, periodSeconds = 10, timeoutSeconds = 1 } = probe;
    const { successThreshold = 1, failureThreshold = 3 } = probe;
    const period = periodSeconds * 1000;
    let successes = 0;
    let failures = 0;
    let hasSucceeded = false;
    let countedAt = -Infinity;
    const isOver = (): boolean => this.#isEnded || (word === 'Startup' && this.isStarted);
    const attempt = async (): Promise<void> => {
      if (this.#target === undefined || isOver()) return;
      const reason = await runHandler(probe, this.#target, timeoutSeconds * 1000);
      if (isOver()) return;
      if (reason === undefined) {
        successes += 1;
        failures = 0;
        hasSucceeded = true;
        if (successes >= successThreshold) decided(true);
      } else {
        successes = 0;
        if (hasSucceeded || clock.now() - countedAt >= period) {
          countedAt = clock.now();
          failures += 1;
          failed(`${word} probe failed: ${reason}`);
        }
        if (failures >= failureThreshold) decided(false);
      }
      if (!isOver()) later(hasSucceeded ? period : Math.min(period, firstPeriod));
    };
    const later = (delay: number): void => {
      const cancel = clock.after(delay, () => {
        this.#cancel.delete(cancel);
        void attempt();
      });
      this.#cancel.add(cancel);
    };
    later(initialDelaySeconds * 1000);
  }
}
