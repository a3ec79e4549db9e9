import { readSchedule } from 'opsdk';
import type { BackupPolicy } from '../api/etcd/v1beta2/etcd-backup.ts';

/** Times are milliseconds since 1970. */
export interface Schedule {
  /** Returns the first time after the last run. Undefined if there is none. */
  readonly next: (lastRun: number | undefined) => number | undefined;
  /** Returns the newest time that is due after the last run, and how many before it were missed. Undefined if none is due. */
  readonly due: (
    lastRun: number | undefined,
    now: number,
  ) => { readonly time: number; readonly missed: number } | undefined;
}

/** Number of missed runs above which they are not counted any more. */
const mostMissed = 100;

/**
 * Returns the times at which backups are due, or undefined for a single backup.
 *
 * @param created time at which the object was created. The first backup of an interval is due at once, that of a schedule at its first time
 * @throws OpSdkError `runtime/invalid-duration` for a schedule that cannot be read
 */
export async function scheduleOf(
  policy: BackupPolicy | undefined,
  created: number,
): Promise<Schedule | undefined> {
  const { backupIntervalInSecond: seconds, schedule: cron, timeZone } = policy ?? {};
  if (seconds !== undefined) return intervalOf(seconds * 1000, created);
  if (cron === undefined) return undefined;
  const times = await readSchedule({ cron, timeZone });
  return {
    next: (lastRun) => times.next(lastRun ?? created),
    due(lastRun, now) {
      const since = lastRun ?? created;
      const time = times.last(now);
      if (time === undefined || time <= since) return undefined;
      let missed = 0;
      for (
        let each = times.last(time - 1000);
        each !== undefined && each > since;
        each = times.last(each - 1000)
      ) {
        missed += 1;
        if (missed === mostMissed) break;
      }
      return { time, missed };
    },
  };
}

/** Returns the times of an interval, which begins with the last run, so that a change of it starts no backup of its own. */
function intervalOf(interval: number, created: number): Schedule {
  const next = (lastRun: number | undefined): number =>
    lastRun === undefined ? created : lastRun + interval;
  return {
    next,
    due(lastRun, now) {
      const first = next(lastRun);
      if (first > now) return undefined;
      const missed = Math.floor((now - first) / interval);
      return { time: first + missed * interval, missed: Math.min(missed, mostMissed) };
    },
  };
}
