import type { JSONSchemaProps } from '../../kubernetes/crd/json-schema-props.ts';
import type { Context } from './context.ts';
import { labelOf } from './doc-trail.ts';
import { enumeration, plainNumber } from './number-schema.ts';
import { bareNode, type NodeParts, type SchemaNode } from './schema-node.ts';
import type { Doc, Form, ListKind, Shape } from './shape.ts';
import { templatePattern } from './template-pattern.ts';
import { unionSchema } from './unions/object-union.ts';
import { sharedFields, unionMember, withoutNever } from './unions/union-members.ts';

/** The schema that comes of a form alone, before the docs and utility types around it. */
export interface BaseSchema {
  readonly schema: JSONSchemaProps;
  /** Default: none. */
  readonly parts?: NodeParts;
  readonly isUnion?: boolean;
  readonly isTemplate?: boolean;
  /** Which of the inner docs are in the parts. Default: none. */
  readonly applied?: keyof InnerDocs;
}

/** Docs of a list or record about its items or values. */
export interface InnerDocs {
  readonly items: readonly Doc[];
  readonly values: readonly Doc[];
}

/** @returns undefined, and a finding, for what cannot be expressed */
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
      // Deep: tags of one field must not reach the others.
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
    // Not by assignment: a field may be called `__proto__`.
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
  // Members that are incomplete cannot be compared.
  if (reporter.findings.length > before) return undefined;
  const { schema, properties, problems } = unionSchema(members);
  for (const problem of problems)
    reporter.error({ ...problem, message: `${labelOf(docTrail)}: ${problem.message}` }, docTrail);
  return problems.length > 0 ? undefined : { schema, parts: { properties }, isUnion: true };
}

/** A built-in type's fields are not compared with their types one by one, in a union as little as elsewhere. */
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
    const message = `${labelOf(context.docTrail)}: an item of a list cannot be undefined; JSON makes null of it`;
    const fix = ['take `undefined` out of the item type'];
    context.reporter.error({ code: 'schema/unsupported-type', message, fix }, context.docTrail);
  }
  const schema: JSONSchemaProps = { type: 'array', items: items.schema };
  if (list !== undefined) schema['x-kubernetes-list-type'] = list.type;
  if (list?.type === 'map') schema['x-kubernetes-list-map-keys'] = [...list.keys];
  return { schema, parts: { items }, applied: 'items' };
}
