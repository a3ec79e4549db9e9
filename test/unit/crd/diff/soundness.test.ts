// What the comparison calls compatible for stored objects is: every object that was stored under the old schema is valid under the
// new one, and has kept all of its data.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffCrds, readDefinitions, type CrdChange } from '../../../../src/crd/diff/index.ts';
import { changed, defaultUnderCondition, objectOf, rootSchema } from './random-schemas.ts';
import { isValid, read, store, type TestSchema as Schema } from './tiny-api-server.ts';

function definition(openAPIV3Schema: Schema) {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'sites.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Site', plural: 'sites' },
      versions: [version],
    },
  };
}

/** Undefined for schemas that the API server refuses. */
function compare(old: Schema, now: Schema): readonly CrdChange[] | undefined {
  const [before, after] = [old, now].map((schema) =>
    readDefinitions([{ value: definition(schema), locate: () => ({ file: 'x' }) }], 'new'),
  );
  if (before === undefined || after === undefined) return undefined;
  if (before.findings.length + after.findings.length > 0) return undefined;
  return diffCrds(before.definitions, after.definitions);
}

const isHarmless = (change: CrdChange): boolean =>
  change.severity === 'compatible' || !change.affects.includes('stored');

/** Whether all of a value is in another, which may have more fields. */
function isKept(value: unknown, other: unknown): boolean {
  if (Array.isArray(value))
    return (
      Array.isArray(other) &&
      value.length === other.length &&
      value.every((item, i) => isKept(item, other[i]))
    );
  if (typeof value !== 'object' || value === null) return value === other;
  return (
    typeof other === 'object' &&
    other !== null &&
    Object.entries(value).every(([key, item]) => isKept(item, (other as Record<string, unknown>)[key]))
  );
}

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
  ['every change', cases, 2000],
  ['defaults of what a condition looks at', defaults, 500],
])('objects survive what is compatible for them: %s', (_title, arbitrary, numRuns) => {
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

test('equal schemas in another order are equal', () => {
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
