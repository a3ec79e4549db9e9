import type * as engine from 'ts-json-schema-generator';
import type ts from 'typescript';
import type { SchemaEngine, SourceProgram } from '../../source/index.ts';
import type { DocReader } from '../comments/doc-comments.ts';
import type { Adjustment, Form, ListKind, Problem } from '../shape.ts';

export type EngineType = engine.BaseType;
export type EngineContext = engine.Context;
export type EngineParser = engine.SubNodeParser;

/** A form that is opaque to the engine. */
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
  /** Signature of a function, with the types bound to the names in it. */
  readonly signature?: { readonly declaration: ts.SignatureDeclaration; readonly where: EngineContext };
  /** Type of the value of a Promise. */
  readonly promised?: EngineType;
  /** Type that the engine sees when it looks inside. Default: any value. */
  readonly seen?: () => EngineType;
}

/** Types that the checker infers for expressions without a written type. */
export interface CheckedTypes {
  /** @param place at which types that cannot be read are reported */
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
  /** Parts that the engine has made for the current kind. */
  readonly counts: { mappedFields: number };
  /**
   * Creates an engine type that represents a form of ours. `inner` is the type that the engine sees inside; a function is called on demand.
   */
  opaque(id: string, form: OpaqueForm, inner?: EngineType | (() => EngineType)): EngineType;
  /** Creates an opaque type for a type that cannot be expressed; without a node, it is reported at the field that uses it. */
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
 * Returns the types that a field has in a type: several if it comes from several parts of an intersection or several bases of an interface,
 * all of which apply. The engine uses only the first base, and only the first of types that differ by their docs alone.
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

/** Returns the context for the names of types inside of a node: `bound`, and the names bound around it. */
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

/** Returns the name of a type parameter, if a type expression is one; else undefined. */
export function typeParameterName({ source }: ParserContext, node: ts.TypeNode): string | undefined {
  const { ts, checker } = source;
  if (!ts.isTypeReferenceNode(node)) return undefined;
  const symbol = checker.getSymbolAtLocation(node.typeName);
  return symbol !== undefined && symbol.flags & ts.SymbolFlags.TypeParameter ? symbol.name : undefined;
}

/**
 * Returns the type of a field that several types have, all of which apply: parts of an intersection, declarations of an interface. The
 * engine would keep the docs of only one.
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
