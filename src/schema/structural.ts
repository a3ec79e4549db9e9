import type { JSONSchemaProps } from '../crd/json-schema-props.ts';
import { labelOf, toField } from './near.ts';
import { checkNullableEnum } from './nullable-enum.ts';
import { enumeration, lintNumbers, plainNumber } from './number-schema.ts';
import { replacesType } from './given-type.ts';
import { replacedParts } from './replaced-parts.ts';
import type { Reporter } from './reporter.ts';
import type { Doc, Form, ListKind, Shape } from './shape.ts';
import { addChoiceRules, adjust, choicesOf, type Choice } from './adjust.ts';
import { unionSchema } from './unions/object-union.ts';
import { templatePattern } from './template-pattern.ts';
import { fixedUtilityTypes } from './utility-types.ts';
import { sharedFields, unionMember, withoutNever } from './unions/union-members.ts';
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
    for (const problem of doc.advice) walk.reporter.warn(problem, near);
    checkTagNames(doc, (problem) => walk.reporter.error(problem, near));
    walk.reporter.visit(doc);
  }
  const overrides = k8sOverrides(own);
  const given = saysType(overrides);
  const replaced = given && replacesType(overrides, form);
  const inside: Inside = { items: handDown(own, 'items'), values: handDown(own, 'values') };
  const isResource = shape.adjustments?.some((item) => item.kind === 'embedded' && item.isResource) === true;
  // The columns of an embedded kind are those of its own CRD.
  const within: Walk = isResource ? { ...walk, fields: { ...walk.fields, add: () => undefined } } : walk;
  const made = replaced ? {} : base(within, shape, near, path, inside);
  const schema = made ?? {};
  if (replaced || isKnownWhole(form)) walk.exempt.set(schema, 'type');
  const description = docs.find((doc) => doc.description !== undefined)?.description;
  if (description !== undefined) schema.description = description;
  if (shape.nullable) schema.nullable = true;
  const misused = made === undefined || replaced ? [] : adjust(schema, shape, labelOf(near));
  for (const problem of misused) walk.reporter.error(problem, toField(near));
  if (isResource) walk.resources.add(schema);
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

/**
 * What is known as a whole is compared with the type only if it is a plain value of our own: built-in types name the values that their
 * server takes today, which a schema must not.
 */
function isKnownWhole(form: Form): boolean {
  const plain = ['string', 'integer', 'number'];
  return form.kind === 'fixed' && !(form.name in fixedUtilityTypes && plain.includes(form.schema.type ?? ''));
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
  const before = { ...schema };
  // A type that comes from the tag is there before the other tags are checked against it.
  if (saysType(overrides)) mergeOverrides(schema, overrides);
  applyTags(schema, docs, form.kind === 'object' ? form.inherited : [], {
    error: (problem) => reporter.error(problem, near),
    warn: (problem) => reporter.warn(problem, near),
  });
  addChoiceRules(schema, shape);
  for (const problem of replacedParts(walk, schema, before, labelOf(near))) reporter.error(problem, near);
  if (Object.keys(overrides).length > 0) exemptOverridden(exempt, schema, overrides);
  if (schema.nullable === true && !shape.nullable && !exempt.has(schema)) exempt.set(schema, 'nullable');
  checkNullableEnum(reporter, schema, shape, near);
  lintNumbers(reporter, schema, form, near);
}

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
      return plainNumber(walk.reporter, docs, near);
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
