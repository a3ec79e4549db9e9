import type ts from 'typescript';
import { callable } from './functions.ts';
import type { EngineContext, EngineParser, EngineType, ParserContext } from './types.ts';

/** `typeof value`, and types that are imported where they are used: `import('./types.ts').T`. */
export function typeQueryParsers(context: ParserContext): EngineParser[] {
  const { ts } = context.source;
  return [
    {
      supportsNode: (node) => ts.isTypeQueryNode(node) || (ts.isImportTypeNode(node) && node.isTypeOf),
      createType: (node, engineContext) => {
        const query = node as ts.TypeQueryNode | ts.ImportTypeNode;
        const name = ts.isTypeQueryNode(query) ? query.exprName : query.qualifier;
        const symbol = name && symbolOf(context, name);
        return symbol === undefined || query.typeArguments !== undefined
          ? context.checked.read(context.source.checker.getTypeFromTypeNode(query), query)
          : valueType(context, symbol, query, engineContext);
      },
    },
    {
      supportsNode: (node) => ts.isImportTypeNode(node) && node.qualifier !== undefined,
      createType: (node, engineContext) => importedType(context, node as ts.ImportTypeNode, engineContext),
    },
  ];
}

function symbolOf({ source: { ts, checker } }: ParserContext, name: ts.Node): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  return symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias
    ? checker.getAliasedSymbol(symbol)
    : symbol;
}

function valueType(
  context: ParserContext,
  symbol: ts.Symbol,
  place: ts.TypeQueryNode | ts.ImportTypeNode,
  engineContext: EngineContext,
): EngineType {
  const { engine, source, chain, checked } = context;
  const { ts, checker } = source;
  const declaration = symbol.valueDeclaration;
  const type = checker.getTypeOfSymbol(symbol);
  const signature = type.getCallSignatures().at(-1);
  if (signature !== undefined) {
    // A type that is written for the function knows the names of its types.
    const written = declaration !== undefined && ts.isVariableDeclaration(declaration) && declaration.type;
    if (written) return chain.createType(written, new engine.Context());
    return callable(context, place, signature.getDeclaration(), new engine.Context());
  }
  if (declaration !== undefined && ts.isEnumDeclaration(declaration) && ts.isTypeQueryNode(place))
    return new engine.TypeofNodeParser(checker, chain).createType(place, engineContext);
  if (declaration !== undefined && ts.isClassDeclaration(declaration))
    return chain.createType(declaration, new engine.Context());
  return checked.ofSymbol(symbol, place);
}

function importedType(
  context: ParserContext,
  node: ts.ImportTypeNode,
  engineContext: EngineContext,
): EngineType {
  const { engine, source, chain } = context;
  const { ts } = source;
  const symbol = node.qualifier && symbolOf(context, node.qualifier);
  const declaration = symbol?.declarations?.find(
    (item) => !ts.isModuleDeclaration(item) && !ts.isVariableDeclaration(item),
  );
  if (declaration === undefined) throw new TypeError(`no declaration of ${node.getText()}`);
  const inner = new engine.Context(node);
  for (const argument of node.typeArguments ?? [])
    inner.pushArgument(chain.createType(argument, engineContext));
  return chain.createType(declaration, inner);
}
