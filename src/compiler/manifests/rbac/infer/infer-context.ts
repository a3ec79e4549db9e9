import type ts from 'typescript';
import type { Finding } from '../../../../base/errors/index.ts';
import {
  isProjectFile,
  ownPath,
  placeOf,
  withoutTypeSyntax,
  type SourcePlace,
  type SourceProgram,
} from '../../../source/index.ts';
import type { NeededRule } from '../needed-rule.ts';
import type { KindTable } from './kind-table.ts';
import type { SourceIndex } from './source-index.ts';

/** Context that the parts of inference share. */
export interface InferContext {
  readonly source: SourceProgram;
  readonly index: SourceIndex;
  readonly kinds: KindTable;
  readonly rules: NeededRule[];
  readonly findings: Finding[];
}

/** Where a node starts. */
export function at({ source }: Pick<InferContext, 'source'>, node: ts.Node): SourcePlace {
  return placeOf(source, node);
}

/** Owner of the code of a declaration. */
export type Home = 'project' | 'own' | 'language' | 'library';

/** Finds the owner of a node's code: the project's, this package's, TypeScript's library, or somebody else's. */
export function homeOf({ source }: Pick<InferContext, 'source'>, node: ts.Node): Home {
  const file = node.getSourceFile();
  if (ownPath(file.fileName) !== undefined) return 'own';
  if (source.program.isSourceFileDefaultLibrary(file)) return 'language';
  return isProjectFile(source.program, file) && !file.isDeclarationFile ? 'project' : 'library';
}

/** The source text of a node in one short line. */
export function shownText(node: ts.Node): string {
  const text = node.getText().replaceAll(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** The symbol that a name means, seen through imports. */
export function symbolAt({ source }: Pick<InferContext, 'source'>, node: ts.Node): ts.Symbol | undefined {
  const { ts, checker } = source;
  const symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : ts.isExportSpecifier(node.parent)
      ? checker.getExportSpecifierLocalTargetSymbol(node.parent)
      : checker.getSymbolAtLocation(node);
  if (symbol === undefined || (symbol.flags & ts.SymbolFlags.Alias) === 0) return symbol;
  return checker.getAliasedSymbol(symbol);
}

/** The expression within parentheses, assertions, `await` and `!`. */
export function bare({ source }: Pick<InferContext, 'source'>, expression: ts.Expression): ts.Expression {
  const node = withoutTypeSyntax(source, expression);
  return source.ts.isAwaitExpression(node) ? bare({ source }, node.expression) : node;
}

/** The outermost node that is the same value: with parentheses, `!` and assertions around it. */
export function wrapped(
  { source: { ts } }: Pick<InferContext, 'source'>,
  expression: ts.Expression,
): ts.Expression {
  let node = expression;
  while (
    ts.isParenthesizedExpression(node.parent) ||
    ts.isNonNullExpression(node.parent) ||
    ts.isSatisfiesExpression(node.parent)
  )
    node = node.parent;
  return node;
}
