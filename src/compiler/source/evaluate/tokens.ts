import type ts from 'typescript';
import { defaultPlural } from '../../../base/util/kubernetes-words.ts';
import { placeOf, type EvaluateContext } from './evaluate-context.ts';
import type { EvaluatedOpaque, TokenInfo, EvaluatedProperty } from './evaluated-value.ts';

const plainFix = 'write the value here as a literal, or refer to a `const … = … as const` of the project';

/** Returns the inner expression, without the parentheses, `satisfies`, `as` and `!` around it, which have no effect at run time. */
export function withoutTypeSyntax(
  { ts }: Pick<EvaluateContext, 'ts'>,
  expression: ts.Expression,
): ts.Expression {
  let node = expression;
  while (
    ts.isParenthesizedExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isTypeAssertionExpression(node) ||
    ts.isNonNullExpression(node)
  ) {
    node = node.expression;
  }
  return node;
}

/** Creates an opaque value for an expression that is not a constant. It contains the finding to report if the value is needed. */
export function opaque(
  context: EvaluateContext,
  node: ts.Node,
  message: string,
  fix: string = plainFix,
): EvaluatedOpaque {
  const place = placeOf(context, node);
  return {
    type: 'opaque',
    place,
    finding: { code: 'manifests/not-constant', message, where: place, fix: [fix] },
  };
}

/** Returns true if an expression is written with `as const`, also inside of `satisfies` or parentheses. */
export function isAsConst(context: EvaluateContext, expression: ts.Expression): boolean {
  const { ts } = context;
  if (ts.isAsExpression(expression) || ts.isTypeAssertionExpression(expression)) {
    return ts.isConstTypeReference(expression.type) || isAsConst(context, expression.expression);
  }
  if (ts.isParenthesizedExpression(expression) || ts.isSatisfiesExpression(expression))
    return isAsConst(context, expression.expression);
  return false;
}

/**
 * Returns the token that a package exports. The declaration file does not contain the value of the token. It is read from the JavaScript
 * file that belongs to the declaration file, if this file calls `defineResource` or `externalResource` of opsdk with literals. No code is
 * run.
 *
 * @param declaration the `.d.ts`, `.d.mts` or `.d.cts` file that declares the token
 * @param name name of the constant in that file
 */
export function packageToken(
  context: EvaluateContext,
  declaration: string,
  name: string,
): TokenInfo | undefined {
  const { ts, readFile } = context;
  const script = declaration.replace(/\.d\.([mc]?)ts$/, '.$1js');
  const text = script === declaration ? undefined : readFile(script);
  if (text === undefined) return undefined;
  const source = ts.createSourceFile(script, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const functions = importedFunctions(ts, source);
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const variable of statement.declarationList.declarations) {
      if (!ts.isIdentifier(variable.name) || variable.name.text !== name) continue;
      return variable.initializer && tokenOfCall(ts, variable.initializer, functions);
    }
  }
  return undefined;
}

type Declares = 'defineResource' | 'externalResource';

/** Returns the opsdk functions that create tokens, by the local names under which a file imports them. */
function importedFunctions(typescript: typeof ts, source: ts.SourceFile): ReadonlyMap<string, Declares> {
  const found = new Map<string, Declares>();
  for (const statement of source.statements) {
    if (!typescript.isImportDeclaration(statement)) continue;
    const { moduleSpecifier, importClause } = statement;
    const bindings = importClause?.namedBindings;
    if (!typescript.isStringLiteral(moduleSpecifier) || moduleSpecifier.text !== 'opsdk') continue;
    if (bindings === undefined || !typescript.isNamedImports(bindings)) continue;
    for (const { name, propertyName } of bindings.elements) {
      const imported = (propertyName ?? name).text;
      if (imported === 'defineResource' || imported === 'externalResource') found.set(name.text, imported);
    }
  }
  return found;
}

function tokenOfCall(
  typescript: typeof ts,
  call: ts.Expression,
  functions: ReadonlyMap<string, Declares>,
): TokenInfo | undefined {
  if (!typescript.isCallExpression(call) || !typescript.isIdentifier(call.expression)) return undefined;
  const callee = functions.get(call.expression.text);
  const [literal] = call.arguments;
  if (callee === undefined || literal === undefined) return undefined;
  // Rejects an object literal with a spread, because the spread may set any property of the object.
  if (!typescript.isObjectLiteralExpression(literal)) return undefined;
  if (literal.properties.some((property) => typescript.isSpreadAssignment(property))) return undefined;
  const text = (name: string): string | undefined | null => {
    const property = literal.properties.find((each) => each.name?.getText() === name);
    if (property === undefined) return undefined;
    if (!typescript.isPropertyAssignment(property)) return null;
    return typescript.isStringLiteralLike(property.initializer) ? property.initializer.text : null;
  };
  const [group, version, kind, plural, scope] = ['group', 'version', 'kind', 'plural', 'scope'].map(text);
  if (group == null || version == null || kind == null || plural === null || scope === null) return undefined;
  if (callee === 'externalResource' && (plural === undefined || scope === undefined)) return undefined;
  return { group, version, kind, plural: plural ?? defaultPlural(kind), namespaced: scope !== 'Cluster' };
}

/**
 * Returns true if the value of a property is certainly a function: a method, a function expression, or an expression whose type is always a
 * function. The body of the function is not evaluated. Returns false for accessors, and for values that may be undefined or have the type
 * `any`.
 */
export function isFunctionProperty(context: EvaluateContext, { node }: EvaluatedProperty): boolean {
  const { ts, checker } = context;
  if (node === undefined) return false;
  if (ts.isMethodDeclaration(node)) return true;
  if (ts.isPropertyAssignment(node)) {
    const value = withoutTypeSyntax(context, node.initializer);
    if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return true;
    return isCallable(context, checker.getTypeAtLocation(node.initializer));
  }
  if (!ts.isShorthandPropertyAssignment(node)) return false;
  const symbol = checker.getShorthandAssignmentValueSymbol(node);
  return symbol !== undefined && isCallable(context, checker.getTypeOfSymbolAtLocation(symbol, node));
}

function isCallable({ ts, checker }: EvaluateContext, type: ts.Type): boolean {
  const types = type.isUnion() ? type.types : [type];
  return types.every((part) => checker.getSignaturesOfType(part, ts.SignatureKind.Call).length > 0);
}
