import type * as tsj from 'ts-json-schema-generator';
import type ts from 'typescript';
import { maxParts } from '../schema-size.ts';
import {
  type EngineContext,
  type EngineParser,
  type EngineType,
  type ParserContext,
  fieldTypes,
  boundContext,
  typeParameterName,
} from './types.ts';
import {
  keepsFields,
  mappedSource,
  nothingOfTheType,
  mappedRefusal,
  wholeOf,
  withFieldDocs,
  keysOf,
} from './mapped-whole.ts';
import { anyType, emptyObject, tagsTakenApart, unsupported, type Refusal } from './refusals.ts';
import { coreOf, docsAround, membersOf, withTags } from './functions.ts';

const taggedKeys: Refusal = {
  code: 'schema/record-key',
  message: 'the type of the keys has constraints, but a schema cannot constrain keys',
  fix: ['use Record<string, …> and a rule on the field: `@cel self.all(key, key.matches("…")) : "…"`'],
};

const tooManyMappedFields = (most: number): Refusal => ({
  code: 'schema/too-large',
  message: `nested mapped types (Partial, Record, …) produce more than ${most} fields`,
  fix: ['use them with fewer names, or write the type out'],
});

/**
 * Parses mapped types: Partial, Required, Readonly, Pick, Omit, Record, and those that the user defines. The engine's own parser is wrong
 * in three cases: it turns every mapped type into an object, it reads the names of an enumeration or a nested union as arbitrary keys, and
 * it reads every `?` token as "optional", even the one in `-?`.
 */
export function mappedParser(context: ParserContext): EngineParser {
  const { ts } = context.source;
  return {
    supportsNode: (node) => ts.isMappedTypeNode(node),
    createType: (node, engineContext) => {
      const mapped = { context, node: node as ts.MappedTypeNode, where: engineContext };
      const variable = mappedVariable(mapped);
      return variable === undefined ? objectOf(mapped) : homomorphic(mapped, variable);
    },
  };
}

/** A mapped type, with the types that names are bound to where the mapped type is used. */
interface Mapped {
  readonly context: ParserContext;
  readonly node: ts.MappedTypeNode;
  readonly where: EngineContext;
}

/** Returns the `T` of `[K in keyof T]`, if it is a type parameter. */
function mappedVariable({ context, node }: Mapped): ts.TypeNode | undefined {
  const { ts } = context.source;
  const { constraint } = node.typeParameter;
  const isKeyof =
    constraint !== undefined &&
    ts.isTypeOperatorNode(constraint) &&
    constraint.operator === ts.SyntaxKind.KeyOfKeyword;
  return isKeyof && typeParameterName(context, constraint.type) !== undefined ? constraint.type : undefined;
}

/**
 * Maps the fields of a type. As in TypeScript, the members of a union and the items of a list are mapped one by one. Types without fields
 * stay unchanged.
 */
function homomorphic(mapped: Mapped, variable: ts.TypeNode): EngineType {
  const { context, node, where } = mapped;
  const { engine } = context;
  const of = context.chain.createType(variable, where);
  if (keepsFields(context, node) && node.questionToken === undefined) return of;
  const members = membersOf(context, of);
  if (members.every((member) => isWithoutFields(context, member))) return of;
  if (members.length === 1) return mapList(mapped, of) ?? objectOf(mapped);
  const results = members.map((member) => {
    if (isWithoutFields(context, member)) return member;
    const bound = new Map([[variable.getText(), member]]);
    return context.chain.createType(node, boundContext(context, node, where, bound));
  });
  const isSame = results.every((result, index) => {
    const member = members[index];
    return member !== undefined && coreOf(context, result) === coreOf(context, member);
  });
  return isSame ? of : withWholeDocs(mapped, of, new engine.UnionType(results));
}

/** Returns a list type with mapped items; undefined if the type is not a list. */
function mapList({ context, node, where }: Mapped, of: EngineType): EngineType | undefined {
  const { engine } = context;
  const core = coreOf(context, of);
  const form = context.formOf(core);
  const list = form?.kind === 'list' ? form : undefined;
  const former = list?.items ?? (core instanceof engine.ArrayType ? core.getItem() : undefined);
  if (former === undefined || node.type === undefined || node.nameType !== undefined) return undefined;
  const bound = new Map([[node.typeParameter.name.text, new engine.NumberType()]]);
  const items = context.chain.createType(node.type, boundContext(context, node, where, bound));
  if (coreOf(context, items) === coreOf(context, former)) return of;
  const array = new engine.ArrayType(items);
  const id = `${core.getId()}-of-${items.getId()}`;
  const made = list === undefined ? array : context.opaque(id, { ...list, items }, array);
  return withWholeDocs({ context, node, where }, of, made);
}

/** Adds the docs of the original type to the mapped type. Refuses the mapped type if these docs may no longer apply to it. */
function withWholeDocs({ context, node }: Mapped, of: EngineType, made: EngineType): EngineType {
  const docs = docsAround(context, of).filter(({ kind }) => kind === 'declaration');
  if (keepsFields(context, node))
    return docs.reduceRight((inner, doc) => context.annotated(doc.node, inner), made);
  const lost = docs.find(withTags);
  return lost === undefined ? made : context.refused(undefined, tagsTakenApart(lost.label));
}

/** Returns true for strings, numbers, booleans and null, and for utility types around them. */
function isWithoutFields(context: ParserContext, type: EngineType): boolean {
  const { engine } = context;
  const core = coreOf(context, type);
  const form = context.formOf(core);
  const areAll = (types: readonly EngineType[]): boolean =>
    types.every((part) => isWithoutFields(context, part));
  if (form?.kind === 'shared') return areAll(form.types);
  if (form?.kind === 'fixed')
    return (
      form.schema['x-kubernetes-int-or-string'] === true ||
      ['string', 'integer', 'number', 'boolean'].includes(form.schema.type ?? '')
    );
  if (form !== undefined) return form.kind === 'string';
  if (core instanceof engine.UnionType) return areAll(core.getTypes());
  const scalars = [engine.StringType, engine.NumberType, engine.BooleanType, engine.LiteralType];
  const others = [engine.EnumType, engine.NullType, engine.UndefinedType];
  return [...scalars, ...others].some((scalar) => core instanceof scalar);
}

/** Returns an object type with the named fields, or with arbitrary keys. */
function objectOf(mapped: Mapped): EngineType {
  const { context, node, where } = mapped;
  const { constraint } = node.typeParameter;
  if (constraint === undefined || node.type === undefined)
    return context.refused(undefined, anyType(node.getText()));
  const keyType = context.chain.createType(constraint, where);
  const keys = keysOf(context, keyType);
  const fieldsOf = mappedSource(context, node, where);
  const of = fieldsOf === undefined ? nothingOfTheType : wholeOf(context, fieldsOf);
  const refusal = mappedRefusal(context, node, of);
  if (refusal !== undefined) return context.refused(undefined, refusal);
  if (keys.problem !== undefined) return context.refused(undefined, keys.problem);
  if (context.engine.derefType(keyType) instanceof context.engine.NeverType)
    return context.refused(undefined, noFields);
  context.counts.mappedFields += Math.max(keys.names.length, 1);
  if (context.counts.mappedFields > maxParts)
    return context.refused(undefined, tooManyMappedFields(maxParts));
  const bare =
    keys.any === undefined
      ? namedFields(mapped, node.type, keys.names, fieldsOf)
      : recordOf(mapped, node.type, keys.any);
  const type = fieldsOf === undefined ? bare : withFieldDocs(context, node, fieldsOf, bare);
  const whole = keepsFields(context, node) ? of.own : [];
  return whole.reduceRight<EngineType>(
    (inner, doc) => context.annotated(doc.node, inner),
    of.isAtomic ? atomic(context, type) : type,
  );
}

function recordOf({ context, node, where }: Mapped, values: ts.TypeNode, keys: EngineType): EngineType {
  if (docsAround(context, keys).some(({ tags }) => tags.length > 0))
    return context.refused(undefined, taggedKeys);
  if (node.nameType !== undefined) return context.refused(undefined, openNames);
  const bound = new Map([[node.typeParameter.name.text, keys]]);
  const type = context.chain.createType(values, boundContext(context, node, where, bound));
  return new context.engine.ObjectType(idOf(context, node, where), [], [], type);
}

function namedFields(
  { context, node, where }: Mapped,
  values: ts.TypeNode,
  keys: readonly tsj.LiteralType[],
  fieldsOf: EngineType | undefined,
): EngineType {
  const { engine, source, chain } = context;
  const isMinus = node.questionToken?.kind === source.ts.SyntaxKind.MinusToken;
  const modifiersOf = fieldsOf ?? boundOfKeys({ context, node, where });
  const isOptional = (key: tsj.LiteralType): boolean => {
    if (node.questionToken !== undefined) return !isMinus;
    const former = modifiersOf === undefined ? [] : fieldTypes(context, modifiersOf, key);
    return former.length > 0 && former.every((type) => isWithUndefined(context, type));
  };
  const fields = new Map<string, { readonly types: EngineType[]; readonly isRequired: boolean }>();
  for (const key of keys) {
    const inner = boundContext(context, node, where, new Map([[node.typeParameter.name.text, key]]));
    const renamed =
      node.nameType === undefined
        ? { names: [key] }
        : keysOf(context, chain.createType(node.nameType, inner));
    const problem = renamed.any === undefined ? renamed.problem : openNames;
    if (problem !== undefined) return context.refused(undefined, problem);
    const type = chain.createType(values, inner);
    // `-?` removes the `?` that a field has in the mapped type's source type. Without a source type, it removes nothing.
    const isMade = isMinus && modifiersOf !== undefined;
    const isRequired = isMade || !(isOptional(key) || isWithUndefined(context, type));
    for (const literal of renamed.names) {
      const name = String(literal.getValue());
      const field = fields.get(name) ?? { types: [], isRequired };
      field.types.push(withoutUndefined(context, type));
      fields.set(name, field);
    }
  }
  if (fields.size === 0 && keys.length > 0) return context.refused(undefined, noFields);
  const properties = [...fields].map(([name, { types, isRequired }]) => {
    const [only] = types;
    const type = only !== undefined && types.length === 1 ? only : new engine.UnionType(types);
    return new engine.ObjectProperty(name, type, isRequired);
  });
  return new engine.ObjectType(idOf(context, node, where), [], properties, false);
}

/** Returns the `T` of `K extends keyof T` in `[P in K]`. The fields of `T` determine which of the mapped fields are optional. */
function boundOfKeys({ context, node, where }: Mapped): EngineType | undefined {
  const { ts, checker } = context.source;
  const { constraint } = node.typeParameter;
  if (constraint === undefined || typeParameterName(context, constraint) === undefined) return undefined;
  const [declaration] = checker.getTypeAtLocation(constraint).symbol.declarations ?? [];
  if (declaration === undefined || !ts.isTypeParameterDeclaration(declaration)) return undefined;
  const bound = declaration.constraint;
  const isKeyof = bound !== undefined && ts.isTypeOperatorNode(bound) && ts.isTypeReferenceNode(bound.type);
  return isKeyof ? context.chain.createType(bound.type, where) : undefined;
}

function idOf({ engine }: ParserContext, node: ts.MappedTypeNode, where: EngineContext): string {
  return `mapped-${engine.getKey(node, where)}`;
}

function isWithUndefined(context: ParserContext, type: EngineType): boolean {
  return membersOf(context, type).some(
    (member) => coreOf(context, member) instanceof context.engine.UndefinedType,
  );
}

function withoutUndefined(context: ParserContext, type: EngineType): EngineType {
  const { engine } = context;
  const core = engine.derefAnnotatedType(type);
  if (core instanceof engine.UnionType)
    return engine.preserveAnnotation(type, engine.removeUndefined(core).newType);
  const aliased = coreOf(context, type);
  if (!(aliased instanceof engine.UnionType && isWithUndefined(context, aliased))) return type;
  // Keeps the docs of the aliases around the type that remains.
  return docsAround(context, type).reduceRight<EngineType>(
    (inner, doc) => context.annotated(doc.node, inner),
    engine.removeUndefined(aliased).newType,
  );
}

function atomic(context: ParserContext, inner: EngineType): EngineType {
  const adjustment = { kind: 'atomic', name: 'AtomicObject' } as const;
  return context.opaque(`atomic-${inner.getId()}`, { kind: 'adjusted', inner, adjustment }, inner);
}

const noFields = emptyObject('{}');

const openNames = unsupported(
  'a mapped type whose `as` clause gives arbitrary names',
  'use Record<string, …>, or give each field one name',
);
