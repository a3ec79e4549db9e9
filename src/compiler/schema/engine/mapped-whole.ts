import type ts from 'typescript';
import type { JSONSchemaProps } from '../../../kubernetes/crd/json-schema-props.ts';
import type { Doc } from '../shape.ts';
import { isKnownTag } from '../tags/tag-names.ts';
import { unsupported, type Refusal } from './refusals.ts';
import { docAnnotation, type EngineContext, type EngineType, type ParserContext } from './types.ts';

const plainFields = ['type', 'description', 'properties', 'required', 'x-kubernetes-map-type'];

function isFields(schema: JSONSchemaProps): boolean {
  return schema.properties !== undefined && Object.keys(schema).every((name) => plainFields.includes(name));
}

/** The type whose fields a mapped type takes: `T` of `[K in keyof T]`, and of `[K in X]: T[K]`, which is Pick and Omit. */
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

/** `T[K]`, if that is what a mapped type `[K in …]` gives. */
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

/** Readonly and Required: every field as it is, and none missing. What holds for the whole type holds for the new one too. */
export function keepsFields({ source: { ts } }: ParserContext, node: ts.MappedTypeNode): boolean {
  const { constraint } = node.typeParameter;
  const adds = node.questionToken !== undefined && node.questionToken.kind !== ts.SyntaxKind.MinusToken;
  if (constraint === undefined || !ts.isTypeOperatorNode(constraint)) return false;
  const sameObject = fieldAccess(ts, node)?.objectType.getText() === constraint.type.getText();
  return !adds && node.nameType === undefined && sameObject;
}

/** Tags of a type as a whole: a mapped type is made of the fields alone. */
export interface Whole {
  readonly own: readonly Doc[];
  readonly bases: readonly Doc[];
  /** A built-in type whose objects are replaced as a whole, which holds for a part of its fields as well. */
  readonly isAtomic: boolean;
  /** The fields are inside, or replaced by, a utility type, a list type of opsdk, or a union. */
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
  message: 'a mapped type (Partial, Pick, Omit, …) of a union',
  fix: ['use it on each member of the union, or write the union out'],
};
