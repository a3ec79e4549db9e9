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

/** Data that all parts of the inference of permissions share. */
export interface InferContext {
  readonly source: SourceProgram;
  readonly index: SourceIndex;
  readonly kinds: KindTable;
  readonly rules: NeededRule[];
  readonly findings: Finding[];
}

/** Returns the place in the sources where a node starts. */
export function at({ source }: Pick<InferContext, 'source'>, node: ts.Node): SourcePlace {
  return placeOf(source, node);
}

/** Owner of the code that contains a declaration. */
type Home = 'project' | 'own' | 'language' | 'library';

/**
 * Returns the owner of a node's code: the project, this package (`own`), TypeScript's standard library (`language`), or another library.
 */
export function homeOf({ source }: Pick<InferContext, 'source'>, node: ts.Node): Home {
  const file = node.getSourceFile();
  if (ownPath(file.fileName) !== undefined) return 'own';
  if (source.program.isSourceFileDefaultLibrary(file)) return 'language';
  return isProjectFile(source.program, file) && !file.isDeclarationFile ? 'project' : 'library';
}

/** Returns the source text of a node in one line, cut to 60 characters at most. */
export function shownText(node: ts.Node): string {
  const text = node.getText().replaceAll(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Returns the symbol to which a name refers. Resolves imports to the imported symbol. */
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

/** Returns the expression inside of parentheses, type assertions, `await` and `!`. */
export function bare({ source }: Pick<InferContext, 'source'>, expression: ts.Expression): ts.Expression {
  const node = withoutTypeSyntax(source, expression);
  return source.ts.isAwaitExpression(node) ? bare({ source }, node.expression) : node;
}

/** Returns the outermost node around an expression that has the same value: includes parentheses, `!` and type assertions. */
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

/** The uses of one of this package's functions in a project. */
interface OwnFunctionUses {
  readonly calls: readonly ts.CallExpression[];
  /** Uses of the function as a value, without a call. */
  readonly values: readonly ts.Identifier[];
}

/** Finds the uses of a function that `opsdk` exports, also under other names. */
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

/** The kinds to which a project's code can refer. Looked up by the literal types of `apiVersion` and `kind`. */
interface KindTable {
  /**
   * Returns all resources of a kind. Several are possible, because two `externalResource` calls may give one kind different plurals. Empty
   * if the kind is not found.
   */
  find(apiVersion: string, kind: string): readonly TokenInfo[];
}

/** Creates a table that searches the project's own declarations first, then the built-in kinds. */
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
  // The functions may be imported under another name, as in `import { externalResource as external }`.
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

/**
 * Syntax nodes of a project that the inference of permissions needs. Collected in one walk, so that TypeScript computes only the types of
 * these nodes.
 */
export interface SourceIndex {
  readonly files: readonly ts.SourceFile[];
  /** Names in values and imports, by their text. The text of a private name includes the `#`. */
  readonly names: ReadonlyMap<string, readonly (ts.Identifier | ts.PrivateIdentifier)[]>;
  /** Accesses `x[…]`, except those with a number in the brackets. */
  readonly elementAccesses: readonly ts.ElementAccessExpression[];
  /** All uses of `this`. */
  readonly selves: readonly ts.ThisExpression[];
  /** Parameters without a type or with the type `any` or `unknown`, in functions that have a body. */
  readonly looseParameters: readonly ts.ParameterDeclaration[];
  /** Assertions that remove the type, such as `x as any`. */
  readonly looseAssertions: readonly ts.AssertionExpression[];
}

/** Walks the files of the project and collects the nodes. */
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

/** Returns the body of a function; undefined for one that is only declared. */
export function bodyOf(declaration: ts.SignatureDeclaration): ts.ConciseBody | undefined {
  return (declaration as Partial<Pick<ts.FunctionExpression | ts.ArrowFunction, 'body'>>).body;
}

/** Returns the expressions that a function with this body returns. */
export function returnedValues(
  { source: { ts } }: InferContext,
  body: ts.ConciseBody,
): readonly ts.Expression[] {
  if (!ts.isBlock(body)) return [body];
  const values: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression !== undefined) values.push(node.expression);
    ts.forEachChild(node, visit);
  };
  visit(body);
  return values;
}
