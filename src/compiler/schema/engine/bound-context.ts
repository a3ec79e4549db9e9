import type ts from 'typescript';
import type { EngineContext, EngineType, ParserContext } from './types.ts';

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
