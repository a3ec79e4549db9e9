// Recordings of what OLM does to a cluster, as snapshots in time.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubeObject } from '../../../../src/api/index.ts';
import type { Judgement } from '../../../../src/olm/run/judgement.ts';
import { ObservedObjects } from '../../../../src/olm/run/observed.ts';

const folder = fileURLToPath(new URL('../../../../../shared/data/olm/recordings', import.meta.url));
export const hasRecordings = existsSync(folder);

interface RecordedEvent {
  readonly t: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly object: KubeObject & Record<string, unknown>;
}

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
  const events = readEvents(recording);
  const start = clockAtStart(events);
  const objects = new Map<string, RecordedEvent['object']>();
  const momentAt = (t: number): Moment => ({
    t,
    now: new Date(start + t * 1000),
    observed: new ObservedObjects(objects.values()),
  });
  for (const [index, event] of events.entries()) {
    apply(objects, event);
    const until = events[index + 1]?.t ?? event.t;
    if (until === event.t && index < events.length - 1) continue;
    for (let t = event.t; t === event.t || t < until; t += 1) if (t >= from) yield momentAt(t);
  }
}

function readEvents(recording: string): readonly RecordedEvent[] {
  const text = readFileSync(join(folder, recording, 'events.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedEvent);
}

function apply(
  objects: Map<string, RecordedEvent['object']>,
  { type, kind, namespace, name, object }: RecordedEvent,
): void {
  const key = `${kind}/${namespace ?? ''}/${name}`;
  if (type === 'DELETED') {
    objects.delete(key);
    return;
  }
  const before = objects.get(key);
  // "=" is what the event before had.
  const whole = Object.entries(object).map(([field, value]) => [
    field,
    value === '=' ? before?.[field] : value,
  ]);
  objects.set(key, Object.fromEntries(whole) as RecordedEvent['object']);
}

/** An object that was created during the recording tells the time. */
function clockAtStart(events: readonly RecordedEvent[]): number {
  const first = events.find(({ t, type }) => t > 0.5 && type === 'ADDED');
  const created = Date.parse(first?.object.metadata.creationTimestamp ?? '');
  return Number.isNaN(created) ? 0 : created - (first?.t ?? 0) * 1000;
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
  const lines: string[] = [];
  const passing: string[] = [];
  let failing: { readonly code: string; readonly since: number } | undefined;
  let last: RecordedVerdict | undefined;
  for (const moment of moments(recording, options)) {
    const { t } = moment;
    const judgement = judge(moment);
    const code = judgement.state === 'failed' ? judgement.finding.code : undefined;
    if (failing !== undefined && failing.code !== code) passing.push(failing.code);
    if (code === undefined) failing = undefined;
    else if (failing?.code !== code) failing = { code, since: t };
    const since = failing?.since ?? t;
    last = { t, since, judgement, passing, lines };
    if (judgement.state === 'done') return last;
    if (judgement.state === 'failed' && (judgement.terminal || t - since >= 5)) return last;
    if (judgement.state === 'waiting' && lines.at(-1) !== judgement.line) lines.push(judgement.line);
  }
  if (last === undefined) throw new Error(`${recording} has no events`);
  return last;
}
