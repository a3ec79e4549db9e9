import {
  ApiError,
  defineController,
  metricsRegistry,
  type ControllerClient,
  type EventRecorder,
  type ControllerOptions,
  type ReconcileContext,
} from '../../../../src/index.ts';
import {
  ControllerRunner,
  type ControllerRunnerOptions,
} from '../../../../src/sdk/runtime/controller/controller-runner.ts';
import { Turn } from '../../../../src/sdk/runtime/yielding.ts';
import { Site, site } from './kinds.ts';
import { ManualClock } from './manual-clock.ts';
import { memoryLog } from './memory-log.ts';

export const idle = async () => new Promise((resolve) => setImmediate(resolve));

export function setUp(
  controller: Partial<ControllerOptions<Site>>,
  options: Partial<ControllerRunnerOptions> = {},
) {
  const clock = new ManualClock();
  const { log, lines } = memoryLog();
  const manager = new AbortController();
  const signals: (() => AbortSignal)[] = [];
  const runner = new ControllerRunner(
    defineController({ name: 'runs', for: Site, reconcile: () => undefined, ...controller }),
    {
      lookUp: (key) => site(key.replace('default/', '')),
      clientFor: (_, run) => {
        signals.push(() => run.signal);
        return {} as ControllerClient;
      },
      eventsFor: () => ({}) as EventRecorder,
      log,
      signal: manager.signal,
      clock,
      turn: new Turn({ now: () => clock.now() }),
      ...options,
    },
  );
  runner.start();
  return { clock, lines, manager, runner, queue: runner.queue, signals };
}

export async function metric(name: string, controller: string): Promise<number | undefined> {
  const found = await metricsRegistry.getSingleMetric(`controller_runtime_${name}`)?.get();
  return found?.values.find(({ labels }) => labels['controller'] === controller)?.value;
}

/** Waits until the signal of the run is aborted, as `fetch` does. */
export const untilAborted = async ({ signal }: ReconcileContext): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

export const conflict = () =>
  new ApiError({ verb: 'update', resource: Site, namespace: 'default', name: 'a' }, 409, {
    kind: 'Status',
    reason: 'Conflict',
    message: 'the object has been modified',
  });
