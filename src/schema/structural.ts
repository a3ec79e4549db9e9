import type { JSONSchemaProps } from './json-schema-props.ts';
import type { Reporter } from './reporter.ts';
import type { Doc, Form, ListKind, Problem, Shape } from './shape.ts';
import { addChoiceRules, adjust, choicesOf, type Choice } from './adjust.ts';
import { unionSchema } from './object-union.ts';
import { templatePattern } from './template-pattern.ts';
import { sharedFields, unionMember, withoutNever } from './union-members.ts';
import type { Origin, Origins } from './origins.ts';
import { createTaggedFields, type TaggedFieldCollector, type TaggedFields } from './tagged-fields.ts';
import { applyTags, checkTagNames, tagProblem } from './tags/apply-tags.ts';
import { k8sOverrides, mergeOverrides, saysType } from './tags/k8s.ts';
import { handDown, writtenName } from './tags/prefixes.ts';

/** A structural schema, and what the guard and the CRD need to know about it beside. */
export interface Structural {
  readonly schema: JSONSchemaProps;
  readonly fields: TaggedFields;
  /** Schemas that do not come from the type alone: the guard leaves them, or their nullability, out. */
  readonly exempt: ReadonlyMap<JSONSchemaProps, Exemption>;
  /** Where the parts of the schema come from. */
  readonly origins: Origins;
  /** Embedded resources: the schemas of their apiVersion, kind and metadata are Kubernetes'. */
  readonly resources: ReadonlySet<JSONSchemaProps>;
  /** Objects made of a union: their `oneOf` is the union's. */
  readonly unions: ReadonlySet<JSONSchemaProps>;
  /** Objects whose fields are tied together by ExactlyOneOf and its like. */
  readonly choices: ReadonlyMap<JSONSchemaProps, readonly Choice[]>;
  /** Strings whose pattern is that of a template literal type. */
  readonly templates: ReadonlySet<JSONSchemaProps>;
}

/** `type`: the whole schema was given by a table or a tag. `nullable`: a tag allows null. */
export type Exemption = 'type' | 'nullable';

/** A field's place in the object, for columns: undefined inside of lists and records. */
type Path = readonly string[] | undefined;

const maxSafe = Number.MAX_SAFE_INTEGER;

/** Turns shapes into a structural schema. What cannot be expressed goes to the reporter; the schema is then incomplete and not to be used. */
export function structuralSchema(shape: Shape, reporter: Reporter): Structural {
  const walk: Walk = {
    reporter,
    fields: createTaggedFields(reporter),
    exempt: new Map(),
    origins: new Map(),
    resources: new Set(),
    unions: new Set(),
    choices: new Map(),
    templates: new Set(),
  };
  const schema = convert(walk, shape, [], [], []);
  return { ...walk, schema };
}

interface Walk {
  readonly reporter: Reporter;
  readonly fields: TaggedFieldCollector;
  readonly exempt: Map<JSONSchemaProps, Exemption>;
  readonly origins: Map<JSONSchemaProps, Origin>;
  readonly resources: Set<JSONSchemaProps>;
  readonly unions: Set<JSONSchemaProps>;
  readonly choices: Map<JSONSchemaProps, readonly Choice[]>;
  readonly templates: Set<JSONSchemaProps>;
}

/** @param handed what the tags of a list or record say about its items or values: they count as the outermost docs */
function convert(
  walk: Walk,
  inner: Shape,
  outer: readonly Doc[],
  path: Path,
  handed: readonly Doc[],
): JSONSchemaProps {
  const shape = handed.length === 0 ? inner : { ...inner, docs: [...handed, ...inner.docs] };
  const { docs, form } = shape;
  const inherited = form.kind === 'object' ? form.inherited : [];
  // What bases say holds inside, but the innermost names and places are those of the type itself.
  const near = [...outer, ...inherited, ...docs];
  const own = [...docs, ...inherited];
  for (const doc of own) {
    for (const problem of doc.problems) walk.reporter.error(problem, near);
    checkTagNames(doc, (problem) => walk.reporter.error(problem, near));
    walk.reporter.visit(doc);
  }
  const overrides = k8sOverrides(own);
  const given = saysType(overrides);
  const replaced = given && replaces(overrides, form);
  const inside: Inside = { items: handDown(own, 'items'), values: handDown(own, 'values') };
  const made = replaced ? {} : base(walk, shape, near, path, inside);
  const schema = made ?? {};
  if (replaced || form.kind === 'fixed') walk.exempt.set(schema, 'type');
  const description = docs.find((doc) => doc.description !== undefined)?.description;
  if (description !== undefined) schema.description = description;
  if (shape.nullable) schema.nullable = true;
  const misused = made === undefined || replaced ? [] : adjust(schema, shape, labelOf(near));
  for (const problem of misused) walk.reporter.error(problem, toField(near));
  if (shape.adjustments?.some((item) => item.kind === 'embedded' && item.isResource))
    walk.resources.add(schema);
  const choices = choicesOf(schema, shape);
  if (choices.length > 0) walk.choices.set(schema, choices);
  if (made !== undefined) {
    finish(walk, schema, shape, near, overrides);
    reachInside(walk, schema, inside, near);
  }
  walk.fields.add([...inner.docs, ...inherited], schema, path);
  walk.origins.set(schema, { label: labelOf(near), near, docs: own, isComplete: made !== undefined });
  return schema;
}

/** What `@items.…` and `@values.…` say; taken away by those who have applied it. */
interface Inside {
  items: readonly Doc[];
  values: readonly Doc[];
}

// The items of a type that is known as a whole, from a table or a `@k8s` tag, have no shape of their own.
function reachInside(walk: Walk, schema: JSONSchemaProps, inside: Inside, near: readonly Doc[]): void {
  const convertKnown = (known: JSONSchemaProps, docs: readonly Doc[]): JSONSchemaProps => {
    const form: Form = { kind: 'fixed', name: '', schema: known };
    return convert(
      walk,
      { form, docs: [], nullable: known.nullable ?? false, optional: false },
      near,
      undefined,
      docs,
    );
  };
  if (inside.items.length > 0) {
    if (schema.items === undefined) refuseInside(walk, inside.items, near, 'a list');
    else schema.items = convertKnown(schema.items, inside.items);
  }
  if (inside.values.length > 0) {
    const { additionalProperties: values } = schema;
    if (typeof values !== 'object') refuseInside(walk, inside.values, near, 'a record');
    else schema.additionalProperties = convertKnown(values, inside.values);
  }
}

function refuseInside(walk: Walk, docs: readonly Doc[], near: readonly Doc[], needs: string): void {
  for (const tag of docs.flatMap((doc) => doc.tags)) {
    const message = `${labelOf(near)}: @${writtenName(tag)} needs ${needs}`;
    const fix = ['take the tag away, or correct the type'];
    walk.reporter.error(tagProblem('schema/tag-type', tag, message, fix), near);
  }
}

// A type that cannot be expressed, or that the `@k8s` tag gives anew altogether, is not looked into.
function replaces(overrides: JSONSchemaProps, form: Form): boolean {
  if (form.kind === 'number') return true;
  if (form.kind === 'refused') return form.escapable;
  // Members that do not go together are no less refused than other types.
  if (form.kind === 'union' && overrides.type !== undefined) return true;
  const other =
    overrides['x-kubernetes-int-or-string'] === true || (overrides.type ?? typeOf(form)) !== typeOf(form);
  return other || (overrides.items ?? overrides.additionalProperties) !== undefined;
}

function typeOf(form: Form): string | undefined {
  if (form.kind === 'fixed') return form.schema.type;
  if (form.kind === 'enum') return enumeration(form.values).type;
  return form.kind === 'record' || form.kind === 'union' ? 'object' : form.kind;
}

function finish(
  walk: Walk,
  schema: JSONSchemaProps,
  shape: Shape,
  near: readonly Doc[],
  overrides: JSONSchemaProps,
): void {
  const { reporter, exempt } = walk;
  const { docs, form } = shape;
  const { oneOf, pattern } = schema;
  // A type that comes from the tag is there before the other tags are checked against it.
  if (saysType(overrides)) mergeOverrides(schema, overrides);
  applyTags(schema, docs, form.kind === 'object' ? form.inherited : [], (problem) =>
    reporter.error(problem, near),
  );
  addChoiceRules(schema, shape);
  if (walk.unions.has(schema) && schema.oneOf !== oneOf) {
    const fix = ['say the rest in a `@cel` rule, or with `@allOf`'];
    const message = `${labelOf(near)}: another oneOf would take the place of the union's own`;
    reporter.error({ code: 'schema/object-union', message, fix }, near);
  }
  if (walk.templates.has(schema) && schema.pattern !== pattern) {
    const fix = ['use string with the whole pattern', 'or say the rest with `@allOf [{"pattern": "…"}]`'];
    const message = `${labelOf(near)}: another pattern would take the place of that of the template literal type`;
    reporter.error({ code: 'schema/pattern', message, fix }, near);
  }
  if (Object.keys(overrides).length > 0) exemptOverridden(exempt, schema, overrides);
  if (schema.nullable === true && !shape.nullable && !exempt.has(schema)) exempt.set(schema, 'nullable');
  if (schema.nullable === true && schema.enum !== undefined) {
    const message = `${labelOf(near)}: the API server refuses null where there is an enumeration, nullable or not`;
    // A type with null would be wrong about what it can hold. The tag is merely useless: real CRDs have it.
    if (shape.nullable) {
      reporter.error({ code: 'schema/nullable-enum', message, fix: nullableEnumFixes }, toField(near));
    } else {
      const fix = ['take the tag away'];
      reporter.warn({ code: 'schema/nullable-enum-tag', message, fix }, toField(near));
    }
  }
  lintNumbers(walk, schema, form, near);
}

const nullableEnumFixes = [
  "make the field optional instead: `name?: 'a' | 'b'`",
  'or add a literal that stands for no value',
  'or write `string | null` with `@anyOf [{"enum": ["a", "b"]}]`, which the API server does not ask about null',
];

// What the tag says about the very things that the guard compares is the user's word against the type.
function exemptOverridden(exempt: Walk['exempt'], schema: JSONSchemaProps, overrides: JSONSchemaProps): void {
  const compared = [
    'required',
    'items',
    'additionalProperties',
    'enum',
    'x-kubernetes-int-or-string',
  ] as const;
  if (compared.some((name) => overrides[name] !== undefined)) exempt.set(schema, 'type');
  for (const name of Object.keys(overrides.properties ?? {})) {
    const field = schema.properties?.[name];
    if (field !== undefined) exempt.set(field, 'type');
  }
}

function base(
  walk: Walk,
  { form, docs }: Shape,
  near: readonly Doc[],
  path: Path,
  inside: Inside,
): JSONSchemaProps | undefined {
  switch (form.kind) {
    case 'string':
      return template(walk, form);
    case 'boolean':
      return { type: form.kind };
    case 'number':
      return plainNumber(walk, docs, near);
    case 'enum':
      return enumeration(form.values);
    case 'array':
      return list(walk, form.items, form.list, near, take(inside, 'items'));
    case 'record': {
      const values = convert(walk, form.values, near, undefined, take(inside, 'values'));
      return { type: 'object', additionalProperties: values };
    }
    case 'object':
      return object(walk, form, near, path);
    case 'fixed':
      // Deep: tags of one field must not reach the others.
      return structuredClone(form.schema);
    case 'union':
      return union(walk, form, near, path);
    case 'refused':
      walk.reporter.error({ ...form.problem, message: `${labelOf(near)}: ${form.problem.message}` }, near);
      return undefined;
  }
}

function template(walk: Walk, { texts }: Form & { kind: 'string' }): JSONSchemaProps {
  if (texts === undefined) return { type: 'string' };
  const schema: JSONSchemaProps = { type: 'string', pattern: templatePattern(texts) };
  walk.templates.add(schema);
  return schema;
}

function take(inside: Inside, prefix: keyof Inside): readonly Doc[] {
  const docs = inside[prefix];
  inside[prefix] = [];
  return docs;
}

function object(
  walk: Walk,
  form: Form & { kind: 'object' },
  near: readonly Doc[],
  path: Path,
): JSONSchemaProps {
  const schema: JSONSchemaProps = { type: 'object' };
  const required: string[] = [];
  for (const property of form.properties) {
    schema.properties ??= {};
    const place = path === undefined ? undefined : [...path, property.name];
    const converted = convert(walk, property.shape, near, place, []);
    // Not by assignment: a field may be called `__proto__`.
    Object.defineProperty(schema.properties, property.name, {
      value: converted,
      enumerable: true,
      writable: true,
      configurable: true,
    });
    if (property.required && !property.shape.optional) required.push(property.name);
  }
  if (required.length > 0) schema.required = required.sort();
  return schema;
}

function union(
  walk: Walk,
  form: Form & { kind: 'union' },
  near: readonly Doc[],
  path: Path,
): JSONSchemaProps | undefined {
  const { reporter, exempt } = walk;
  const before = reporter.findings.length;
  const fields = sharedFields(walk.fields);
  const members = form.members.map((member, index) => {
    const { shape, never } = withoutNever(member);
    const schema = convert({ ...walk, fields }, shape, near, path, []);
    // A built-in type's fields are not compared one by one, here as little as elsewhere.
    if (shape.form.kind === 'fixed')
      for (const property of Object.values(schema.properties ?? {})) exempt.set(property, 'type');
    return unionMember(shape, schema, never, index);
  });
  fields.handOn();
  // Members that are incomplete cannot be compared.
  if (reporter.findings.length > before) return undefined;
  const { schema, problems } = unionSchema(members);
  for (const problem of problems)
    reporter.error({ ...problem, message: `${labelOf(near)}: ${problem.message}` }, near);
  walk.unions.add(schema);
  return problems.length > 0 ? undefined : schema;
}

function list(
  walk: Walk,
  items: Shape,
  kind: ListKind | undefined,
  near: readonly Doc[],
  handed: readonly Doc[],
): JSONSchemaProps {
  const schema: JSONSchemaProps = { type: 'array', items: convert(walk, items, near, undefined, handed) };
  if (items.optional) {
    const message = `${labelOf(near)}: an item of a list cannot be undefined; JSON makes null of it`;
    walk.reporter.error(
      { code: 'schema/unsupported-type', message, fix: ['take `undefined` out of the item type'] },
      near,
    );
  }
  if (kind === undefined) return schema;
  schema['x-kubernetes-list-type'] = kind.type;
  if (kind.type === 'map') schema['x-kubernetes-list-map-keys'] = [...kind.keys];
  return schema;
}

function enumeration(values: readonly (string | number | boolean)[]): JSONSchemaProps {
  const [first] = values;
  if (typeof first !== 'number') return { type: typeof first, enum: [...values] };
  return { type: values.every((value) => Number.isInteger(value)) ? 'integer' : 'number', enum: [...values] };
}

/** A bare `number` is an integer or not by its `@format`. */
function plainNumber(walk: Walk, docs: readonly Doc[], near: readonly Doc[]): JSONSchemaProps | undefined {
  const tag = docs.flatMap((doc) => doc.tags).find((item) => item.name === 'format');
  if (tag?.text === 'int32' || tag?.text === 'int64') return { type: 'integer' };
  if (tag?.text === 'float' || tag?.text === 'double') return { type: 'number' };
  const problem: Problem = {
    code: 'schema/plain-number',
    message: `${labelOf(near)} is a plain \`number\``,
    fix: [
      "use Int32 or Int64 from 'opsdk'",
      'or say which with a tag: `@format int32`, `int64`, `float` or `double`',
    ],
  };
  walk.reporter.error(problem, near);
  return undefined;
}

function lintNumbers(walk: Walk, schema: JSONSchemaProps, form: Form, near: readonly Doc[]): void {
  const isOurs =
    form.kind === 'number' ||
    (form.kind === 'fixed' && ['Int64', 'Float32', 'Double', 'Float'].includes(form.name));
  if (!isOurs) return;
  if (schema.type === 'number') {
    walk.reporter.warn(
      {
        code: 'schema/float',
        message: `${labelOf(near)} is a floating point number, which the API conventions discourage`,
        fix: ['use an integer of a smaller unit (milliseconds, bytes), or Quantity'],
      },
      near,
    );
  }
  if (schema.type !== 'integer' || schema.format !== 'int64' || (schema.maximum ?? Infinity) <= maxSafe)
    return;
  walk.reporter.warn(
    {
      code: 'schema/int64-maximum',
      message: `${labelOf(near)} admits integers that JavaScript cannot hold`,
      fix: [`add \`@maximum ${maxSafe}\`, or use Int32`],
    },
    near,
  );
}

/** For what is wrong with the use of a type rather than with the type. */
function toField(near: readonly Doc[]): readonly Doc[] {
  return near.slice(0, near.findLastIndex((doc) => doc.kind === 'member') + 1);
}

/** The innermost field on the way, or the declaration where there is none. */
function labelOf(near: readonly Doc[]): string {
  return (near.findLast((doc) => doc.kind === 'member') ?? near.at(-1))?.label ?? 'the type';
}
