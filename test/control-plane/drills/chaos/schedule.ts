import { createRandom } from '../../../helpers/random.ts';

/** A fault that is to happen. */
export interface PlannedFault {
  readonly kind: string;
  /** Milliseconds after the start. */
  readonly at: number;
  /** Milliseconds until it is mended; 0 for faults that nobody has to mend. */
  readonly lasts: number;
  /** Chooses one among those that can be hit then: a number in [0, 1). */
  readonly draw: number;
}

/** Kind of fault: how often it happens beside the others of its lane, and for how many milliseconds, at least and at most. */
export interface FaultKind {
  readonly weight: number;
  readonly lasts?: readonly [number, number];
}

/** Faults that follow each other. */
export interface LanePlan {
  readonly name: string;
  /** Milliseconds between two of them, at least and at most. */
  readonly gap: readonly [number, number];
  readonly kinds: Readonly<Record<string, FaultKind>>;
}

/**
 * Plans the faults of a lane. The same seed gives the same faults, and a longer run begins with those of a shorter one. Lanes of different
 * names do not depend on each other.
 */
export function planFaults(
  { name, gap, kinds }: LanePlan,
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
): readonly PlannedFault[] {
  const random = createRandom(seed ^ hash(name));
  const between = ([least, most]: readonly [number, number]): number =>
    Math.round(least + random.next() * (most - least));
  const tickets = Object.entries(kinds).flatMap(([kind, { weight }]) => Array<string>(weight).fill(kind));
  const faults: PlannedFault[] = [];
  for (let at = between(gap); at < seconds * 1000; at += between(gap)) {
    const kind = random.pick(tickets);
    faults.push({ kind, at, lasts: between(kinds[kind]?.lasts ?? [0, 0]), draw: random.next() });
  }
  return faults;
}

/** Describes a plan in a line, such as `kill-process 1.2, stop-node 4.0 for 3.1`, in seconds. */
export function formatPlan(faults: readonly PlannedFault[]): string {
  const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);
  return faults
    .map(({ kind, at, lasts }) => `${kind} ${seconds(at)}${lasts === 0 ? '' : ` for ${seconds(lasts)}`}`)
    .join(', ');
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}
