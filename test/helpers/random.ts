/** Choices that are the same in every run with the same seed. */
export interface Random {
  /** A number in [0, 1). */
  readonly next: () => number;
  /** An integer from `least` to `most`, both included. */
  integer(least: number, most: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  shuffle<T>(values: readonly T[]): T[];
}

/** mulberry32: small, and good enough to choose samples. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const pick = <T>(values: readonly T[]): T => {
    if (values.length === 0) throw new Error('there is nothing to pick from');
    return values[integer(0, values.length - 1)] as T;
  };
  const shuffle = <T>(values: readonly T[]): T[] => {
    const keys = values.map((value) => ({ value, key: next() }));
    return keys.sort((a, b) => a.key - b.key).map(({ value }) => value);
  };
  return { next, integer, chance: (probability) => next() < probability, pick, shuffle };
}
