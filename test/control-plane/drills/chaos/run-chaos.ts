import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlannedFault } from './schedule.ts';

/** A fault that has happened. */
export interface InflictedFault {
  /** Such as the name of the Pod that was hit. */
  readonly victim: string;
  /** Ends the fault. Default: it is over by itself. */
  readonly mend?: () => void | Promise<void>;
}

/**
 * Lets a fault happen, at once or when the cluster can bear it.
 * @param draw chooses the victim: a number in [0, 1)
 * @param signal aborted when the time of faults is over
 * @returns undefined if there is nothing to hit
 */
export type Inflict = (draw: number, signal: AbortSignal) => Promise<InflictedFault | undefined>;

/** Faults that follow each other. */
export interface Lane {
  readonly faults: readonly PlannedFault[];
  /** True if a fault need not wait until the one before is mended. */
  readonly mayOverlap: boolean;
}

interface ChaosOptions {
  readonly lanes: readonly Lane[];
  readonly inflict: Readonly<Record<string, Inflict>>;
  readonly seconds: number;
  /** Called with a line for each fault. */
  readonly report: (line: string) => void;
}

/**
 * Lets the faults of all lanes happen at their times, or as soon after them as they may, until the time is over. All of them are mended
 * then.
 * @returns how often each kind has happened
 */
export async function runChaos({
  lanes,
  inflict,
  seconds,
  report,
}: ChaosOptions): Promise<Readonly<Record<string, number>>> {
  const start = performance.now();
  const over = AbortSignal.timeout(seconds * 1000);
  // Each fault waits for its time.
  setMaxListeners(0, over);
  const counts: Record<string, number> = {};
  const since = (): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  const untilOver = (milliseconds: number): Promise<void> =>
    sleep(Math.max(0, milliseconds), undefined, { signal: over }).catch(() => undefined);

  const happen = async ({ kind, at, lasts, draw }: PlannedFault): Promise<void> => {
    await untilOver(at - (performance.now() - start));
    if (over.aborted) return;
    const inflicted = await inflict[kind]?.(draw, over);
    if (inflicted === undefined) return;
    counts[kind] = (counts[kind] ?? 0) + 1;
    report(`${since()}: ${kind} ${inflicted.victim}`);
    if (inflicted.mend === undefined) return;
    await untilOver(lasts);
    await inflicted.mend();
    report(`${since()}: ${kind} ${inflicted.victim} is over`);
  };
  const run = async ({ faults, mayOverlap }: Lane): Promise<void> => {
    if (mayOverlap) await Promise.all(faults.map(happen));
    else for (const fault of faults) await happen(fault);
  };
  await Promise.all(lanes.map(run));
  return counts;
}
