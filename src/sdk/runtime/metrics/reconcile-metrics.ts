import { Counter, Gauge, Histogram } from 'prom-client';
import { metricsRegistry } from './registry.ts';

/** Outcome of a reconcile; the values of controller-runtime's label `result`. */
export type ReconcileOutcome = 'success' | 'error' | 'requeue' | 'requeue_after';

const OUTCOMES: readonly ReconcileOutcome[] = ['success', 'error', 'requeue', 'requeue_after'];

// Names, labels and buckets are those of controller-runtime `pkg/internal/controller/metrics`, because dashboards depend on them.
const registers = [metricsRegistry];
const labelNames = ['controller'] as const;

const total = new Counter({
  name: 'controller_runtime_reconcile_total',
  help: 'Total number of reconciliations per controller',
  labelNames: ['controller', 'result'],
  registers,
});
const errors = new Counter({
  name: 'controller_runtime_reconcile_errors_total',
  help: 'Total number of reconciliation errors per controller',
  labelNames,
  registers,
});
const terminalErrors = new Counter({
  name: 'controller_runtime_terminal_reconcile_errors_total',
  help: 'Total number of terminal reconciliation errors per controller',
  labelNames,
  registers,
});
const panics = new Counter({
  name: 'controller_runtime_reconcile_panics_total',
  help: 'Total number of reconciliation panics per controller',
  labelNames,
  registers,
});
const timeouts = new Counter({
  name: 'controller_runtime_reconcile_timeouts_total',
  help: 'Total number of reconciliation timeouts per controller',
  labelNames,
  registers,
});
const time = new Histogram({
  name: 'controller_runtime_reconcile_time_seconds',
  help: 'Length of time per reconciliation per controller',
  labelNames,
  buckets: [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25,
    1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
  ],
  registers,
});
const maxConcurrent = new Gauge({
  name: 'controller_runtime_max_concurrent_reconciles',
  help: 'Maximum number of concurrent reconciles per controller',
  labelNames,
  registers,
});
const activeWorkers = new Gauge({
  name: 'controller_runtime_active_workers',
  help: 'Number of currently used workers per controller',
  labelNames,
  registers,
});

/** The reconcile metrics of one controller. */
export interface ReconcileMetrics {
  started(): void;
  /** Called when a run exceeds its timeout, but has not ended yet. */
  timedOut(): void;
  /**
   * Called when a run has ended.
   *
   * @param error the thrown error, if the run has thrown one
   */
  ended(
    outcome: ReconcileOutcome,
    seconds: number,
    error?: { readonly terminal: boolean; readonly panic: boolean },
  ): void;
}

/** Creates all series of a controller, with value 0, so that a rate over these series includes the first event. */
export function reconcileMetrics(controller: string, concurrency: number): ReconcileMetrics {
  for (const result of OUTCOMES) total.inc({ controller, result }, 0);
  for (const counter of [errors, terminalErrors, panics, timeouts]) counter.inc({ controller }, 0);
  time.zero({ controller });
  activeWorkers.set({ controller }, 0);
  maxConcurrent.set({ controller }, concurrency);
  return {
    started: () => activeWorkers.inc({ controller }),
    timedOut: () => timeouts.inc({ controller }),
    ended(outcome, seconds, error) {
      activeWorkers.dec({ controller });
      time.observe({ controller }, seconds);
      total.inc({ controller, result: outcome });
      if (error === undefined) return;
      errors.inc({ controller });
      if (error.terminal) terminalErrors.inc({ controller });
      if (error.panic) panics.inc({ controller });
    },
  };
}
