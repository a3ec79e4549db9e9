import type ts from 'typescript';
import type { Finding } from '../../../base/errors/index.ts';
import {
  declarationFunctionOf,
  placeOf,
  symbolOfName,
  unaliased,
  type DeclarationFunction,
  type EvaluateContext,
} from './evaluate-context.ts';
import { evaluate } from './evaluate.ts';
import type { Evaluated, SourcePlace } from './evaluated-value.ts';

/** A call of a declaration function of this package, with evaluated arguments. */
export interface DeclarationCall {
  readonly callee: DeclarationFunction;
  readonly place: SourcePlace;
  readonly arguments: readonly Evaluated[];
  /** Syntax node of the call, for facts that evaluation does not provide, such as type arguments and the range in the file. */
  readonly node: ts.CallExpression;
}

interface Declarations {
  /** Calls of declaration functions, sorted by file name and by position in the file. */
  readonly calls: readonly DeclarationCall[];
  /** Errors about uses of declaration functions other than calls, because op-sdk cannot read declarations from such uses. */
  readonly findings: readonly Finding[];
}

/**
 * Finds every call of `defineResource`, `defineController`, `defineWebhook`, `defineConversion`, `rbac` and `loadManifest` in the given
 * files. Functions are identified by symbol, so imports under another name, namespace imports, re-exports and `const alias =
 * defineResource` are included. Any other use of these functions, such as passing one as a value, becomes a finding, because it may declare
 * something that op-sdk cannot read.
 */
export function findDeclarations(context: EvaluateContext, files: readonly ts.SourceFile[]): Declarations {
  const sorted = [...files].sort((a, b) => (a.fileName < b.fileName ? -1 : a.fileName > b.fileName ? 1 : 0));
  const uses = sorted.flatMap((file) => usesIn(context, file));
  return {
    calls: uses.flatMap((use) => (use.call === undefined ? [] : [use.call])),
    findings: uses.flatMap((use) => (use.finding === undefined ? [] : [use.finding])),
  };
}

interface Use {
  readonly call?: DeclarationCall;
  readonly finding?: Finding;
}

function usesIn(context: EvaluateContext, file: ts.SourceFile): readonly Use[] {
  const { ts } = context;
  const names = importedNames(context, file);
  const uses: Use[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const finding = importCallFinding(context, node);
      if (finding !== undefined) uses.push({ finding });
    }
    if (ts.isIdentifier(node) && names.has(node.text) && isValueUse(context, node)) {
      const use = useOf(context, node, names);
      if (use !== undefined) uses.push(use);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return uses;
}

/**
 * Returns the local names of imports that refer to a declaration function, or to a module that may export one. The caller adds further
 * names when it finds aliases.
 */
function importedNames(context: EvaluateContext, file: ts.SourceFile): Set<string> {
  const { ts, checker } = context;
  const names = new Set<string>();
  for (const statement of file.statements) {
    const clause = ts.isImportDeclaration(statement) ? statement.importClause : undefined;
    if (clause === undefined || clause.isTypeOnly) continue;
    const bindings = clause.namedBindings;
    const identifiers = [
      clause.name,
      ...(bindings === undefined
        ? []
        : ts.isNamespaceImport(bindings)
          ? [bindings.name]
          : bindings.elements.map((element) => element.name)),
    ];
    for (const identifier of identifiers) {
      const symbol = identifier && checker.getSymbolAtLocation(identifier);
      if (symbol === undefined) continue;
      const target = unaliased(context, symbol);
      const isModule = (target.flags & ts.SymbolFlags.Module) !== 0;
      if (isModule || declarationFunctionOf(context, target) !== undefined) names.add(identifier?.text ?? '');
    }
  }
  return names;
}

/**
 * Returns true if an identifier is used as a value. Returns false if it is only a name: the name of a property or of a declaration, a name
 * in an import or export, or a name inside of a type.
 */
function isValueUse(context: EvaluateContext, node: ts.Identifier): boolean {
  const { ts } = context;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (
    ts.isImportClause(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isNamespaceImport(parent) ||
    ts.isExportSpecifier(parent)
  )
    return false;
  if (ts.isTypeQueryNode(parent) || ts.isTypeReferenceNode(parent) || ts.isQualifiedName(parent))
    return false;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isVariableDeclaration(parent)) return parent.initializer === node;
  return !(
    ts.isPropertySignature(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isParameter(parent)
  );
}

function useOf(context: EvaluateContext, identifier: ts.Identifier, names: Set<string>): Use | undefined {
  const { ts } = context;
  let node: ts.Expression = identifier;
  while (
    ts.isPropertyAccessExpression(node.parent) &&
    node.parent.expression === node &&
    symbolOfName(context, node.parent) !== undefined
  ) {
    node = node.parent;
  }
  const symbol = symbolOfName(context, node);
  const callee = declarationFunctionOf(context, symbol);
  if (callee === undefined) {
    const finding = symbol === undefined ? undefined : moduleFinding(context, node, symbol);
    return finding === undefined ? undefined : { finding };
  }
  while (ts.isParenthesizedExpression(node.parent)) node = node.parent;
  const { parent } = node;
  if (ts.isCallExpression(parent) && parent.expression === node) {
    if (isPart(callee)) return undefined;
    const values = parent.arguments.map((argument) => evaluate(context, argument));
    return { call: { callee, place: placeOf(context, parent), arguments: values, node: parent } };
  }
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) {
    // Accepts an alias only if it is a `const`, because calls through other variables cannot be resolved.
    if ((ts.getCombinedNodeFlags(parent) & ts.NodeFlags.Const) !== 0) {
      names.add(parent.name.text);
      return undefined;
    }
  }
  if (ts.isExportAssignment(parent) || isPart(callee)) return undefined;
  return { finding: indirect(context, node, callee) };
}

/**
 * Returns a finding if a dynamic import, such as `import('opsdk')`, may provide a declaration function, directly or through a module that
 * re-exports it.
 */
function importCallFinding(context: EvaluateContext, call: ts.CallExpression): Finding | undefined {
  const { ts, checker } = context;
  const [specifier] = call.arguments;
  const symbol = specifier && checker.getSymbolAtLocation(specifier);
  if (symbol === undefined) return undefined;
  let node: ts.Expression = call;
  while (ts.isAwaitExpression(node.parent) || ts.isParenthesizedExpression(node.parent)) node = node.parent;
  return moduleFinding(context, node, symbol);
}

/**
 * Returns a finding if a module is used as a value in a way that may provide a declaration function of this package: `const { loadManifest
 * } = sdk`, `sdk['rbac']`, `use(sdk)`. Access to other exports by their names is allowed.
 */
function moduleFinding(
  context: EvaluateContext,
  node: ts.Expression,
  symbol: ts.Symbol,
): Finding | undefined {
  const { ts, checker } = context;
  if ((symbol.flags & ts.SymbolFlags.Module) === 0) return undefined;
  const taken = takenNames(context, node);
  const functions = checker.getExportsOfModule(symbol).flatMap((member) => {
    if (taken !== undefined && !taken.includes(member.name)) return [];
    const target = member.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(member) : member;
    const name = declarationFunctionOf(context, target);
    return name === undefined || isPart(name) ? [] : [name];
  });
  const [first] = functions;
  return first === undefined ? undefined : indirect(context, node, first);
}

/** Returns the names of the exports that an expression takes from a module; undefined if it may take any export. */
function takenNames({ ts }: EvaluateContext, node: ts.Expression): readonly string[] | undefined {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) return [parent.name.text];
  // An `import('../x.ts')` whose result is not used takes no exports.
  if (ts.isExpressionStatement(parent)) return [];
  if (!ts.isVariableDeclaration(parent) || !ts.isObjectBindingPattern(parent.name)) return undefined;
  const names = parent.name.elements.map(({ propertyName, name, dotDotDotToken }) => {
    const taken = propertyName ?? name;
    return dotDotDotToken === undefined && ts.isIdentifier(taken) ? taken.text : undefined;
  });
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** Returns the finding for a declaration function that is used as a value instead of being called. */
function indirect(context: EvaluateContext, node: ts.Node, callee: DeclarationFunction): Finding {
  return {
    code: 'manifests/indirect-declaration',
    message: `\`${callee}\` is used as a value, not called: what it declares here cannot be read from the source`,
    where: placeOf(context, node),
    fix: [`import \`${callee}\` by its name at the top of the file, and call it directly`],
  };
}

const parts: ReadonlySet<string> = new Set([
  ...['externalResource', 'metadataOnly', 'ifServed', 'watch', 'owned', 'every', 'from'],
]);

/** Returns true for a function that only creates a part of a declaration. A call of such a function alone declares nothing. */
function isPart(callee: DeclarationFunction): boolean {
  return parts.has(callee);
}
