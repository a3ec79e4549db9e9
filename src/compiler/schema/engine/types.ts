import type * as engine from 'ts-json-schema-generator';
import type ts from 'typescript';
import type { SchemaEngine, SourceProgram } from '../../source/index.ts';
import type { DocReader } from '../comments/doc-comments.ts';
import type { Adjustment, Form, ListKind, Problem } from '../shape.ts';

export type EngineType = engine.BaseType;
export type EngineContext = engine.Context;
export type EngineParser = engine.SubNodeParser;

/** A form that the engine knows nothing of. */
export type OpaqueForm =
  | Form
  | { readonly kind: 'list'; readonly items: EngineType; readonly list: ListKind }
  /** A utility type around its argument. */
  | { readonly kind: 'adjusted'; readonly inner: EngineType; readonly adjustment: Adjustment }
  /** The base interface of custom resources. */
  | { readonly kind: 'resourceBase' }
  /** A field that several types have, all of which hold. */
  | { readonly kind: 'shared'; readonly name: string; readonly types: readonly EngineType[] }
  | (Form & { readonly kind: 'refused'; readonly inside?: Inside });

/** Parts that can be taken out of a type that has no form itself. */
export interface Inside {
  /** Signature of a function, with the meaning of the names of types in it. */
  readonly signature?: { readonly declaration: ts.SignatureDeclaration; readonly where: EngineContext };
  /** Type of the value of a Promise. */
  readonly promised?: EngineType;
  /** Type that the engine sees when it looks inside. Default: any value. */
  readonly seen?: () => EngineType;
}

/** Types that the checker infers for expressions without a written type. */
export interface CheckedTypes {
  /** @param place where what cannot be read is reported */
  read(type: ts.Type, place: ts.Node): EngineType;
  /** The type of a constant, or of a field that is named: `typeof defaults.size`. */
  ofSymbol(symbol: ts.Symbol, place: ts.Node): EngineType;
}

/** Context that our parsers share: the engine's chain, the docs, and the forms that are known without the engine. */
export interface ParserContext {
  readonly source: SourceProgram;
  readonly engine: SchemaEngine;
  readonly chain: engine.MutableParser & engine.NodeParser;
  readonly docs: DocReader;
  /** Built-in Kubernetes types keep their descriptions. */
  readonly embeddedDescriptions: boolean;
  /** Parts that the engine has made for the kind that is being read. */
  readonly counts: { mappedFields: number };
  /** An engine type that stands for a form of ours. `inner` is what the engine sees when it looks inside; made then, if it is a function. */
  opaque(id: string, form: OpaqueForm, inner?: EngineType | (() => EngineType)): EngineType;
  /** An opaque type for what cannot be expressed; without a node its place is that of the field that uses it. */
  refused(
    node: ts.Node | undefined,
    problem: Omit<Problem, 'at'>,
    escapable?: boolean,
    inside?: Inside,
  ): EngineType;
  /** Types that the checker infers where none is written. */
  readonly checked: CheckedTypes;
  /** The form of a type that `opaque` made. */
  formOf(type: EngineType): OpaqueForm | undefined;
  /** The type with the doc of a declaration around it. */
  annotated(node: ts.Node, type: EngineType): EngineType;
}

/** The annotation under which a doc travels through the engine. */
export const docAnnotation = 'doc';

/**
 * The types that a field has in a type: several where it comes from several parts of an intersection or several bases of an interface, all
 * of which hold. The engine takes the first base, and of types that differ by their docs alone the first one.
 */
export function fieldTypes(
  context: ParserContext,
  owner: EngineType,
  name: engine.LiteralType,
): readonly EngineType[] {
  const { engine } = context;
  const type = engine.derefType(owner);
  const inherited = (from: readonly EngineType[]): readonly EngineType[] => [
    ...new Set(from.flatMap((part) => fieldTypes(context, part, name))),
  ];
  if (type instanceof engine.IntersectionType) return inherited(type.getTypes());
  if (type instanceof engine.ObjectType) {
    const isOwn = type.getProperties().some((property) => property.getName() === name.getValue());
    const fromBases = isOwn ? [] : inherited(type.getBaseTypes());
    if (fromBases.length > 0) return fromBases;
  }
  const found = engine.getTypeByKey(type, name);
  return found === undefined ? [] : [found];
}

/** The meaning of the names of types inside of a node: `bound`, and that of the names around it. */
export function boundContext(
  { engine }: ParserContext,
  node: ts.Node,
  around: EngineContext,
  bound: ReadonlyMap<string, EngineType>,
): EngineContext {
  const inner = new engine.Context(node);
  const push = (name: string, type: EngineType): void => {
    inner.pushParameter(name);
    inner.pushArgument(type);
  };
  for (const [name, type] of bound) push(name, type);
  for (const name of around.getParameters()) if (!bound.has(name)) push(name, around.getArgument(name));
  return inner;
}

/** The name of the type parameter that a type expression is; undefined if it is something else. */
export function typeParameterName({ source }: ParserContext, node: ts.TypeNode): string | undefined {
  const { ts, checker } = source;
  if (!ts.isTypeReferenceNode(node)) return undefined;
  const symbol = checker.getSymbolAtLocation(node.typeName);
  return symbol !== undefined && symbol.flags & ts.SymbolFlags.TypeParameter ? symbol.name : undefined;
}

/**
 * The type of a field that several types have, all of which hold: parts of an intersection, declarations of an interface. The engine would
 * take the docs of one of them.
 */
export function sharedType(context: ParserContext, name: string, types: readonly EngineType[]): EngineType {
  const { engine } = context;
  const [first] = types;
  if (first === undefined) throw new TypeError('a field needs a type');
  if (types.length === 1) return first;
  const id = `shared-${name}-${types.map((type) => type.getId()).join('&')}`;
  const shared = context.opaque(id, { kind: 'shared', name, types }, first);
  return types.every((type) => isOptional(context, type))
    ? new engine.UnionType([shared, new engine.UndefinedType()])
    : shared;
}

function isOptional({ engine }: ParserContext, type: EngineType): boolean {
  const inner = engine.derefType(type);
  return (
    inner instanceof engine.UndefinedType ||
    (inner instanceof engine.UnionType &&
      inner.getTypes().some((member) => engine.derefType(member) instanceof engine.UndefinedType))
  );
}
