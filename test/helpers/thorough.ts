/** With TEST_THOROUGH=1, as in `npm run test:long`, tests of many cases look at all of them; elsewhere at about a fifth. */
export const isThorough = process.env['TEST_THOROUGH'] === '1';

/** How many random cases to look at, of the `count` of a thorough run. */
export const runs = (count: number): number => (isThorough ? count : Math.ceil(count / 5));

/** The cases to look at: every fifth unless the run is thorough, the first among them. */
export const chosen = <T>(cases: readonly T[]): readonly T[] =>
  isThorough ? cases : cases.filter((_, index) => index % 5 === 0);
