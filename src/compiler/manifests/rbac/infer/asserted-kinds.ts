import type ts from 'typescript';
import { callSites } from './call-sites.ts';
import { isTokenType, kindsOfToken, fieldValues } from './kinds-of-type.ts';
import { homeOf, symbolAt, type InferContext } from './infer-context.ts';

/**
 * Returns the place where the type of a kind is asserted and not derived: a type assertion, a value of type `any`, or an assignment that
 * the compiler rejects. Undefined if no such place exists.
 */
export function assertedKind(
  context: InferContext,
  expression: ts.Expression,
  visited = new Set<ts.Node>(),
): ts.Node | undefined {
  const { ts, checker } = context.source;
  if (visited.has(expression)) return undefined;
  visited.add(expression);
  const next = (part: ts.Expression | undefined): ts.Node | undefined =>
    part === undefined ? undefined : assertedKind(context, part, visited);
  if (ts.isAsExpression(expression) || ts.isTypeAssertionExpression(expression)) {
    if (ts.isConstTypeReference(expression.type)) return next(expression.expression);
    const from = checker.getTypeAtLocation(expression.expression);
    const to = checker.getTypeFromTypeNode(expression.type);
    // An assertion such as `Pod as Resource` is safe, but its type no longer names the kind.
    const isForgotten = isTokenType(context, to) && kindsOfToken(context, to).isOpen;
    return isSafe(context, from, to) && !isForgotten ? next(expression.expression) : expression;
  }
  if (
    ts.isParenthesizedExpression(expression) ||
    ts.isNonNullExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isAwaitExpression(expression)
  )
    return next(expression.expression);
  if (ts.isConditionalExpression(expression)) return next(expression.whenTrue) ?? next(expression.whenFalse);
  if (ts.isBinaryExpression(expression)) return next(expression.left) ?? next(expression.right);
  if (ts.isArrayLiteralExpression(expression))
    return first(
      expression.elements.map((element) => next(ts.isSpreadElement(element) ? element.expression : element)),
    );
  if (ts.isObjectLiteralExpression(expression))
    return first(
      expression.properties.map((member) =>
        ts.isPropertyAssignment(member) ? next(member.initializer) : undefined,
      ),
    );
  if (ts.isElementAccessExpression(expression)) return next(expression.expression);
  if (ts.isCallExpression(expression)) return returnedKind(context, expression, visited);
  // Values in constructor arguments, as in `new Map([['a', Pod]])`.
  if (ts.isNewExpression(expression)) return first((expression.arguments ?? []).map(next));
  if (!ts.isIdentifier(expression) && !ts.isPropertyAccessExpression(expression)) return undefined;
  const symbol = symbolAt(context, ts.isIdentifier(expression) ? expression : expression.name);
  const declaration = symbol?.declarations?.[0];
  if (symbol === undefined || declaration === undefined || homeOf(context, declaration) !== 'project')
    return undefined;
  if (ts.isPropertyAccessExpression(expression))
    return first(
      fieldValues(context, symbol).map((value) =>
        'parameter' in value ? ofParameter(context, value.parameter, visited) : next(value.expression),
      ),
    );
  return ofDeclaration(context, declaration, visited);
}

/** Finds the asserted kind of a variable, a parameter or a destructured name. */
function ofDeclaration(
  context: InferContext,
  declaration: ts.Declaration,
  visited: Set<ts.Node>,
): ts.Node | undefined {
  const { ts } = context.source;
  if (ts.isVariableDeclaration(declaration)) return ofVariable(context, declaration, visited);
  if (ts.isParameter(declaration)) return ofParameter(context, declaration, visited);
  if (!ts.isBindingElement(declaration)) return undefined;
  const { initializer, parent } = declaration;
  return (
    (initializer && assertedKind(context, initializer, visited)) ??
    ofDeclaration(context, parent.parent, visited)
  );
}

function ofVariable(
  context: InferContext,
  declaration: ts.VariableDeclaration,
  visited: Set<ts.Node>,
): ts.Node | undefined {
  const { ts, checker } = context.source;
  const { initializer, name, parent } = declaration;
  if (ts.isForOfStatement(parent.parent)) return assertedKind(context, parent.parent.expression, visited);
  const declared = checker.getTypeAtLocation(name);
  const isAnnotated = declaration.type !== undefined;
  if (initializer !== undefined) {
    if (isAnnotated && !isSafe(context, checker.getTypeAtLocation(initializer), declared)) return initializer;
    const inner = assertedKind(context, initializer, visited);
    if (inner !== undefined) return inner;
  }
  const isConst = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
  return isConst || !ts.isIdentifier(name) ? undefined : assignedKind(context, declaration, name, visited);
}

/** Finds the asserted kind in the arguments that calls of the function pass to a parameter. */
function ofParameter(
  context: InferContext,
  declaration: ts.ParameterDeclaration,
  visited: Set<ts.Node>,
): ts.Node | undefined {
  const index = declaration.parent.parameters.indexOf(declaration);
  const { sites } = callSites(context, declaration.parent);
  const given = sites.flatMap((site) => site.arguments?.[index] ?? []);
  return first(
    [...given, declaration.initializer].map((each) => each && assertedKind(context, each, visited)),
  );
}

/** Finds the asserted kind in the values that are assigned to a `let` variable. */
function assignedKind(
  context: InferContext,
  declaration: ts.VariableDeclaration,
  name: ts.Identifier,
  visited: Set<ts.Node>,
): ts.Node | undefined {
  const { ts, checker } = context.source;
  const { initializer, type } = declaration;
  // A variable without type and initial value gets its type from the values that are assigned to it.
  const typed = type ?? initializer;
  for (const node of context.index.names.get(name.text) ?? []) {
    const assignment = node.parent;
    if (!ts.isBinaryExpression(assignment) || assignment.left !== node) continue;
    if (assignment.operatorToken.kind !== ts.SyntaxKind.EqualsToken) continue;
    if (symbolAt(context, node)?.valueDeclaration !== declaration) continue;
    const declared = typed === undefined ? undefined : checker.getTypeAtLocation(name);
    if (declared !== undefined && !isSafe(context, checker.getTypeAtLocation(assignment.right), declared))
      return assignment.right;
    const inner = assertedKind(context, assignment.right, visited);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function returnedKind(
  context: InferContext,
  call: ts.CallExpression,
  visited: Set<ts.Node>,
): ts.Node | undefined {
  const { ts, checker } = context.source;
  const declaration = checker.getResolvedSignature(call)?.declaration;
  if (declaration === undefined || ts.isJSDocSignature(declaration)) return undefined;
  // For `kinds.get(name)`, look at the values of which the map was made; for `Promise.resolve(kind)`, look at the argument.
  if (homeOf(context, declaration) === 'language')
    return first(
      [
        ...(ts.isPropertyAccessExpression(call.expression) ? [call.expression.expression] : []),
        ...call.arguments,
      ].map((part) => assertedKind(context, part, visited)),
    );
  if (
    homeOf(context, declaration) !== 'project' ||
    !('body' in declaration) ||
    declaration.body === undefined
  )
    return undefined;
  const declared = declaration.type === undefined ? undefined : checker.getTypeFromTypeNode(declaration.type);
  const found: (ts.Node | undefined)[] = [];
  const judge = (result: ts.Expression): void => {
    const isClaimed =
      declared !== undefined &&
      isTokenType(context, declared) &&
      !isSafe(context, checker.getTypeAtLocation(result), declared);
    found.push(isClaimed ? result : assertedKind(context, result, visited));
  };
  const { body } = declaration;
  if (!ts.isBlock(body)) judge(body);
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression !== undefined) judge(node.expression);
    ts.forEachChild(node, visit);
  };
  if (ts.isBlock(body)) ts.forEachChild(body, visit);
  return first(found);
}

/**
 * True if a value has the target type without an assertion. A value of type `any` is assignable to everything, but its real type is
 * unknown.
 */
function isSafe({ source: { ts, checker } }: InferContext, from: ts.Type, to: ts.Type): boolean {
  return (from.flags & ts.TypeFlags.Any) === 0 && checker.isTypeAssignableTo(from, to);
}

function first(found: readonly (ts.Node | undefined)[]): ts.Node | undefined {
  return found.find((node) => node !== undefined);
}
