import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import type { Clock } from '../../net/index.ts';

/** Time for aborted work to notice the abort. */
const LAST_MOMENT_MS = 1000;

export interface DrainOptions {
  /** Resolves when all work has ended; never rejects. */
  readonly work: Promise<unknown>;
  /** Milliseconds for it. */
  readonly timeout: number;
  /** Ends the wait early. */
  readonly force: AbortSignal | undefined;
  /** Aborted when the wait is over and work is left. */
  readonly abort: AbortController;
  /** Why work has to end: the cause of the error. */
  readonly reason: unknown;
  readonly clock: Clock;
  /** Returns the work that has not ended, for the error. */
  left(): readonly string[];
}

/**
 * Waits for running work to end, and aborts what does not.
 *
 * @throws OpSdkError `runtime/drain-timeout`
 */
export async function drain(options: DrainOptions): Promise<void> {
  const { work, timeout, force, clock } = options;
  const outcome = await firstOf(work, timeout, force, clock);
  if (outcome === 'done') return;
  const left = options.left();
  const finding: Finding = {
    code: 'runtime/drain-timeout',
    message: `${outcome === 'late' ? `still running after ${timeout / 1000} s` : 'still running at the second signal'}: ${left.join(', ')}`,
    fix: [
      'pass ctx.signal to what waits in reconcile, and use requeueAfter instead of waiting',
      'or raise gracefulShutdownTimeout together with terminationGracePeriodSeconds of the Deployment',
    ],
  };
  // If a part has failed, its error must not get lost behind this one.
  const error = new OpSdkError(finding, { cause: options.reason });
  options.abort.abort(error);
  await firstOf(work, LAST_MOMENT_MS, undefined, clock);
  throw error;
}

async function firstOf(
  work: Promise<unknown>,
  timeout: number,
  force: AbortSignal | undefined,
  clock: Clock,
): Promise<'done' | 'late' | 'forced'> {
  return new Promise((resolve) => {
    const settle = (end: () => void): void => {
      cancel();
      force?.removeEventListener('abort', forced);
      end();
    };
    const forced = (): void => settle(() => resolve('forced'));
    const cancel = clock.after(timeout, () => settle(() => resolve('late')));
    force?.addEventListener('abort', forced);
    if (force?.aborted === true) forced();
    void work.then(() => settle(() => resolve('done')));
  });
}
