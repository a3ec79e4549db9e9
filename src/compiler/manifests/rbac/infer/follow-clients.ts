import type ts from 'typescript';
import { bears, isClientMethod, type Bearing, isRoot, mayBear } from './bears-client.ts';
import { traceClient } from './client-origins.ts';
import { homeOf, symbolAt, shownText, wrapped, type InferContext } from './infer-context.ts';
import { keepsClient } from './keeps-client.ts';
import { isJudged, originsThrough } from './resolve-needs.ts';

/** A place that passes a client to code in which the client cannot be followed. */
interface Escape {
  readonly node: ts.Node;
  readonly bearing: Exclude<Bearing, undefined>;
  readonly reason: string;
}

/**
 * Finds the places where clients escape. Follows each value that contains a client from each use of its name outwards, until the value is
 * consumed.
 */
export function findEscapes(context: InferContext): readonly Escape[] {
  const escapes: Escape[] = [];
  const walk: Walk = { context, escapes, visited: new Set(), followed: new Set() };
  const known = new Map<ts.Symbol, boolean>();
  for (const nodes of context.index.names.values()) {
    for (const node of nodes) {
      if (!isRoot(context, node)) continue;
      const symbol = symbolAt(context, node);
      if (symbol === undefined) continue;
      const isBearing = known.get(symbol) ?? mayBear(context, symbol, node);
      known.set(symbol, isBearing);
      if (isBearing) follow(walk, node);
    }
  }
  for (const self of context.index.selves) follow(walk, self);
  return [...escapes, ...argumentEscapes(context)];
}

interface Walk {
  readonly context: InferContext;
  readonly escapes: Escape[];
  readonly visited: Set<ts.Node>;
  /** Parameters of generic functions that received a client and are already followed. */
  readonly followed: Set<ts.Node>;
}

/** Follows an expression that may contain a client through the expressions around it, until one of them consumes the value. */
function follow(walk: Walk, node: ts.Expression, forced?: Exclude<Bearing, undefined>): void {
  const { context, visited } = walk;
  if (visited.has(node) && forced === undefined) return;
  visited.add(node);
  const { ts, checker } = context.source;
  const { parent } = node;
  const type = checker.getTypeAtLocation(node);
  const bearing = forced ?? bears(context, type);
  const isCallee = (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node;
  // A class or module itself is not a client. Only its instances or members give access to clients.
  if (
    bearing === undefined &&
    !(isCallee || (ts.isPropertyAccessExpression(parent) && parent.expression === node))
  )
    return;
  const up = (): void => follow(walk, parent as ts.Expression, forced);
  const to = (target: ts.TypeNode | undefined): void => {
    if (target !== undefined)
      arrive(walk, node, bearing, checker.getTypeFromTypeNode(target), target.getText());
  };
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) {
    if (parent.expression !== node) return;
    const member = ts.isPropertyAccessExpression(parent)
      ? checker.getSymbolAtLocation(parent.name)
      : undefined;
    if (member !== undefined && isClientMethod(context, member)) return;
    if (ts.isCallExpression(parent.parent) && parent.parent.expression === parent)
      checkCallbacks(walk, parent.parent, bearing);
    follow(walk, parent);
  } else if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
    if (isCallee) follow(walk, parent);
    else if (bearing !== undefined) enterCall(walk, parent, node, bearing);
  } else if (ts.isTaggedTemplateExpression(parent.parent?.parent ?? parent) && ts.isTemplateSpan(parent)) {
    escape(walk, node, bearing, 'to a template function');
  } else if (ts.isAsExpression(parent) || ts.isTypeAssertionExpression(parent)) {
    if (!ts.isConstTypeReference(parent.type)) to(parent.type);
    follow(walk, parent);
  } else if (
    ts.isParenthesizedExpression(parent) ||
    ts.isNonNullExpression(parent) ||
    ts.isSatisfiesExpression(parent) ||
    ts.isAwaitExpression(parent)
  )
    up();
  else if (ts.isConditionalExpression(parent)) {
    if (parent.condition !== node) up();
  } else if (ts.isBinaryExpression(parent)) followBinary(walk, node, parent, bearing);
  else if (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isPropertyDeclaration(parent))
    to(parent.type);
  else if (ts.isBindingElement(parent))
    arrive(walk, node, bearing, checker.getTypeAtLocation(parent.name), shownText(parent.name));
  else if (ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent)) {
    enterLiteral(walk, node, parent, bearing);
  } else if (ts.isSpreadAssignment(parent)) follow(walk, parent.parent);
  else if (ts.isSpreadElement(parent)) {
    if (ts.isArrayLiteralExpression(parent.parent)) follow(walk, parent.parent);
    else if (ts.isCallExpression(parent.parent) || ts.isNewExpression(parent.parent))
      enterCall(walk, parent.parent, parent, bearing);
  } else if (ts.isArrayLiteralExpression(parent)) up();
  else if (
    ts.isReturnStatement(parent) ||
    ts.isYieldExpression(parent) ||
    (ts.isArrowFunction(parent) && parent.body === node)
  )
    leaveFunction(walk, node, bearing);
  else if (ts.isThrowStatement(parent))
    escape(walk, node, bearing, 'as an error, whose type is unknown where it is caught');
}

function followBinary(walk: Walk, node: ts.Expression, parent: ts.BinaryExpression, bearing: Bearing): void {
  const { ts, checker } = walk.context.source;
  const { EqualsToken, QuestionQuestionEqualsToken, BarBarEqualsToken } = ts.SyntaxKind;
  const { AmpersandAmpersandToken, BarBarToken, QuestionQuestionToken, CommaToken } = ts.SyntaxKind;
  const { kind } = parent.operatorToken;
  if ([EqualsToken, QuestionQuestionEqualsToken, BarBarEqualsToken].includes(kind)) {
    if (parent.right !== node) return;
    arrive(walk, node, bearing, checker.getTypeAtLocation(parent.left), shownText(parent.left));
    return;
  }
  if (
    kind === AmpersandAmpersandToken || kind === CommaToken
      ? parent.right === node
      : [BarBarToken, QuestionQuestionToken].includes(kind)
  )
    follow(walk, parent);
}

/** Checks a property of an object literal against its expected type, then follows the object itself. */
function enterLiteral(
  walk: Walk,
  node: ts.Expression,
  property: ts.PropertyAssignment | ts.ShorthandPropertyAssignment,
  bearing: Bearing,
): void {
  const { checker } = walk.context.source;
  const literal = property.parent;
  const expected = checker.getContextualType(literal);
  const target = expected && memberType(walk.context, checker.getNonNullableType(expected), property);
  if (target === undefined || arrive(walk, node, bearing, target, property.name.getText()))
    follow(walk, literal);
}

/** Returns the type of a property. Looks up its name first, then the index signature of a type such as `Record<string, unknown>`. */
function memberType(
  { source: { ts, checker } }: InferContext,
  owner: ts.Type,
  property: ts.PropertyAssignment | ts.ShorthandPropertyAssignment,
): ts.Type | undefined {
  const member = checker.getPropertyOfType(owner, property.name.getText());
  if (member !== undefined) return checker.getTypeOfSymbol(member);
  return checker.getIndexTypeOfType(owner, ts.IndexKind.String);
}

function leaveFunction(walk: Walk, node: ts.Expression, bearing: Bearing): void {
  const { context } = walk;
  const { ts, checker } = context.source;
  let owner: ts.Node = node;
  while (!ts.isFunctionLike(owner)) owner = owner.parent;
  if (owner.type !== undefined) {
    const declared = checker.getTypeFromTypeNode(owner.type);
    const isAsync =
      ts.canHaveModifiers(owner) &&
      (ts.getModifiers(owner) ?? []).some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
    const [inner] = 'target' in declared ? checker.getTypeArguments(declared as ts.TypeReference) : [];
    const isGenerator = 'asteriskToken' in owner && owner.asteriskToken !== undefined;
    arrive(
      walk,
      node,
      bearing,
      (isAsync || isGenerator) && inner !== undefined ? inner : declared,
      owner.type.getText(),
    );
    return;
  }
  const value = wrapped(context, owner as ts.Expression);
  const { parent } = value;
  if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return;
  if (parent.expression === value) {
    follow(walk, parent);
    return;
  }
  const home = calleeHome(context, parent);
  if (home === 'library')
    escape(
      walk,
      node,
      bearing,
      `by \`${shownText(parent.expression)}\`, which is code outside of the project`,
    );
  else if (checker.getContextualType(owner as ts.ArrowFunction) === undefined)
    escape(walk, node, bearing, `to \`${shownText(parent.expression)}\`, whose type is unknown`);
}

/** Returns the owner of the called code. If the type of the callee is unknown, its code counts as a library's. */
function calleeHome(
  context: InferContext,
  call: ts.CallExpression | ts.NewExpression,
): ReturnType<typeof homeOf> {
  const declaration = context.source.checker.getResolvedSignature(call)?.declaration;
  return declaration === undefined ? 'library' : homeOf(context, declaration);
}

function enterCall(
  walk: Walk,
  call: ts.CallExpression | ts.NewExpression,
  argument: ts.Expression,
  bearing: Bearing,
): void {
  const { context } = walk;
  const { ts, checker } = context.source;
  const declaration = checker.getResolvedSignature(call)?.declaration;
  if (declaration === undefined || ts.isJSDocSignature(declaration)) {
    escape(walk, argument, bearing, `to \`${shownText(call.expression)}\`, whose type is unknown`);
    return;
  }
  const home = homeOf(context, declaration);
  if (home === 'own') {
    follow(walk, call);
    return;
  }
  if (home === 'library') {
    escape(
      walk,
      argument,
      bearing,
      `to \`${shownText(call.expression)}\`, which is code outside of the project`,
    );
    return;
  }
  const inner = ts.isSpreadElement(argument) ? argument.expression : argument;
  const expected = checker.getContextualType(inner);
  if (expected !== undefined && !arrive(walk, inner, bearing, expected, shownText(call.expression))) return;
  if (home === 'project') enterParameters(walk, call, argument, declaration, bearing);
  follow(walk, call);
}

/**
 * Follows an argument into the parameters that receive it: the parameter of the called overload, and the parameter of the function
 * implementation.
 */
function enterParameters(
  walk: Walk,
  call: ts.CallExpression | ts.NewExpression,
  argument: ts.Expression,
  declaration: ts.SignatureDeclaration,
  bearing: Bearing,
): void {
  const { context } = walk;
  const { ts, checker } = context.source;
  const index = [...(call.arguments ?? [])].indexOf(argument);
  const symbol = declaration.name === undefined ? undefined : checker.getSymbolAtLocation(declaration.name);
  const all = new Set<ts.Node>([declaration, ...(symbol?.declarations ?? [])]);
  for (const each of all) {
    if (!ts.isFunctionLike(each)) continue;
    const parameter = each.parameters[index] ?? each.parameters.at(-1);
    if (
      parameter === undefined ||
      (each.parameters[index] === undefined && parameter.dotDotDotToken === undefined)
    )
      continue;
    const type = checker.getTypeAtLocation(parameter.name);
    const isGeneric = (type.flags & ts.TypeFlags.TypeParameter) !== 0;
    const constraint = isGeneric ? checker.getBaseConstraintOfType(type) : undefined;
    // The constraint of the parameter's type may allow the function to call methods of the argument.
    if (constraint !== undefined && !saysNothing(context, constraint))
      arrive(walk, argument, bearing, constraint, shownText(call.expression));
    if (isGeneric) followParameter(walk, parameter, bearing);
    else if (parameter.dotDotDotToken === undefined && parameter.type !== undefined)
      arrive(walk, argument, bearing, type, shownText(call.expression));
    else if (type.flags & ts.TypeFlags.Any)
      escape(walk, argument, bearing, `to \`${shownText(call.expression)}\`, which takes any type`);
  }
}

/** Follows the uses of a generic function's parameter. The parameter contains a client, although its type does not show it. */
function followParameter({ ...walk }: Walk, parameter: ts.ParameterDeclaration, bearing: Bearing): void {
  const { context, followed } = walk;
  const { ts } = context.source;
  if (followed.has(parameter) || bearing === undefined || !ts.isIdentifier(parameter.name)) return;
  followed.add(parameter);
  for (const node of context.index.names.get(parameter.name.text) ?? []) {
    if (node === parameter.name || !ts.isIdentifier(node)) continue;
    if (symbolAt(context, node)?.valueDeclaration === parameter) follow(walk, node, bearing);
  }
}

/** Checks callbacks that receive clients from an array, a map or a promise, such as `clients.forEach(log)`. */
function checkCallbacks(walk: Walk, call: ts.CallExpression, bearing: Bearing): void {
  const { context } = walk;
  const { ts, checker } = context.source;
  for (const argument of call.arguments) {
    const expected = checker.getContextualType(argument);
    const [given] = checker.getSignaturesOfType(checker.getTypeAtLocation(argument), ts.SignatureKind.Call);
    const [wanted] =
      expected === undefined
        ? []
        : checker.getSignaturesOfType(checker.getNonNullableType(expected), ts.SignatureKind.Call);
    if (given === undefined || wanted === undefined) continue;
    wanted.parameters.forEach((parameter, i) => {
      const taken = given.parameters[i];
      if (taken === undefined) return;
      const value = checker.getTypeOfSymbol(parameter);
      if (bears(context, value) === undefined) return;
      const isForeign = given.declaration !== undefined && homeOf(context, given.declaration) === 'library';
      if (isForeign || !keepsClient(context, value, checker.getTypeOfSymbol(taken)))
        escape(
          walk,
          argument,
          bearing ?? 'client',
          `to \`${shownText(argument)}\`, which does not take it as a client`,
        );
    });
  }
}

/**
 * Handles a value that is assigned to another type. Returns false if the clients in the value can no longer be followed under this type.
 */
function arrive(walk: Walk, node: ts.Expression, bearing: Bearing, target: ts.Type, name: string): boolean {
  const { context } = walk;
  const { ts, checker } = context.source;
  if (bearing === undefined) return true;
  const value = checker.getTypeAtLocation(node);
  // True for a parameter of a generic function that contains a client although its type does not show it.
  const isHidden = bears(context, value) === undefined;
  const isLoose =
    (target.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive)) !== 0;
  if (isHidden ? !isLoose : keepsClient(context, value, target)) return true;
  escape(walk, node, bearing, `to \`${name}\` as ${describe(context, target)}`);
  return false;
}

function describe({ source: { ts, checker } }: InferContext, type: ts.Type): string {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return `\`${checker.typeToString(type)}\``;
  return `\`${checker.typeToString(type)}\`, whose methods are not those of the client`;
}

function escape(walk: Walk, node: ts.Expression, bearing: Bearing, reason: string): void {
  if (bearing === undefined) return;
  // Skip clients that are not checked from any origin: those of other clusters, and those whose permissions are written by hand.
  if (bearing === 'client' && !originsThrough(walk.context, traceClient(walk.context, node)).some(isJudged))
    return;
  walk.escapes.push({ node, bearing, reason });
}

/** Finds uses of `arguments` in functions that receive a client, because the items of `arguments` have the type `any`. */
function argumentEscapes(context: InferContext): readonly Escape[] {
  const { ts, checker } = context.source;
  return (context.index.names.get('arguments') ?? []).flatMap((node): readonly Escape[] => {
    if (!ts.isIdentifier(node) || !isRoot(context, node)) return [];
    let owner: ts.Node = node;
    while (!ts.isSourceFile(owner) && (!ts.isFunctionLike(owner) || ts.isArrowFunction(owner)))
      owner = owner.parent;
    if (!ts.isFunctionLike(owner)) return [];
    const isGiven = owner.parameters.some(
      (parameter) => bears(context, checker.getTypeAtLocation(parameter)) === 'client',
    );
    return isGiven
      ? [{ node, bearing: 'client', reason: 'to `arguments`, whose items are of any type' }]
      : [];
  });
}

/** True if a type states nothing about its values, as `unknown` does. */
function saysNothing({ source: { ts, checker } }: InferContext, type: ts.Type): boolean {
  const isEmpty = (type.flags & ts.TypeFlags.Object) !== 0 && checker.getPropertiesOfType(type).length === 0;
  return (
    (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive)) !== 0 || isEmpty
  );
}
