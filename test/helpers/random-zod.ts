// Random schemas of zod as plain data, so that a failure can be printed, and values for them: valid ones, and such ones with one part changed.
import fc from 'fast-check';
import { z } from 'zod';
import type { JsonValue } from '../../src/kubernetes/objects/index.ts';

/** What a random schema is made of. Only what a CRD can say with the verdicts of zod. */
export type ZodPlan =
  | {
      readonly kind: 'text';
      readonly min?: number;
      readonly max?: number;
      readonly patterns: readonly number[];
    }
  | { readonly kind: 'format'; readonly format: keyof typeof formats }
  | {
      readonly kind: 'int32' | 'int' | 'number';
      readonly min?: number;
      readonly max?: number;
      readonly isOpen: boolean;
      readonly step?: number;
    }
  | { readonly kind: 'boolean' | 'unknown' }
  | { readonly kind: 'literals'; readonly values: readonly (string | number)[] }
  | { readonly kind: 'texts'; readonly literal: string; readonly min: number }
  | { readonly kind: 'intOrText'; readonly pattern: number }
  | { readonly kind: 'list'; readonly items: ZodPlan; readonly min?: number; readonly max?: number }
  | { readonly kind: 'record'; readonly values: ZodPlan; readonly keys?: readonly string[] }
  | {
      readonly kind: 'object';
      readonly fields: Readonly<Record<string, FieldPlan>>;
      readonly isLoose: boolean;
    }
  | { readonly kind: 'both'; readonly parts: readonly ZodPlan[] }
  | { readonly kind: 'tagged' | 'untagged'; readonly members: readonly Readonly<Record<string, FieldPlan>>[] }
  | { readonly kind: 'nullable'; readonly inner: ZodPlan };

export interface FieldPlan {
  readonly plan: ZodPlan;
  readonly presence: 'required' | 'optional' | 'default';
}

const patterns = [/^[a-z]+$/, /\d/, /^(?!ab)[a-z]*$/, /^a|b$/, /^(?=.*x)\w+$/] as const;

/** Not those of times: the API server takes lists for texts with a format, and other formats are written as patterns alone. */
const formats = {
  email: { schema: () => z.email(), valid: ['a@b.co', 'first.last+tag@example.org'] },
  uuid: { schema: () => z.uuid(), valid: ['3f2504e0-4f89-41d3-9a0c-0305e82c3301'] },
  ipv4: { schema: () => z.ipv4(), valid: ['10.0.0.1', '255.255.255.255'] },
  hostname: { schema: () => z.hostname(), valid: ['a', 'a.example.com'] },
  base64: { schema: () => z.base64(), valid: ['', 'YQ==', 'YWJj'] },
} as const;

/** Fields that no plan has are dropped by the API server and by zod alike. */
const strangers = ['zz', 'other'];

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const record = fc.record;
const constant = fc.constant;

const text = record({
  kind: constant('text'),
  min: maybe(fc.nat(3)),
  max: maybe(fc.integer({ min: 3, max: 8 })),
  patterns: fc.subarray([...patterns.keys()], { maxLength: 2 }),
});
const number = record({
  kind: fc.constantFrom('int32' as const, 'int' as const, 'number' as const),
  min: maybe(fc.integer({ min: -3, max: 2 })),
  max: maybe(fc.integer({ min: 3, max: 9 })),
  isOpen: fc.boolean(),
  step: maybe(fc.constantFrom(2, 3)),
});
const scalar: fc.Arbitrary<ZodPlan> = fc.oneof(
  text,
  number,
  record({ kind: fc.constantFrom('boolean' as const, 'unknown' as const) }),
  record({
    kind: constant('format'),
    format: fc.constantFrom(...(Object.keys(formats) as (keyof typeof formats)[])),
  }),
  record({
    kind: constant('literals'),
    values: fc.oneof(
      fc.subarray(['a', 'ab', 'B', 'x1'], { minLength: 1 }),
      // The API server cuts off the fraction of a number before it compares it with whole ones.
      fc.subarray([0, 1, 4], { minLength: 1 }),
      fc.subarray([0.5, 2.5], { minLength: 1 }),
    ),
  }),
  record({
    kind: constant('texts'),
    literal: fc.constantFrom('auto', 'a'),
    min: fc.integer({ min: 3, max: 6 }),
  }),
  record({ kind: constant('intOrText'), pattern: fc.constantFrom(0, 1, 3, 4) }),
) as fc.Arbitrary<ZodPlan>;

const { plan: anyPlan } = fc.letrec<{ plan: ZodPlan; field: FieldPlan }>((tie) => {
  const named = (names: readonly string[], minLength: number): fc.Arbitrary<Record<string, FieldPlan>> =>
    fc
      .subarray([...names], { minLength })
      .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, tie('field')]))));
  const object = record({
    kind: constant('object'),
    fields: named(['a', 'b', 'c', 'd'], 1),
    isLoose: fc.boolean(),
  });
  // A member must have something that no other one has.
  const member = (names: readonly string[], own: string): fc.Arbitrary<Record<string, FieldPlan>> =>
    named(names, 0).chain((fields) =>
      tie('plan').map((plan) => ({ ...fields, [own]: { plan, presence: 'required' as const } })),
    );
  const members = fc
    .tuple(member(['p'], 'own1'), member(['q', 'r'], 'own2'))
    .map((both) => both.map(withoutDefaults));
  return {
    field: record({ plan: tie('plan'), presence: fc.constantFrom('required', 'optional', 'default') }),
    plan: fc.oneof(
      { maxDepth: 2, depthSize: 'small', withCrossShrink: true },
      { arbitrary: scalar, weight: 4 },
      { arbitrary: object, weight: 3 },
      {
        arbitrary: record({
          kind: constant('list'),
          items: tie('plan'),
          min: maybe(fc.nat(2)),
          max: maybe(fc.integer({ min: 2, max: 4 })),
        }) as fc.Arbitrary<ZodPlan>,
        weight: 1,
      },
      {
        arbitrary: record({
          kind: constant('record'),
          values: tie('plan'),
          keys: maybe(fc.constantFrom(['k1'], ['k1', 'k2'])),
        }) as fc.Arbitrary<ZodPlan>,
        weight: 1,
      },
      {
        arbitrary: fc.tuple(named(['a', 'b'], 1), named(['c', 'd'], 1)).map(([one, other]): ZodPlan => ({
          kind: 'both',
          parts: [one, other].map((fields): ZodPlan => ({ kind: 'object', fields, isLoose: false })),
        })),
        weight: 1,
      },
      {
        arbitrary: record({ kind: fc.constantFrom('tagged', 'untagged'), members }),
        weight: 2,
      },
      {
        arbitrary: record({ kind: constant('nullable'), inner: tie('plan') }),
        weight: 1,
      },
    ),
  };
});

export const randomZod: fc.Arbitrary<ZodPlan> = anyPlan;

/** The server would write a default into objects that are of another member. */
function withoutDefaults(fields: Record<string, FieldPlan>): Record<string, FieldPlan> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      { ...field, presence: field.presence === 'default' ? 'optional' : field.presence },
    ]),
  );
}

/** The schema itself. */
export function zodOf(plan: ZodPlan): z.ZodType {
  switch (plan.kind) {
    case 'text': {
      let schema = z.string();
      if (plan.min !== undefined) schema = schema.min(plan.min);
      if (plan.max !== undefined) schema = schema.max(plan.max);
      for (const index of plan.patterns) schema = schema.regex(patterns[index] ?? /^/);
      return schema;
    }
    case 'format':
      return formats[plan.format].schema();
    case 'int32':
      return bounded(z.int32(), plan);
    case 'int':
      return bounded(z.int(), plan);
    case 'number':
      return bounded(z.number(), plan);
    case 'boolean':
      return z.boolean();
    case 'unknown':
      return z.unknown();
    case 'literals':
      return z.literal([...plan.values]);
    case 'texts':
      return z.union([z.literal(plan.literal), z.string().min(plan.min)]);
    case 'intOrText':
      return z.union([z.int32().min(0), z.string().regex(patterns[plan.pattern] ?? /^/)]);
    case 'list': {
      let schema = z.array(zodOf(plan.items));
      if (plan.min !== undefined) schema = schema.min(plan.min);
      if (plan.max !== undefined) schema = schema.max(plan.max);
      return schema;
    }
    case 'record':
      return plan.keys === undefined
        ? z.record(z.string(), zodOf(plan.values))
        : z.partialRecord(z.enum([...plan.keys]), zodOf(plan.values));
    case 'object':
      return plan.isLoose ? z.looseObject(shapeOf(plan.fields)) : z.object(shapeOf(plan.fields));
    case 'both':
      return plan.parts.map(zodOf).reduce((one, other) => z.intersection(one, other));
    case 'tagged':
      return z.discriminatedUnion('type', [
        z.object({ type: z.literal('t0'), ...shapeOf(plan.members[0] ?? {}) }),
        z.object({ type: z.literal('t1'), ...shapeOf(plan.members[1] ?? {}) }),
      ]);
    case 'untagged':
      return z.union(plan.members.map((fields) => z.object(shapeOf(fields))));
    case 'nullable':
      return zodOf(plan.inner).nullable();
  }
}

function bounded(schema: z.ZodNumber, plan: ZodPlan & { kind: 'int' | 'int32' | 'number' }): z.ZodNumber {
  let result = schema;
  if (plan.min !== undefined) result = plan.isOpen ? result.gt(plan.min) : result.min(plan.min);
  if (plan.max !== undefined) result = plan.isOpen ? result.lt(plan.max) : result.max(plan.max);
  return plan.step === undefined ? result : result.multipleOf(plan.step);
}

function shapeOf(fields: Readonly<Record<string, FieldPlan>>): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { plan, presence }]) => {
      const schema = zodOf(plan);
      if (presence === 'required') return [name, schema];
      const value = presence === 'default' ? defaultOf(plan) : undefined;
      return [name, value === undefined ? schema.optional() : schema.default(value)];
    }),
  );
}

/** A default: zod takes it as it is, and the server completes it, so it is a plain value. */
function defaultOf(plan: ZodPlan): JsonValue | undefined {
  const candidates: readonly JsonValue[] = ['abc', 'ax1', 4, 0, 6, true, 'autoauto', 'B', 'ab', 1];
  const isScalar = ['text', 'int32', 'int', 'number', 'boolean', 'literals', 'texts', 'intOrText'].includes(
    plan.kind,
  );
  return isScalar ? candidates.find((value) => zodOf(plan).safeParse(value).success) : undefined;
}

/** Values that are meant to be valid; a few are not, where bounds and patterns leave little. */
function validValue(plan: ZodPlan): fc.Arbitrary<JsonValue> {
  const constants = (...values: JsonValue[]): fc.Arbitrary<JsonValue> => fc.constantFrom(...values);
  switch (plan.kind) {
    case 'text':
      return constants('', 'a', 'abc', 'x1', 'ab1', 'xyz', 'abcdefgh', 'axb1', 'b');
    case 'format':
      return constants(...formats[plan.format].valid);
    case 'int32':
    case 'int':
      return constants(-3, 0, 1, 2, 3, 4, 6, 9, 2 ** 31, -(2 ** 31));
    case 'number':
      return constants(-3, 0, 1.5, 2.25, 3, 6, 1e12);
    case 'boolean':
      return constants(true, false);
    case 'unknown':
      return constants(null, 1, 'x', { a: [1] }, []);
    case 'literals':
      return constants(...plan.values);
    case 'texts':
      return constants(plan.literal, 'abcdef', 'ab');
    case 'intOrText':
      return constants(0, 7, -1, 'abc', 'x1', 'ab1');
    case 'list':
      return fc.array(validValue(plan.items), { minLength: plan.min ?? 0, maxLength: plan.max ?? 3 });
    case 'record':
      return fc.dictionary(fc.constantFrom(...(plan.keys ?? ['k1', 'm'])), validValue(plan.values), {
        maxKeys: 2,
        noNullPrototype: true,
      });
    case 'object':
      return validFields(plan.fields);
    case 'both':
      return fc.tuple(...plan.parts.map(validValue)).map((parts) => Object.assign({}, ...parts) as JsonValue);
    case 'tagged':
    case 'untagged':
      return fc.oneof(
        ...plan.members.map((fields, index) =>
          validFields(fields).map((value) =>
            plan.kind === 'tagged' ? { type: `t${index}`, ...value } : value,
          ),
        ),
      );
    case 'nullable':
      return fc.oneof(constants(null), validValue(plan.inner));
  }
}

function validFields(fields: Readonly<Record<string, FieldPlan>>): fc.Arbitrary<Record<string, JsonValue>> {
  const required = Object.entries(fields).filter(([, { presence }]) => presence === 'required');
  return fc.record(
    Object.fromEntries(Object.entries(fields).map(([name, { plan }]) => [name, validValue(plan)])),
    {
      requiredKeys: required.map(([name]) => name),
      noNullPrototype: true,
    },
  );
}

/** A value with one part replaced, removed, or added beside it. */
function changed(value: JsonValue): fc.Arbitrary<JsonValue> {
  const other = fc.constantFrom<JsonValue>(
    0,
    1,
    -1,
    1.5,
    7,
    3e9,
    '',
    'a',
    'auto',
    '0',
    true,
    null,
    [],
    {},
    ['a'],
    [1],
    { a: 1 },
    't1',
  );
  if (Array.isArray(value)) {
    const list = value as readonly JsonValue[];
    return fc.oneof(
      other,
      other.map((item) => [...list, item]),
      ...list.map((item, index) => changed(item).map((next) => list.with(index, next))),
    );
  }
  if (typeof value !== 'object' || value === null) return other;
  const object = value as Readonly<Record<string, JsonValue>>;
  return fc.oneof(
    other,
    fc.constantFrom(...strangers).chain((name) => other.map((item) => ({ ...object, [name]: item }))),
    ...Object.entries(object).map(([name, item]) =>
      fc.oneof(
        changed(item).map((next) => ({ ...object, [name]: next })),
        fc.constant(Object.fromEntries(Object.entries(object).filter(([each]) => each !== name))),
      ),
    ),
  );
}

export function randomValue(plan: ZodPlan): fc.Arbitrary<JsonValue> {
  return validValue(plan).chain((value) => fc.oneof(fc.constant(value), changed(value)));
}
