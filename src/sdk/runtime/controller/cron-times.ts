import { Cron } from 'croner';
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
