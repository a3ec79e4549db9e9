import type ts from 'typescript';
import type { Finding } from '../../../../base/errors/index.ts';
import {
  isProjectFile,
  ownPath,
  placeOf,
  withoutTypeSyntax,
  type SourcePlace,
  type SourceProgram,
  builtInToken,
  evaluate,
  type TokenInfo,
} from '../../../source/index.ts';
import type { NeededRule } from '../needed-rule.ts';

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
type Home = 'project' | 'own' | 'language' | 'library';

/** Finds the owner of a node's code: the project, this package, TypeScript's library, or another library. */
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

/** Returns the symbol that a name refers to, with imports resolved. */
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

/** Returns the outermost node with the same value, including parentheses, `!` and assertions around it. */
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

/** The uses of a function of this package in a project. */
interface OwnFunctionUses {
  readonly calls: readonly ts.CallExpression[];
  /** Uses as a value. */
  readonly values: readonly ts.Identifier[];
}

/** Finds the uses of a function that `opsdk` exports, also under another name. */
export function usesOfOwnFunction(context: InferContext, functionName: string): OwnFunctionUses {
  const { ts } = context.source;
  const calls: ts.CallExpression[] = [];
  const values: ts.Identifier[] = [];
  const names = [functionName];
  const seen = new Set(names);
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    for (const node of context.index.names.get(name) ?? []) {
      const { parent } = node;
      if (!ts.isIdentifier(node)) continue;
      if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) {
        if (!seen.has(parent.name.text)) names.push(parent.name.text);
        seen.add(parent.name.text);
        continue;
      }
      const declaration = symbolAt(context, node)?.valueDeclaration;
      if (declaration === undefined || homeOf(context, declaration) !== 'own') continue;
      if (!ts.isFunctionDeclaration(declaration) || declaration.name?.text !== functionName) continue;
      const value = wrapped(
        context,
        ts.isPropertyAccessExpression(parent) && parent.name === node ? parent : node,
      );
      const call = value.parent;
      if (ts.isCallExpression(call) && call.expression === value) calls.push(call);
      else values.push(node);
    }
  }
  return { calls, values };
}

/** The kinds that a project's code can refer to, by the literals of their types. */
interface KindTable {
  /** Returns all tokens of a kind: two `externalResource` may give one kind different plurals. Empty if there is none. */
  find(apiVersion: string, kind: string): readonly TokenInfo[];
}

/** Looks for kinds in the project's own declarations first, then among the built-in ones. */
export function kindTable(source: SourceProgram, index: SourceIndex): KindTable {
  let declared: Map<string, TokenInfo[]> | undefined;
  return {
    find(apiVersion, kind) {
      declared ??= declaredTokens(source, index);
      const known = declared.get(`${apiVersion} ${kind}`);
      if (known !== undefined) return known;
      const builtIn = builtInToken(source, apiVersion, kind);
      return builtIn === undefined ? [] : [builtIn];
    },
  };
}

function declaredTokens(source: SourceProgram, index: SourceIndex): Map<string, TokenInfo[]> {
  const { ts } = source;
  const found = new Map<string, TokenInfo[]>();
  const add = (token: TokenInfo): void => {
    const key = `${token.group === '' ? '' : `${token.group}/`}${token.version} ${token.kind}`;
    const known = found.get(key) ?? [];
    if (!known.some(({ plural }) => plural === token.plural)) found.set(key, [...known, token]);
  };
  // Under another name too: `import { externalResource as external }`.
  const queue = ['defineResource', 'externalResource'];
  const seen = new Set(queue);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    for (const node of index.names.get(name) ?? []) {
      const { parent } = node;
      if (ts.isImportSpecifier(parent) && parent.name.text !== name && !seen.has(parent.name.text)) {
        seen.add(parent.name.text);
        queue.push(parent.name.text);
      }
      const callee = ts.isPropertyAccessExpression(parent) && parent.name === node ? parent : node;
      const call = callee.parent;
      if (!ts.isCallExpression(call) || call.expression !== callee) continue;
      const value = evaluate(source, call);
      if (value.type === 'token') add(value.token);
    }
  }
  return found;
}

/** Nodes of a project's syntax that inference needs, collected in one walk, so that only few types are requested. */
export interface SourceIndex {
  readonly files: readonly ts.SourceFile[];
  /** Names in values and imports, by their text; `#name` for private ones. */
  readonly names: ReadonlyMap<string, readonly (ts.Identifier | ts.PrivateIdentifier)[]>;
  /** `x[…]`, except with numbers. */
  readonly elementAccesses: readonly ts.ElementAccessExpression[];
  /** `this`. */
  readonly selves: readonly ts.ThisExpression[];
  /** Parameters of functions with bodies that have the type `any` or `unknown`, or none. */
  readonly looseParameters: readonly ts.ParameterDeclaration[];
  /** `x as any` and similar assertions. */
  readonly looseAssertions: readonly ts.AssertionExpression[];
}

/** Walks the files of the project. */
export function indexSources({ ts, program }: SourceProgram): SourceIndex {
  const files = program
    .getSourceFiles()
    .filter((file) => !file.isDeclarationFile && isProjectFile(program, file));
  const names = new Map<string, (ts.Identifier | ts.PrivateIdentifier)[]>();
  const elementAccesses: ts.ElementAccessExpression[] = [];
  const selves: ts.ThisExpression[] = [];
  const looseParameters: ts.ParameterDeclaration[] = [];
  const looseAssertions: ts.AssertionExpression[] = [];
  const { AnyKeyword, UnknownKeyword, NeverKeyword, ThisKeyword } = ts.SyntaxKind;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const known = names.get(node.text);
      if (known === undefined) names.set(node.text, [node]);
      else known.push(node);
      return;
    }
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (node.kind === ThisKeyword) selves.push(node as ts.ThisExpression);
    else if (ts.isElementAccessExpression(node)) {
      if (!ts.isNumericLiteral(node.argumentExpression)) elementAccesses.push(node);
    } else if (ts.isParameter(node)) {
      const { type } = node;
      if (type === undefined || type.kind === AnyKeyword || type.kind === UnknownKeyword)
        looseParameters.push(node);
    } else if (ts.isAssertionExpression(node)) {
      if ([AnyKeyword, UnknownKeyword, NeverKeyword].includes(node.type.kind)) looseAssertions.push(node);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of files) visit(file);
  return { files, names, elementAccesses, selves, looseParameters, looseAssertions };
}
