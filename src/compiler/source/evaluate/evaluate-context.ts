import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type ts from 'typescript';
import type { SourcePlace } from './evaluated-value.ts';
import type { SourceProgram } from '../program/load.ts';
import { projectPath } from '../program/compiler.ts';

/** The parts of a loaded program that are needed to evaluate constants. */
export type EvaluateContext = Pick<SourceProgram, 'ts' | 'program' | 'checker' | 'projectDir' | 'readFile'>;

/**
 * Functions of this package that evaluation supports: functions whose calls declare something (a resource, for example), and functions that
 * create parts of declarations.
 */
const declarationFunctions = [
  'defineResource',
  'defineController',
  'defineWebhook',
  'defineConversion',
  'rbac',
  'loadManifest',
  'externalResource',
  'metadataOnly',
  'ifServed',
  'watch',
  'owned',
  'every',
  'from',
] as const;
export type DeclarationFunction = (typeof declarationFunctions)[number];

/** Returns the place of a node's first token. A comment before the node does not count. */
export function placeOf(context: EvaluateContext, node: ts.Node): SourcePlace {
  const source = node.getSourceFile();
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return { file: projectPath(context.projectDir, source.fileName), line: line + 1, column: character + 1 };
}

/** Returns the symbol to which an alias refers, through any number of imports and re-exports. Returns any other symbol unchanged. */
export function unaliased(context: EvaluateContext, symbol: ts.Symbol): ts.Symbol {
  return (symbol.flags & context.ts.SymbolFlags.Alias) === 0
    ? symbol
    : context.checker.getAliasedSymbol(symbol);
}

/**
 * Returns the symbol to which a name or dotted name refers: `x`, `namespaceImport.x`, `Enumeration.Member`. Does not make the checker
 * compute types. Returns undefined for any other expression, and for a name that cannot be resolved.
 */
export function symbolOfName(context: EvaluateContext, expression: ts.Expression): ts.Symbol | undefined {
  const { ts, checker } = context;
  if (ts.isIdentifier(expression)) {
    // In `{ name }`, the identifier refers to both the property and a variable. The symbol of the variable is needed.
    const symbol = ts.isShorthandPropertyAssignment(expression.parent)
      ? checker.getShorthandAssignmentValueSymbol(expression.parent)
      : checker.getSymbolAtLocation(expression);
    return symbol === undefined ? undefined : unaliased(context, symbol);
  }
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const owner = symbolOfName(context, expression.expression);
  if (owner === undefined) return undefined;
  if ((owner.flags & ts.SymbolFlags.Enum) !== 0)
    return owner.exports?.get(ts.escapeLeadingUnderscores(expression.name.text));
  if ((owner.flags & ts.SymbolFlags.Module) === 0) return undefined;
  const member = checker.tryGetMemberInModuleExports(expression.name.text, owner);
  return member === undefined ? undefined : unaliased(context, member);
}

/**
 * Returns the declaration function of this package to which a symbol refers, directly or through imports, re-exports and `const alias =
 * defineResource`. The name alone does not suffice: the declaration of the function must be in this package.
 */
export function declarationFunctionOf(
  context: EvaluateContext,
  symbol: ts.Symbol | undefined,
  seen: ReadonlySet<ts.Symbol> = new Set(),
): DeclarationFunction | undefined {
  if (symbol === undefined || seen.has(symbol)) return undefined;
  for (const declaration of symbol.declarations ?? []) {
    if (context.ts.isFunctionDeclaration(declaration)) {
      const name = declarationFunctions.find((candidate) => candidate === declaration.name?.text);
      if (name !== undefined && isOwnSource(declaration.getSourceFile().fileName)) return name;
    }
    if (isConstVariable(context, declaration) && declaration.initializer !== undefined) {
      const next = symbolOfName(context, declaration.initializer);
      return declarationFunctionOf(context, next, new Set([...seen, symbol]));
    }
  }
  return undefined;
}

/** Returns true for the variable in `const name = …`, but not for `let`, `var` or a destructuring. */
export function isConstVariable(
  context: EvaluateContext,
  node: ts.Node,
): node is ts.VariableDeclaration & { name: ts.Identifier } {
  const { ts } = context;
  return (
    ts.isVariableDeclaration(node) &&
    ts.isIdentifier(node.name) &&
    ts.isVariableDeclarationList(node.parent) &&
    (node.parent.flags & ts.NodeFlags.Const) !== 0
  );
}

const ownFolders = new Map<string, boolean>();

/** Returns true for a source or declaration file of this package, regardless of the folder in which the package is installed. */
export function isOwnSource(fileName: string): boolean {
  const folder = path.dirname(fileName);
  const known = ownFolders.get(folder);
  if (known !== undefined) return known;
  const root = packageRoot(folder);
  const inside = root === undefined ? '' : path.relative(root, folder).split(path.sep)[0];
  const own = root !== undefined && packageName(root) === 'opsdk' && (inside === 'src' || inside === 'dist');
  ownFolders.set(folder, own);
  return own;
}

function packageRoot(folder: string): string | undefined {
  if (existsSync(path.join(folder, 'package.json'))) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : packageRoot(parent);
}

function packageName(root: string): unknown {
  const text = readFileSync(path.join(root, 'package.json'), 'utf8');
  // Uses a pattern instead of JSON.parse, because a broken package.json of the user must not cause an error at this point.
  return /^\s*"name"\s*:\s*"([^"]+)"/m.exec(text)?.[1] ?? /\{\s*"name"\s*:\s*"([^"]+)"/.exec(text)?.[1];
}
