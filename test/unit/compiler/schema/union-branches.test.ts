import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  unionBranches,
  type Branch,
  type MemberFields,
} from '../../../../src/compiler/schema/unions/object-union.ts';
import { runs } from '../../../helpers/thorough.ts';

const names = ['a', 'b', 'c', 'type'] as const;
type Value = 'x' | 'y' | 'z';
type Sample = Readonly<Partial<Record<(typeof names)[number], Value>>>;

/** What a member says of a field: nothing, that it may or must be there, that it must not. `type` has values too. */
const fieldKind = fc.constantFrom('absent', 'optional', 'required', 'never');

const member: fc.Arbitrary<MemberFields> = fc
  .record({
    kinds: fc.tuple(fieldKind, fieldKind, fieldKind, fieldKind),
    values: fc.uniqueArray(fc.constantFrom<Value>('x', 'y', 'z'), { minLength: 1, maxLength: 3 }),
  })
  .map(({ kinds, values }) => {
    const of = (...wanted: string[]) =>
      new Set(names.filter((_, index) => wanted.includes(kinds[index] ?? '')));
    const all = of('optional', 'required');
    return {
      all,
      required: of('required'),
      never: of('never'),
      values: new Map(all.has('type') && values.length < 3 ? [['type', values]] : []),
    };
  });

const value = fc.option(fc.constantFrom<Value>('x', 'y', 'z'), { nil: undefined });
const sample: fc.Arbitrary<Sample> = fc
  .tuple(value, value, value, value)
  .map((values) =>
    Object.fromEntries(names.flatMap((name, index) => (values[index] ? [[name, values[index]]] : []))),
  );

const allows = (values: MemberFields['values'], object: Sample): boolean =>
  [...values].every(([name, allowed]) => {
    const own = object[name as keyof Sample];
    return own === undefined || allowed.includes(own);
  });

/** Whether TypeScript takes the object for the member, without fields that the member does not have. */
function isMember({ all, required, values }: MemberFields, object: Sample): boolean {
  const own = Object.keys(object);
  return (
    own.every((name) => all.has(name)) &&
    [...required].every((name) => own.includes(name)) &&
    allows(values, object)
  );
}

/** Whether the API server finds that the object meets the alternative. */
function meets({ required, values, forbidden }: Branch, object: Sample): boolean {
  const own = Object.keys(object);
  return (
    [...required].every((name) => own.includes(name)) &&
    !own.some((name) => forbidden.has(name)) &&
    allows(values, object)
  );
}

test('an object of one member meets one alternative, its own', () => {
  let told = 0;
  fc.assert(
    fc.property(
      fc.array(member, { minLength: 2, maxLength: 4 }),
      fc.array(sample, { maxLength: 40 }),
      (members, samples) => {
        const branches = unionBranches(members);
        if ('overlap' in branches) return;
        told += 1;
        for (const object of samples) {
          const index = members.findIndex((item) => isMember(item, object));
          if (index === -1) continue;
          const met = branches.flatMap((branch, at) => (meets(branch, object) ? [at] : []));
          expect(met).toEqual([index]);
        }
      },
    ),
    { numRuns: runs(2000) },
  );
  expect(told).toBeGreaterThan(runs(2000) / 20);
});

test('a field that a member forbids is refused beside what the member requires', () => {
  fc.assert(
    fc.property(
      fc.array(member, { minLength: 2, maxLength: 3 }),
      fc.array(sample, { maxLength: 40 }),
      (members, samples) => {
        const branches = unionBranches(members);
        if ('overlap' in branches) return;
        for (const object of samples) {
          const met = branches.flatMap((branch, at) => (meets(branch, object) ? [at] : []));
          const [only] = met;
          if (met.length !== 1 || only === undefined) continue;
          const known = [...(members[only]?.never ?? [])].filter((name) =>
            members.some((item) => item.all.has(name)),
          );
          expect(Object.keys(object).filter((name) => known.includes(name))).toEqual([]);
        }
      },
    ),
    { numRuns: runs(2000) },
  );
});

test('two members of which one says nothing that the other does not are named', () => {
  const open: MemberFields = {
    all: new Set(['a', 'b']),
    required: new Set(['a']),
    values: new Map(),
    never: new Set(),
  };
  const other: MemberFields = { ...open, all: new Set(['a', 'c']) };
  const third: MemberFields = { ...open, all: new Set(['d']), required: new Set(['d']) };
  expect(unionBranches([third, open, other])).toEqual({ overlap: [1, 2] });
});
