// Recordings of what OLM does to a cluster, as snapshots in time.
import type { Judgement } from '../../../../src/olm/run/judgement.ts';
import { ObservedObjects } from '../../../../src/olm/run/observed.ts';
import { clockAtStart, keyOf, recordedEvents, type RecordedEvent } from './recording.ts';

/** What was on the cluster at a moment, in seconds of the recording. */
export interface Moment {
  readonly t: number;
  /** The clock of the cluster. */
  readonly now: Date;
  readonly observed: ObservedObjects;
}

/** Every moment at which something changed, and every second between them, from `from` on. */
export function* moments(
  recording: string,
  { from = 0 }: { readonly from?: number | undefined } = {},
): Generator<Moment> {
  const events = recordedEvents(recording);
  const start = clockAtStart(events);
  const objects = new Map<string, RecordedEvent['object']>();
  const momentAt = (t: number): Moment => ({
    t,
    now: new Date(start + t * 1000),
    observed: new ObservedObjects(objects.values()),
  });
  for (const [index, event] of events.entries()) {
    if (event.type === 'DELETED') objects.delete(keyOf(event));
    else objects.set(keyOf(event), event.object);
    const until = events[index + 1]?.t ?? event.t;
    if (until === event.t && index < events.length - 1) continue;
    for (let t = event.t; t === event.t || t < until; t += 1) if (t >= from) yield momentAt(t);
  }
}

/** How a replay ended. */
export interface RecordedVerdict {
  /** Seconds of the recording. */
  readonly t: number;
  /** When the state began that decided. */
  readonly since: number;
  readonly judgement: Judgement;
  /** Codes of failures that went away by themselves, after less than 5 s. */
  readonly passing: readonly string[];
  /** The progress until then. */
  readonly lines: readonly string[];
}

/**
 * What a caller makes of the judgements: `done` at once, `failed` when it is terminal or the same code for 5 seconds, else the last
 * judgement.
 */
export function verdictOf(
  recording: string,
  judge: (moment: Moment) => Judgement,
  options: { readonly from?: number | undefined } = {},
): RecordedVerdict {
  const keeper = new VerdictKeeper();
  for (const moment of moments(recording, options)) if (keeper.isFinal(moment.t, judge(moment))) break;
  return keeper.verdict(recording);
}

/** Takes judgements in their order, until one of them decides. */
export class VerdictKeeper {
  readonly #lines: string[] = [];
  readonly #passing: string[] = [];
  #failing: { readonly code: string; readonly since: number } | undefined;
  #last: RecordedVerdict | undefined;

  /** @param t in seconds of the recording */
  isFinal(t: number, judgement: Judgement): boolean {
    const code = judgement.state === 'failed' ? judgement.finding.code : undefined;
    if (this.#failing !== undefined && this.#failing.code !== code) this.#passing.push(this.#failing.code);
    if (code === undefined) this.#failing = undefined;
    else if (this.#failing?.code !== code) this.#failing = { code, since: t };
    const since = this.#failing?.since ?? t;
    this.#last = { t, since, judgement, passing: this.#passing, lines: this.#lines };
    if (judgement.state === 'waiting' && this.#lines.at(-1) !== judgement.line)
      this.#lines.push(judgement.line);
    return judgement.state === 'failed' ? judgement.terminal || t - since >= 5 : judgement.state === 'done';
  }

  verdict(recording: string): RecordedVerdict {
    if (this.#last === undefined) throw new Error(`${recording} has no events`);
    return this.#last;
  }
}
