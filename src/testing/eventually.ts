import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, OpSdkError } from '../base/errors/index.ts';
import { durationMs, type DurationLike } from '../sdk/runtime/index.ts';

/** Timeout and interval of `eventually`. */
export interface EventuallyOptions {
  /** Maximum duration of all tries together: milliseconds, or text such as `30s`. Default: 10s. */
  readonly timeout?: DurationLike;
  /** Time between two tries: milliseconds, or text such as `30s`. Default: 100ms. */
  readonly interval?: DurationLike;
}

/**
 * Repeats `check` until it neither throws nor returns `false`. Use it for conditions that become true after some time.
 * @returns the value that `check` returned
 * @throws OpSdkError testenv/eventually-timeout, with the last failure in its message and as its cause; runtime/invalid-duration
 *
 * @example
 * await eventually(async () => expect(await client.get(Deployment, key)).toMatchObject({ spec: { replicas: 2 } }));
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<Exclude<T, false>> {
  const timeout = durationMs(options.timeout ?? '10s');
  const interval = durationMs(options.interval ?? '100ms');
  const deadline = performance.now() + timeout;
  for (let tries = 1; ; tries++) {
    let failure: unknown;
    try {
      const value = await check();
      if (value !== false) return value as Exclude<T, false>;
      failure = new Error('the check returned false');
    } catch (error) {
      failure = error;
    }
    if (performance.now() >= deadline) {
      const last = messageOf(failure);
      const message = `the check did not succeed within ${timeout} ms (${tries} tries); last failure: ${last}`;
      throw new OpSdkError({ code: 'testenv/eventually-timeout', message }, { cause: failure });
    }
    await sleep(interval);
  }
}
