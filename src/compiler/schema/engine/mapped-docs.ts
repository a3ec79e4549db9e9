import type * as tsj from 'ts-json-schema-generator';
import type ts from 'typescript';
import { fieldTypes } from './field-types.ts';
import { declaredTwice, tagsTakenApart } from './refusals.ts';
import { docsClash } from './shared-field.ts';
import type { EngineType, ParserContext } from './types.ts';
import { docsAround, docsInside, withTags } from './unwrapped.ts';

/**
 * The fields that a mapped type makes of others keep their comments: where it gives them back as they are, these have come along, and where
 * it takes them apart (`DeepPartial<T[K]>`), they are put around the field again.
 */
export function withFieldDocs(
  context: ParserContext,
  node: ts.MappedTypeNode,
  from: EngineType,
  type: EngineType,
): EngineType {
  const { engine } = context;
  if (!(type instanceof engine.ObjectType) || !rebuildsFields(context, node)) return type;
  const properties = type.getProperties();
  const documented = properties.map((property) => documentedField(context, from, property));
  if (documented.every((property, index) => property === properties[index])) return type;
  return new engine.ObjectType(`${type.getId()}-documented`, [], documented, type.getAdditionalProperties());
}

/** True if a mapped type makes something of the former types of the fields, under their former names. */
function rebuildsFields(
  { source: { ts } }: ParserContext,
  { type, nameType, typeParameter }: ts.MappedTypeNode,
): boolean {
  if (type === undefined || nameType !== undefined || ts.isIndexedAccessTypeNode(type)) return false;
  return type.getText().includes(`[${typeParameter.name.text}]`);
}

function documentedField(
  context: ParserContext,
  from: EngineType,
  property: tsj.ObjectProperty,
): tsj.ObjectProperty {
  const { engine } = context;
  const name = new engine.LiteralType(property.getName());
  const former = fieldTypes(context, from, name).map((type) => docsAround(context, type));
  // `{ [K in keyof T]: T[K] extends string ? K : never }` gives names of fields, not fields.
  const made = engine.derefType(property.getType());
  if (former.length === 0 || made.getId() === name.getId() || made instanceof engine.NeverType)
    return property;
  const kept = docsInside(context, property.getType());
  const missing = [...new Set(former.flat())].filter((doc) => !kept.includes(doc));
  const lost = missing.find((doc) => doc.kind === 'declaration' && withTags(doc));
  const rebuilt = (type: EngineType): tsj.ObjectProperty =>
    new engine.ObjectProperty(property.getName(), type, property.isRequired());
  if (lost !== undefined) return rebuilt(context.refused(undefined, tagsTakenApart(lost.label)));
  const [first = [], ...others] = former;
  const clash = others.map((docs) => docsClash(first, docs)).find((item) => item !== undefined);
  if (clash !== undefined)
    return rebuilt(context.refused(undefined, declaredTwice(property.getName(), clash)));
  const own = missing.filter((doc) => doc.kind === 'member');
  if (own.length === 0) return property;
  return rebuilt(own.reduceRight((inner, doc) => context.annotated(doc.node, inner), property.getType()));
}
