// What the comparison calls compatible for stored objects is: every object that was stored under the old schema is valid under the
// new one, and has kept all of its data.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CrdChange } from '../../../../../src/kubernetes/crd/diff/change.ts';
import { compareDefinitions, isKept } from './compare-definitions.ts';
import { changed, defaultUnderCondition, objectOf, rootSchema } from './random-schemas.ts';
import { isValid, prune, read, store, type TestSchema as Schema } from './tiny-api-server.ts';
import { runs } from '../../../../helpers/thorough.ts';

/** No run has a bound on its time; how many examples there are is what makes it quick. */
const unhurried = { timeout: 0 } as const;

/** @param schemas those of v1, v2, … */
function definition(schemas: readonly Schema[], stored = 'v1') {
  const versions = schemas.map((openAPIV3Schema, index) => {
    const name = `v${index + 1}`;
    return { name, served: true, storage: name === stored, schema: { openAPIV3Schema } };
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'sites.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Site', plural: 'sites' },
      versions,
    },
  };
}

/** Undefined for schemas that the API server refuses. */
function compare(old: Schema, now: Schema): readonly CrdChange[] | undefined {
  return compareDefinitions(definition([old]), definition([now]));
}

const isHarmless = (change: CrdChange): boolean =>
  change.severity === 'compatible' || !change.affects.includes('stored');

const objectsOf = (schema: Schema): fc.Arbitrary<unknown[]> =>
  fc.array(objectOf(schema), { minLength: 5, maxLength: 20 });

const cases = rootSchema.chain((old) =>
  fc.record({
    old: fc.constant(old),
    now: fc.oneof({ arbitrary: changed(old), weight: 9 }, { arbitrary: rootSchema, weight: 1 }),
    objects: objectsOf(old),
  }),
);

const defaults = defaultUnderCondition.chain(({ old, now }) =>
  fc.record({ old: fc.constant(old), now: fc.constant(now), objects: objectsOf(old) }),
);

test.each([
  ['every change', cases, runs(2000)],
  ['defaults of what a condition looks at', defaults, runs(500)],
])('objects survive what is compatible for them: %s', unhurried, (_title, arbitrary, numRuns) => {
  let tried = 0;
  let harmful = 0;
  fc.assert(
    fc.property(arbitrary, ({ old, now, objects }) => {
      const changes = compare(old, now);
      if (changes === undefined || changes.length === 0) return;
      const isCompatible = changes.every(isHarmless);
      for (const object of objects) {
        const stored = store(old, object);
        if (stored === undefined) continue;
        const later = read(now, stored);
        const survives = isValid(now, later) && isKept(stored, later);
        if (isCompatible) {
          tried++;
          expect(survives, JSON.stringify({ stored, later, changes })).toBe(true);
        } else if (!survives) harmful++;
      }
    }),
    { numRuns },
  );
  // A test that tries nothing would pass.
  expect(tried).toBeGreaterThan(numRuns / 6);
  expect(harmful).toBeGreaterThan(numRuns / 6);
});

/** Two versions that often differ little, and objects of each. */
const versions = rootSchema.chain((first) =>
  fc.oneof({ arbitrary: changed(first), weight: 9 }, { arbitrary: rootSchema, weight: 1 }).chain((second) =>
    fc.record({
      first: fc.constant(first),
      second: fc.constant(second),
      firsts: objectsOf(first),
      seconds: objectsOf(second),
    }),
  ),
);

test.each(['v1', 'v2'])(
  'without conversion no write loses data through a version that is compatible: stored in %s',
  unhurried,
  (stored) => {
    const numRuns = runs(2000);
    let tried = 0;
    let harmful = 0;
    fc.assert(
      fc.property(versions, ({ first, second, firsts, seconds }) => {
        const changes = compareDefinitions(definition([first]), definition([first, second], stored));
        if (changes === undefined) return;
        // That a version is stored at once is another matter: nothing is lost until somebody goes back.
        const isCompatible = changes.every(
          (change) => isHarmless(change) || change.code === 'storage-version-unreleased',
        );
        const storage = stored === 'v1' ? first : second;
        const write = (schema: Schema, object: unknown) => {
          const accepted = store(schema, object);
          return accepted === undefined ? undefined : prune(storage, accepted);
        };
        const check = (before: unknown, after: unknown): void => {
          const isLost = !isKept(before, after);
          if (isCompatible) {
            tried++;
            expect(isLost, JSON.stringify({ before, after, changes })).toBe(false);
          } else if (isLost) harmful++;
        };
        for (const object of firsts) {
          // It was there before the second version, which somebody reads it in and writes back.
          const before = store(first, object);
          if (before === undefined) continue;
          const rewritten = write(second, prune(second, read(first, before)));
          if (rewritten !== undefined) check(before, prune(first, read(storage, rewritten)));
        }
        for (const object of seconds) {
          const accepted = store(second, object);
          if (accepted !== undefined) check(accepted, prune(second, read(storage, write(second, object))));
        }
      }),
      { numRuns },
    );
    expect(tried).toBeGreaterThan(numRuns / 6);
    // Few random changes remove a field.
    expect(harmful).toBeGreaterThan(numRuns / 50);
  },
);

test('equal schemas in another order are equal', unhurried, () => {
  fc.assert(
    fc.property(rootSchema, (schema) => {
      const reordered = JSON.parse(JSON.stringify(schema), (_key, value: unknown) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).reverse())
          : value,
      );
      expect(compare(schema, reordered) ?? []).toEqual([]);
    }),
  );
});
