// A member of `allOf` that is left out of the comparison refuses nothing that the schema around it takes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isImplied } from '../../../../../src/kubernetes/crd/diff/rules/combinations.ts';
import { runs } from '../../../../helpers/thorough.ts';
import { isValid } from './tiny-api-server.ts';

const numbers = [0, 1, 1.5, 2, 3];
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });
const without = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));

const ofNumbers = fc
  .record({
    minimum: maybe(fc.constantFrom(...numbers)),
    exclusiveMinimum: maybe(fc.boolean()),
    maximum: maybe(fc.constantFrom(...numbers)),
    exclusiveMaximum: maybe(fc.boolean()),
    multipleOf: maybe(fc.constantFrom(1, 2)),
    enum: maybe(fc.subarray(numbers)),
  })
  .map(without);

const ofObjects = fc
  .record({
    required: maybe(fc.subarray(['a', 'b'])),
    minProperties: maybe(fc.constantFrom(0, 1, 2)),
    maxProperties: maybe(fc.constantFrom(1, 2)),
  })
  .map(without);

test('an enum without values implies no other one', () => {
  expect(isImplied({ enum: [1] }, { enum: [] })).toBe(false);
  expect(isImplied({ enum: [1, 2] }, { enum: [1] })).toBe(true);
});

test.each([
  ['numbers', ofNumbers, { type: 'number' }, numbers],
  ['objects', ofObjects, { type: 'object' }, [{}, { a: 1 }, { b: 1 }, { a: 1, b: 1 }]],
] as const)('%s', (_title, schemas, type, values) => {
  let implied = 0;
  fc.assert(
    fc.property(schemas, schemas, (node, member) => {
      if (!isImplied(member, node)) return;
      implied++;
      for (const value of values.filter((each) => isValid({ ...type, ...node }, each)))
        expect(isValid({ ...type, ...member }, value), JSON.stringify({ node, member, value })).toBe(true);
    }),
    { numRuns: runs(5000) },
  );
  // A test that tries nothing would pass.
  expect(implied).toBeGreaterThan(runs(5000) / 50);
});
