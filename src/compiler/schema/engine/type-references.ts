import type ts from 'typescript';
import type { EngineParser, ParserContext, EngineContext, EngineType } from './types.ts';
import { globalTypeFixes, notJson, unresolved, unsupported, type Refusal } from './refusals.ts';
import { callable } from './functions.ts';

const unresolvedImport = (name: string, specifier: string): Refusal => ({
  code: 'schema/unresolved-type',
  message: `cannot find the type \`${name}\`: the import of '${specifier}' has no such type or does not resolve`,
  fix: [
    'correct the import, install the package it names, or check `paths` and `moduleResolution` in tsconfig.json',
  ],
});

const arrays = new Set(['Array', 'ReadonlyArray']);
const promises = new Set(['Promise', 'PromiseLike']);

/**
 * Parses references to types that the engine would silently misread: names that do not resolve (read as `any`), and interfaces of the
 * standard library (read with their methods and sizes).
 */
export function typeReferenceParser(context: ParserContext): EngineParser {
  const { ts } = context.source;
  return {
    supportsNode: (node) => isReference(ts, node) && refusalOf(context, node) !== undefined,
    createType: (node, engineContext) => {
      const reference = node as Reference;
      const refusal = refusalOf(context, reference);
      if (refusal === undefined) throw new TypeError('the parser was given a node that it does not support');
      const isPromise = promises.has(nameOf(ts, reference).getText());
      const [argument] = reference.typeArguments ?? [];
      const inside =
        isPromise && argument !== undefined
          ? { promised: context.chain.createType(argument, engineContext) }
          : {};
      return context.refused(node, refusal, refusal.code !== 'schema/unresolved-type', inside);
    },
  };
}

type Reference = ts.TypeReferenceNode | ts.ExpressionWithTypeArguments | ts.TypeQueryNode | ts.ImportTypeNode;

function isReference(typescript: typeof ts, node: ts.Node): node is Reference {
  return (
    typescript.isTypeReferenceNode(node) ||
    typescript.isExpressionWithTypeArguments(node) ||
    typescript.isTypeQueryNode(node) ||
    typescript.isImportTypeNode(node)
  );
}

function nameOf(typescript: typeof ts, node: Reference): ts.Node {
  if (typescript.isTypeReferenceNode(node)) return node.typeName;
  if (typescript.isImportTypeNode(node)) return node.qualifier ?? importedModule(typescript, node);
  return typescript.isTypeQueryNode(node) ? node.exprName : node.expression;
}

function importedModule(typescript: typeof ts, { argument }: ts.ImportTypeNode): ts.Node {
  return typescript.isLiteralTypeNode(argument) ? argument.literal : argument;
}

function refusalOf({ source }: ParserContext, node: Reference): Refusal | undefined {
  const { ts, checker, program } = source;
  const nameNode = nameOf(ts, node);
  const named = checker.getSymbolAtLocation(nameNode);
  const symbol =
    named !== undefined && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
  const name = nameNode.getText();
  const declarations = symbol?.declarations ?? [];
  if (symbol === undefined || declarations.length === 0) {
    const specifier = ts.isImportTypeNode(node)
      ? importedModule(ts, node).getText().slice(1, -1)
      : named && importSpecifier(ts, named);
    if (specifier !== undefined) return unresolvedImport(name, specifier);
    const fix = globalTypeFixes[name];
    return fix === undefined ? unresolved(name) : notJson(name, fix);
  }
  if (
    declarations.some((item) =>
      item.getSourceFile().fileName.includes('/node_modules/@kubernetes/client-node/'),
    )
  ) {
    return clientNode(name);
  }
  const isGlobal = declarations.every(
    (item) =>
      program.isSourceFileDefaultLibrary(item.getSourceFile()) ||
      item.getSourceFile().fileName.includes('/node_modules/@types/node/'),
  );
  if (!isGlobal && isMergedClass(ts, declarations)) return mergedClass(name);
  const isAlias = declarations.some(
    (item) => ts.isTypeAliasDeclaration(item) || ts.isTypeParameterDeclaration(item),
  );
  const isArray = arrays.has(symbol.name) && !ts.isExpressionWithTypeArguments(node);
  if (!isGlobal || isAlias || isArray) return undefined;
  if (ts.isExpressionWithTypeArguments(node)) return libraryBase(name);
  return notJson(name, globalTypeFixes[symbol.name] ?? 'use a type that has a JSON form');
}

function importSpecifier(typescript: typeof ts, symbol: ts.Symbol): string | undefined {
  let node: ts.Node | undefined = symbol.declarations?.[0];
  while (node !== undefined && !typescript.isImportDeclaration(node)) node = node.parent;
  return node !== undefined && typescript.isStringLiteral(node.moduleSpecifier)
    ? node.moduleSpecifier.text
    : undefined;
}

function clientNode(name: string): Refusal {
  const short = name.replace(/^.*\./, '').replace(/^V\d+(?:(?:alpha|beta)\d+)?/, '');
  return {
    code: 'schema/client-node-type',
    message: `\`${name}\` is a model class of @kubernetes/client-node: its field names and types are not those of the API`,
    fix: [`import { ${short} } from 'opsdk/k8s/<group>/<version>', for example 'opsdk/k8s/core/v1'`],
  };
}

function libraryBase(name: string): Refusal {
  return unsupported(
    `an API type cannot extend \`${name}\` of the standard library`,
    'declare the fields that you need',
  );
}

/**
 * Returns true if the declarations of a name include both a class and an interface, because the interface then adds fields to the class.
 */
function isMergedClass(typescript: typeof ts, declarations: readonly ts.Declaration[]): boolean {
  return (
    declarations.some((item) => typescript.isClassDeclaration(item)) &&
    declarations.some((item) => typescript.isInterfaceDeclaration(item))
  );
}

function mergedClass(name: string): Refusal {
  return unsupported(
    `\`${name}\` is a class and an interface at once`,
    'declare an interface with all fields',
  );
}

/** Creates parsers for `typeof value`, and for types that are imported at the place of use: `import('./types.ts').T`. */
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
    // The written type of the variable needs no context, since the type itself resolves the names in it.
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
