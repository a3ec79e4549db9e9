import type ts from 'typescript';
import type * as tsj from 'ts-json-schema-generator';
import type { JSONSchemaProps } from '../../../kubernetes/crd/index.ts';
import type { Doc } from '../shape.ts';
import { isKnownTag } from '../tags/tag-names.ts';
import {
  unsupported,
  type Refusal,
  declaredTwice,
  tagsTakenApart,
  notUnderstood,
  stringKeys,
  templateKeys,
} from './refusals.ts';
import {
  docAnnotation,
  type EngineContext,
  type EngineType,
  type ParserContext,
  fieldTypes,
} from './types.ts';
import { docsClash } from './shared-field.ts';
import { docsAround, docsInside, withTags } from './functions.ts';

const plainFields = ['type', 'description', 'properties', 'required', 'x-kubernetes-map-type'];

function isFields(schema: JSONSchemaProps): boolean {
  return schema.properties !== undefined && Object.keys(schema).every((name) => plainFields.includes(name));
}

/**
 * Returns the type from which a mapped type gets its fields: the `T` in `[K in keyof T]`, or the `T` in `[K in X]: T[K]`. Pick and Omit
 * have the second form.
 */
export function mappedSource(
  { source: { ts }, chain }: ParserContext,
  node: ts.MappedTypeNode,
  engineContext: EngineContext,
): EngineType | undefined {
  const { constraint } = node.typeParameter;
  if (constraint !== undefined && ts.isTypeOperatorNode(constraint))
    return chain.createType(constraint.type, engineContext);
  const object = fieldAccess(ts, node)?.objectType;
  return object && chain.createType(object, engineContext);
}

/** Returns the node `T[K]`, if a mapped type `[K in …]` has it as its value. */
function fieldAccess(
  typescript: typeof ts,
  { type, typeParameter }: ts.MappedTypeNode,
): ts.IndexedAccessTypeNode | undefined {
  return type !== undefined &&
    typescript.isIndexedAccessTypeNode(type) &&
    type.indexType.getText() === typeParameter.name.text
    ? type
    : undefined;
}

/** Returns true for Readonly and Required. They keep every field, so the docs of the original type also apply to the mapped type. */
export function keepsFields({ source: { ts } }: ParserContext, node: ts.MappedTypeNode): boolean {
  const { constraint } = node.typeParameter;
  const adds = node.questionToken !== undefined && node.questionToken.kind !== ts.SyntaxKind.MinusToken;
  if (constraint === undefined || !ts.isTypeOperatorNode(constraint)) return false;
  const sameObject = fieldAccess(ts, node)?.objectType.getText() === constraint.type.getText();
  return !adds && node.nameType === undefined && sameObject;
}

/** Docs with tags that apply to an entire type. A mapped type would lose them, because it is made only from the fields. */
interface Whole {
  readonly own: readonly Doc[];
  readonly bases: readonly Doc[];
  /**
   * True for a built-in type whose objects are replaced as a unit. An object type with only some of the fields is also replaced as a unit.
   */
  readonly isAtomic: boolean;
  /**
   * Reason to refuse the type. Set if the fields are inside of a utility type, a list type of opsdk or a union, or are replaced by one of
   * these.
   */
  readonly refusal?: Refusal;
}

export const nothingOfTheType: Whole = { own: [], bases: [], isAtomic: false };

export function wholeOf(context: ParserContext, type: EngineType): Whole {
  const { engine, docs } = context;
  const known = context.formOf(type);
  if (known?.kind === 'refused') return { ...nothingOfTheType, refusal: known.problem };
  if (known?.kind === 'fixed' && isFields(known.schema))
    return { ...nothingOfTheType, isAtomic: known.schema['x-kubernetes-map-type'] === 'atomic' };
  if (known !== undefined) return { ...nothingOfTheType, refusal: ofUtilityType };
  if (type instanceof engine.AnnotatedType) {
    const id: unknown = type.getAnnotations()[docAnnotation];
    const doc = typeof id === 'number' ? docs.byId(id) : undefined;
    const inner = wholeOf(context, type.getType());
    return doc?.kind === 'declaration' ? { ...inner, own: [doc, ...inner.own] } : inner;
  }
  if (type instanceof engine.DefinitionType || type instanceof engine.AliasType)
    return wholeOf(context, type.getType());
  const parts = type instanceof engine.IntersectionType ? type.getTypes() : [];
  const bases = type instanceof engine.ObjectType ? type.getBaseTypes() : [];
  const inherited = [...parts, ...bases].map((part) => wholeOf(context, part));
  const refusal =
    type instanceof engine.UnionType ? ofUnion : inherited.find((part) => part.refusal)?.refusal;
  const inheritedDocs = inherited.flatMap((part) => [...part.own, ...part.bases]);
  return { own: [], bases: inheritedDocs, isAtomic: false, ...(refusal === undefined ? {} : { refusal }) };
}

export function mappedRefusal(
  context: ParserContext,
  node: ts.MappedTypeNode,
  of: Whole,
): Refusal | undefined {
  if (of.refusal !== undefined) return of.refusal;
  const kept =
    keepsFields(context, node) && !of.own.some((doc) => doc.tags.some((tag) => tag.name === 'k8s'));
  const lost = (kept ? of.bases : [...of.own, ...of.bases]).flatMap((doc) => {
    const tag = doc.tags.find(({ name }) => isKnownTag(name) && name !== 'allow');
    return tag === undefined ? [] : [{ tag: tag.name, label: doc.label }];
  })[0];
  return lost && tagsLost(lost.tag, lost.label);
}

const tagsLost = (tag: string, label: string): Refusal =>
  unsupported(
    `the @${tag} of ${label} would be lost: a mapped type (Partial, Pick, Omit, …) takes over the fields only`,
    `put the tags of ${label} on its fields or on the field that uses it, or write the interface out`,
  );

const ofUtilityType: Refusal = unsupported(
  'a mapped type (Partial, Pick, Omit, …) of a utility type would lose what that says',
  'put the utility type around the mapped type, such as `AtomicObject<Partial<…>>`, or write the type out',
);

const ofUnion: Refusal = {
  code: 'schema/object-union',
  message: 'a mapped type (Partial, Pick, Omit, …) cannot be applied to a union',
  fix: ['use it on each member of the union, or write the union out'],
};

/**
 * Keeps the comments of the fields that a mapped type derives from the fields of another type. If the mapped type returns the field types
 * unchanged, they already include their comments. If it changes the field types, as in `DeepPartial<T[K]>`, the comments are added to the
 * new field types.
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

/** Returns true if a mapped type derives its fields from the field types of another type, under the same names. */
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
  // A type such as `{ [K in keyof T]: T[K] extends string ? K : never }` produces the names of fields, so the comments of the fields do not
  // apply.
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

/** The keys of a type: fixed names, arbitrary strings, or both. If both are set, the arbitrary strings include the names. */
interface Keys {
  /** The named keys, without duplicates. */
  readonly names: readonly tsj.LiteralType[];
  /** Type of the keys if they may be arbitrary strings, with its docs. Undefined if only named keys are allowed. */
  readonly any?: EngineType;
  readonly problem?: Refusal;
}

/** Reads the keys of a type. Also finds keys inside of aliases, docs, enumerations and nested unions. */
export function keysOf(context: ParserContext, type: EngineType): Keys {
  const names = new Map<string, tsj.LiteralType>();
  const found: { any?: EngineType; hasNumber: boolean; problem?: Refusal } = { hasNumber: false };
  collect(context, type, type, names, found);
  const { any, hasNumber } = found;
  // Number keys are accepted only together with string keys, as in `keyof Record<string, …>`, which is `string | number`. JSON has no
  // number keys.
  const problem = found.problem ?? (hasNumber && any === undefined ? stringKeys : undefined);
  return {
    names: [...names.values()],
    ...(any === undefined ? {} : { any }),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** @param outer the same type, including the names and docs around it */
function collect(
  context: ParserContext,
  type: EngineType,
  outer: EngineType,
  names: Map<string, tsj.LiteralType>,
  found: { any?: EngineType; hasNumber: boolean; problem?: Refusal },
): void {
  const { engine } = context;
  const form = context.formOf(type);
  const add = (value: string | number): void => {
    if (!names.has(String(value))) names.set(String(value), new engine.LiteralType(value));
  };
  if (form?.kind === 'refused') found.problem ??= form.problem;
  else if (form?.kind === 'string') found.problem ??= templateKeys;
  else if (
    type instanceof engine.AnnotatedType ||
    type instanceof engine.DefinitionType ||
    type instanceof engine.AliasType
  )
    collect(context, type.getType(), outer, names, found);
  else if (type instanceof engine.UnionType)
    for (const member of type.getTypes()) collect(context, member, member, names, found);
  else if (type instanceof engine.EnumType) {
    for (const value of type.getValues())
      if (typeof value === 'string' || typeof value === 'number') add(value);
  } else if (type instanceof engine.LiteralType && typeof type.getValue() !== 'boolean')
    add(type.getValue() as string | number);
  else if (type instanceof engine.StringType) found.any ??= outer;
  else if (type instanceof engine.NumberType) found.hasNumber = true;
  else if (type instanceof engine.SymbolType) found.problem ??= stringKeys;
  else if (!(type instanceof engine.NeverType)) found.problem ??= notUnderstood;
}
