import type { JSONSchemaProps } from '../../kubernetes/crd/index.ts';
import { bareNode, type NodeParts, type SchemaNode, labelOf } from './schema-node.ts';
import { enumeration, plainNumber } from './schema-size.ts';
import type { Doc, Form, ListKind, Shape } from './shape.ts';
import { templatePattern } from './template-pattern.ts';
import { unionSchema, type UnionMember } from './unions/object-union.ts';
import type { TaggedFieldCollector } from './tagged-fields.ts';
import type { Reporter } from './reporter.ts';

/** The schema of a type's form alone, before doc comments and utility types are applied. */
export interface BaseSchema {
  readonly schema: JSONSchemaProps;
  /** Nodes of the parts of the schema, such as fields and items. Default: none. */
  readonly parts?: NodeParts;
  readonly isUnion?: boolean;
  readonly isTemplate?: boolean;
  /** Kind of inner doc comments (`items` or `values`) that the parts already include. Default: none. */
  readonly applied?: keyof InnerDocs;
}

/** Doc comments of a list or record that apply to its items or values. */
export interface InnerDocs {
  readonly items: readonly Doc[];
  readonly values: readonly Doc[];
}

/** @returns undefined if the form cannot be expressed in a schema; a finding is then reported */
export function baseSchema(
  { form, docs }: Shape,
  context: Context,
  innerDocs: InnerDocs,
): BaseSchema | undefined {
  const { reporter, docTrail } = context;
  switch (form.kind) {
    case 'string':
      return form.texts === undefined
        ? { schema: { type: 'string' } }
        : { schema: { type: 'string', pattern: templatePattern(form.texts) }, isTemplate: true };
    case 'boolean':
      return { schema: { type: form.kind } };
    case 'number': {
      const schema = plainNumber(reporter, docs, docTrail);
      return schema && { schema };
    }
    case 'enum':
      return { schema: enumeration(form.values) };
    case 'array':
      return listSchema(form, context, innerDocs.items);
    case 'record': {
      const values = context.convert(form.values, {
        ...context,
        path: undefined,
        inheritedDocs: innerDocs.values,
      });
      const schema: JSONSchemaProps = { type: 'object', additionalProperties: values.schema };
      return { schema, parts: { values }, applied: 'values' };
    }
    case 'object':
      return objectSchema(form, context);
    case 'fixed':
      // A deep copy, so that the tags of one field do not affect other fields.
      return { schema: structuredClone(form.schema) };
    case 'union':
      return unionOf(form, context);
    case 'refused': {
      const message = `${labelOf(docTrail)}: ${form.problem.message}`;
      reporter.error({ ...form.problem, message }, docTrail);
      return undefined;
    }
  }
}

function objectSchema(form: Form & { kind: 'object' }, context: Context): BaseSchema {
  const schema: JSONSchemaProps = { type: 'object' };
  const properties = new Map<string, SchemaNode>();
  const required: string[] = [];
  for (const { name, shape, required: isRequired } of form.properties) {
    schema.properties ??= {};
    const path = context.path === undefined ? undefined : [...context.path, name];
    const node = context.convert(shape, { ...context, path });
    properties.set(name, node);
    // Assignment would not work for a field named `__proto__`.
    Object.defineProperty(schema.properties, name, {
      value: node.schema,
      enumerable: true,
      writable: true,
      configurable: true,
    });
    if (isRequired && !shape.optional) required.push(name);
  }
  if (required.length > 0) schema.required = required.sort();
  return { schema, parts: { properties } };
}

function unionOf(form: Form & { kind: 'union' }, context: Context): BaseSchema | undefined {
  const { reporter, docTrail } = context;
  const before = reporter.findings.length;
  const fields = sharedFields(context.fields);
  const members = form.members.map((member, index) => {
    const { shape, never } = withoutNever(member);
    const node = context.convert(shape, { ...context, fields });
    return unionMember(shape, shape.form.kind === 'fixed' ? withFields(node) : node, never, index);
  });
  fields.handOn();
  // Members of a union that are incomplete cannot be compared.
  if (reporter.findings.length > before) return undefined;
  const { schema, properties, problems } = unionSchema(members);
  for (const problem of problems)
    reporter.error({ ...problem, message: `${labelOf(docTrail)}: ${problem.message}` }, docTrail);
  return problems.length > 0 ? undefined : { schema, parts: { properties }, isUnion: true };
}

/** Exempts the fields of a built-in type from the comparison between a schema and its TypeScript type, as is done outside of unions too. */
function withFields(node: SchemaNode): SchemaNode {
  const properties = Object.entries(node.schema.properties ?? {}).map(
    ([name, field]) => [name, bareNode(field, { exempt: 'type' })] as const,
  );
  return { ...node, parts: { properties: new Map(properties) } };
}

function listSchema(
  { items: shape, list }: { readonly items: Shape; readonly list?: ListKind },
  context: Context,
  inheritedDocs: readonly Doc[],
): BaseSchema {
  const items = context.convert(shape, { ...context, path: undefined, inheritedDocs });
  if (shape.optional) {
    const message = `${labelOf(context.docTrail)}: the type of the list's items contains undefined, which JSON turns into null`;
    const fix = ['take `undefined` out of the item type'];
    context.reporter.error({ code: 'schema/unsupported-type', message, fix }, context.docTrail);
  }
  const schema: JSONSchemaProps = { type: 'array', items: items.schema };
  if (list !== undefined) schema['x-kubernetes-list-type'] = list.type;
  if (list?.type === 'map') schema['x-kubernetes-list-map-keys'] = [...list.keys];
  return { schema, parts: { items }, applied: 'items' };
}

/** Returns a union member without the fields that it forbids (`name?: never`), and the names of these fields. */
function withoutNever(member: Shape): { readonly shape: Shape; readonly never: ReadonlySet<string> } {
  const never = new Set<string>();
  if (member.form.kind !== 'object') return { shape: member, never };
  const properties = member.form.properties.filter(({ name, required, shape: { form } }) => {
    const isNever = !required && form.kind === 'refused' && form.never === true;
    if (isNever) never.add(name);
    return !isNever;
  });
  return { shape: { ...member, form: { ...member.form, properties } }, never };
}

/** @param index position in the union, from 0; used for members without a name */
function unionMember(
  { docs, form }: Shape,
  node: SchemaNode,
  never: ReadonlySet<string>,
  index: number,
): UnionMember {
  const properties = form.kind === 'object' ? form.properties : [];
  const named = docs.find(({ node, kind }) => kind === 'declaration' && 'name' in node);
  return {
    label: named?.label ?? (form.kind === 'fixed' ? form.name : `member ${index + 1} of the union`),
    node,
    never,
    docs: new Map(
      properties.flatMap(({ name, shape }): [string, Doc][] => {
        const [own] = shape.docs;
        return own === undefined ? [] : [[name, own]];
      }),
    ),
  };
}

/** Arguments of a call of `add`. */
type FieldCall = Parameters<TaggedFieldCollector['add']>;

/** Collects the fields of all members of a union. Passes each field on only once, even if several members have it. */
function sharedFields(collector: TaggedFieldCollector): TaggedFieldCollector & { handOn(): void } {
  const calls = new Map<string, FieldCall>();
  return {
    ...collector,
    add(...call) {
      const [docs, , path] = call;
      const tags = docs.flatMap((doc) => doc.tags.map(({ name, text }) => [name, text]));
      const key = JSON.stringify([path ?? null, tags]);
      if (!calls.has(key)) calls.set(key, call);
    },
    handOn() {
      for (const call of calls.values()) collector.add(...call);
    },
  };
}

/** Context in which a shape is converted to a schema. */
export interface Context {
  /** Converts a part of the shape, such as a field or an item. */
  readonly convert: (shape: Shape, context: Context) => SchemaNode;
  readonly reporter: Reporter;
  readonly fields: TaggedFieldCollector;
  /** Doc comments on the path from the kind to this shape, the outermost first. */
  readonly docTrail: readonly Doc[];
  /** Path of the field in the object, for printer columns. Undefined inside of lists and records. */
  readonly path: readonly string[] | undefined;
  /** Tags of the enclosing list or record that apply to its items or values. They count as the outermost doc comments. Default: none. */
  readonly inheritedDocs?: readonly Doc[];
}
