// Changes of a field, with what `op-sdk crd diff` says of them and what the API server does.
export type Schema = Readonly<Record<string, unknown>>;

export interface Case {
  readonly title: string;
  readonly old: Schema;
  readonly now: Schema;
  /** `spec.value` of an object that is there before the change. */
  readonly value: unknown;
  /** The codes that the comparison gives. */
  readonly codes: readonly string[];
  /** `lost`: pruned when it is read. `kept`: valid, all data there. Else what an update that touches nothing, and one beside it, gives. */
  readonly outcome: 'kept' | 'lost' | { readonly untouched: number; readonly changed: number };
}

export const text = { type: 'string' };
export const integer = { type: 'integer' };
export const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});

const list = (keys: readonly string[]): Schema => ({
  type: 'array',
  items: object({ a: text, b: text }, { required: ['a', 'b'] }),
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});

/** `changed` updates the field itself, or what is beside it in the same object or list. */
const softened = { untouched: 200, changed: 422 } as const;

export const cases: readonly Case[] = [
  {
    title: 'an enum',
    old: text,
    now: { ...text, enum: ['b'] },
    value: 'a',
    codes: ['enum-added'],
    outcome: softened,
  },
  {
    title: 'a value of an enum',
    old: { ...text, enum: ['a', 'b'] },
    now: { ...text, enum: ['b'] },
    value: 'a',
    codes: ['enum-value-removed'],
    outcome: softened,
  },
  {
    title: 'a bound',
    old: { ...integer, maximum: 5 },
    now: { ...integer, maximum: 3 },
    value: 4,
    codes: ['bound-tightened'],
    outcome: softened,
  },
  {
    title: 'a pattern',
    old: text,
    now: { ...text, pattern: '^b' },
    value: 'a',
    codes: ['pattern-added'],
    outcome: softened,
  },
  {
    title: 'a format',
    old: text,
    now: { ...text, format: 'date-time' },
    value: 'a',
    codes: ['format-added'],
    outcome: softened,
  },
  {
    title: 'a required field',
    old: object({ a: text, b: text }),
    now: object({ a: text, b: text }, { required: ['b'] }),
    value: { a: 'a' },
    codes: ['required-added'],
    outcome: softened,
  },
  {
    title: 'a combination',
    old: object({ a: text, b: text }),
    now: object({ a: text, b: text }, { oneOf: [{ required: ['b'] }] }),
    value: { a: 'a' },
    codes: ['combination-added'],
    outcome: softened,
  },
  {
    title: 'a rule',
    old: object({ a: text, b: text }),
    now: object({ a: text, b: text }, { 'x-kubernetes-validations': [{ rule: 'has(self.b)' }] }),
    value: { a: 'a' },
    codes: ['cel-rule-added'],
    outcome: softened,
  },
  {
    title: 'a field that goes',
    old: object({ a: text, b: text }),
    now: object({ a: text }),
    value: { b: 'b' },
    codes: ['field-removed'],
    outcome: 'lost',
  },
  {
    title: 'unknown fields',
    old: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    now: { type: 'object' },
    value: { b: 'b' },
    codes: ['unknown-fields-pruned'],
    outcome: 'lost',
  },
  {
    title: 'null',
    old: object({ a: { ...text, nullable: true } }),
    now: object({ a: text }),
    value: { a: null },
    codes: ['nullable-removed'],
    outcome: 'lost',
  },
  {
    title: 'a wider type',
    old: integer,
    now: { 'x-kubernetes-int-or-string': true },
    value: 4,
    codes: ['type-widened'],
    outcome: 'kept',
  },
  {
    title: 'a new field',
    old: object({ a: text }),
    now: object({ a: text, b: text }),
    value: { a: 'a' },
    codes: ['field-added'],
    outcome: 'kept',
  },
  {
    title: 'a new required field with a default',
    old: object({ a: text }),
    now: object({ a: text, b: { ...text, default: 'x' } }, { required: ['b'] }),
    value: { a: 'a' },
    codes: ['field-added-with-default'],
    outcome: 'kept',
  },
  {
    title: 'a looser bound',
    old: { ...integer, maximum: 5 },
    now: { ...integer, maximum: 9 },
    value: 4,
    codes: ['bound-loosened'],
    outcome: 'kept',
  },
  {
    title: 'an undeclared field of an open object',
    old: object({ a: text }, { 'x-kubernetes-preserve-unknown-fields': true }),
    now: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    value: { a: 'a' },
    codes: ['field-undeclared'],
    outcome: 'kept',
  },
  {
    title: 'int64 on an integer',
    old: integer,
    now: { ...integer, format: 'int64' },
    value: 4,
    codes: ['documentation'],
    outcome: 'kept',
  },
  {
    title: 'another type',
    old: text,
    now: integer,
    value: 'a',
    codes: ['type-changed'],
    outcome: softened,
  },
  {
    title: 'a list that becomes a set',
    old: { type: 'array', items: text },
    now: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    value: ['a', 'a'],
    codes: ['list-type-changed'],
    // Objects that have duplicates may keep them, and get more.
    outcome: { untouched: 200, changed: 200 },
  },
  {
    title: 'a set that becomes atomic',
    old: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    now: { type: 'array', items: text },
    value: ['a', 'b'],
    codes: ['list-type-atomic'],
    outcome: 'kept',
  },
  {
    title: 'one more key of a list',
    old: list(['a']),
    now: list(['a', 'b']),
    value: [{ a: 'a', b: 'b' }],
    codes: ['list-map-keys-added'],
    outcome: 'kept',
  },
  {
    title: 'an object that becomes atomic',
    old: object({ a: text, b: text }),
    now: object({ a: text, b: text }, { 'x-kubernetes-map-type': 'atomic' }),
    value: { a: 'a', b: 'b' },
    codes: ['map-type-atomic'],
    outcome: 'kept',
  },
  {
    title: 'allOf that repeats the bounds',
    old: { ...integer, minimum: 1, maximum: 9 },
    now: { ...integer, minimum: 1, maximum: 9, allOf: [{ minimum: 0 }, { maximum: 9 }] },
    value: 1,
    codes: [],
    outcome: 'kept',
  },
  {
    title: 'a rule that is written otherwise',
    old: object({ a: text }, { 'x-kubernetes-validations': [{ rule: "self.a != '*' && has(self.a)" }] }),
    now: object({ a: text }, { 'x-kubernetes-validations': [{ rule: '(self.a!="\\x2a")&&has( self.a )' }] }),
    value: { a: 'a' },
    codes: [],
    outcome: 'kept',
  },
  {
    title: 'a field of an open object that is declared',
    old: object({ b: text }, { 'x-kubernetes-preserve-unknown-fields': true }),
    now: object({ b: text, a: integer }, { 'x-kubernetes-preserve-unknown-fields': true }),
    value: { a: 'a' },
    codes: ['field-declared'],
    outcome: softened,
  },
  {
    title: 'a rule that looks back',
    old: object({ a: text, b: text }),
    now: object({ a: text, b: text }, { 'x-kubernetes-validations': [{ rule: 'self.a == oldSelf.a' }] }),
    value: { a: 'a' },
    codes: ['cel-rule-added'],
    outcome: softened,
  },
  {
    title: 'a default that interferes',
    old: object({ a: text, b: text }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    now: object(
      { a: text, b: { ...text, default: 'x' } },
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    ),
    value: { a: 'a' },
    codes: ['default-added', 'default-interferes'],
    // What the default adds is no change of the user's: the object is as invalid as before.
    outcome: softened,
  },
];

/** A kind whose values are `.spec.value`, beside `.spec.note`. */
export function definition(group: string, value: Schema, more: Record<string, Schema> = {}) {
  const openAPIV3Schema = object({ spec: object({ value, note: text, ...more }) });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `samples.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Sample', plural: 'samples' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
