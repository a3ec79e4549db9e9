/** In CI (`CI=true`) tests that look at many cases look at all of them; elsewhere at about a fifth, so that `npm test` stays short. */
export const isThorough = process.env['CI'] === 'true';

/** How many random cases to look at, where CI looks at `count`. */
export const runs = (count: number): number => (isThorough ? count : Math.ceil(count / 5));

/** The cases to look at: every fifth outside of CI, the first among them. */
export const chosen = <T>(cases: readonly T[]): readonly T[] =>
  isThorough ? cases : cases.filter((_, index) => index % 5 === 0);
