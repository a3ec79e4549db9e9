import type * as engine from 'ts-json-schema-generator';
import type ts from 'typescript';
import type { SchemaEngine, SourceProgram } from '../../source/index.ts';
import type { DocReader } from '../comments/doc-comments.ts';
import type { Adjustment, Form, ListKind, Problem } from '../shape.ts';

export type EngineType = engine.BaseType;
export type EngineContext = engine.Context;
export type EngineParser = engine.SubNodeParser;

/** Form of an opaque type. The engine (ts-json-schema-generator) does not see the parts inside of such a type. */
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

/** Types that can be extracted from a type that cannot be expressed in a schema, such as a function or a Promise. */
export interface Inside {
  /** Signature of a function, and the context that binds types to the names in the signature. */
  readonly signature?: { readonly declaration: ts.SignatureDeclaration; readonly where: EngineContext };
  /** Type of the value to which a Promise resolves. */
  readonly promised?: EngineType;
  /** Returns the type that the engine sees in place of this type. Default: a type that allows any value. */
  readonly seen?: () => EngineType;
}

/** Reads types that the TypeScript checker infers for expressions without a written type. */
export interface CheckedTypes {
  /** @param place node at which a problem is reported if the type cannot be read */
  read(type: ts.Type, place: ts.Node): EngineType;
  /** Returns the type of a constant or of a field of a constant, such as `typeof defaults.size`. */
  ofSymbol(symbol: ts.Symbol, place: ts.Node): EngineType;
}

/** Context that our parsers share: the engine's chain of parsers, the docs, and functions for types that are known without the engine. */
export interface ParserContext {
  readonly source: SourceProgram;
  readonly engine: SchemaEngine;
  readonly chain: engine.MutableParser & engine.NodeParser;
  readonly docs: DocReader;
  /** True if the schema keeps the descriptions of built-in Kubernetes types. */
  readonly embeddedDescriptions: boolean;
  /** Counters for the parts that the engine has created for the current kind. */
  readonly counts: { mappedFields: number };
  /**
   * Creates an engine type that represents one of our own forms. `inner` is the type that the engine sees inside of it; if `inner` is a
   * function, it is called only when the engine needs this type.
   */
  opaque(id: string, form: OpaqueForm, inner?: EngineType | (() => EngineType)): EngineType;
  /**
   * Creates an opaque type for a type that cannot be expressed in a schema. If `node` is undefined, the problem is reported at the field
   * that uses the type.
   */
  refused(
    node: ts.Node | undefined,
    problem: Omit<Problem, 'at'>,
    escapable?: boolean,
    inside?: Inside,
  ): EngineType;
  /** Reads types that the TypeScript checker infers for expressions without a written type. */
  readonly checked: CheckedTypes;
  /** Returns the form of a type that `opaque` created; undefined for all other types. */
  formOf(type: EngineType): OpaqueForm | undefined;
  /** Wraps the type in an annotation with the doc comment of a declaration. */
  annotated(node: ts.Node, type: EngineType): EngineType;
}

/** Name of the engine's annotation that holds the id of a doc. */
export const docAnnotation = 'doc';

/**
 * Returns the types of a field. A field has several types if it comes from several parts of an intersection or from several bases of an
 * interface. A value must then satisfy all of these types. The engine alone would use only the first base, and only the first of several
 * types that differ by their docs alone.
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

/**
 * Returns a context for resolving names inside of a node. It contains the names in `bound`, and the names from `around` that `bound` does
 * not contain.
 */
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

/** Returns the name of the type parameter to which a type expression refers; undefined for any other type expression. */
export function typeParameterName({ source }: ParserContext, node: ts.TypeNode): string | undefined {
  const { ts, checker } = source;
  if (!ts.isTypeReferenceNode(node)) return undefined;
  const symbol = checker.getSymbolAtLocation(node.typeName);
  return symbol !== undefined && symbol.flags & ts.SymbolFlags.TypeParameter ? symbol.name : undefined;
}

/**
 * Returns one type for a field that several types have, such as the parts of an intersection or the declarations of an interface. A value
 * must satisfy all of the field's types. The engine alone would keep the docs of only one of them.
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
