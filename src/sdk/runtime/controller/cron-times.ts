import { Cron } from 'croner';
import { messageOf, OpSdkError } from '../../../base/errors/index.ts';
import { currentClock, pause } from '../../net/index.ts';

/** Longest wait for a time of day, after which the rest is computed again, because the time of day may be corrected meanwhile. */
const LONGEST_WAIT_MS = 3_600_000;

/** Yields at each time of a schedule, until the signal aborts. Times that pass while the consumer is busy are skipped. */
export async function* cronTimes(cron: string, timeZone: string, signal: AbortSignal): AsyncGenerator<void> {
  const clock = currentClock();
  const schedule = new Cron(cron, { timezone: timeZone, paused: true });
  for (;;) {
    const next = schedule.nextRun(clock.today())?.getTime() ?? Infinity;
    const left = (): number => next - clock.today().getTime();
    while (left() > 0) {
      await pause(clock, Math.min(left(), LONGEST_WAIT_MS), signal);
      if (signal.aborted) return;
    }
    yield;
  }
}

/** Times of a schedule, in milliseconds since 1970, as `now()` gives them. */
export interface ScheduleTimes {
  /** Returns the first time after a given one. Undefined if there is none, as for the 30th of February. */
  readonly next: (after: number) => number | undefined;
  /** Returns the last time until a given one, which may be that one. Undefined if there is none. */
  readonly last: (until: number) => number | undefined;
}

/** Reads a schedule. @throws OpSdkError `runtime/invalid-duration` */
export function scheduleTimes(cron: string, timeZone: string): ScheduleTimes {
  let schedule: Cron;
  try {
    schedule = new Cron(cron, { timezone: timeZone, paused: true });
  } catch (error) {
    throw new OpSdkError({
      code: 'runtime/invalid-duration',
      message: `expected a schedule, got ${JSON.stringify(cron)}: ${messageOf(error)}`,
      fix: ["write minute, hour, day of the month, month and day of the week: '0 3 * * *'"],
    });
  }
  return {
    next: (after) => schedule.nextRun(new Date(after))?.getTime(),
    // Times of schedules are whole seconds, and the parser gives those before its argument.
    last: (until) => schedule.previousRuns(1, new Date(Math.floor(until / 1000) * 1000 + 1000))[0]?.getTime(),
  };
}
