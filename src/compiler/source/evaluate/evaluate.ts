import type ts from 'typescript';
import {
  declarationFunctionOf,
  isConstVariable,
  isOwnSource,
  placeOf,
  symbolOfName,
  type EvaluateContext,
  unaliased,
} from './evaluate-context.ts';
import { isAsConst, opaque, withoutTypeSyntax, packageToken } from './tokens.ts';
import { evaluateToken, tokenOfDeclarationFile } from './evaluate-token.ts';
import type { Evaluated, SourcePlace, EvaluatedOpaque, EvaluatedProperty } from './evaluated-value.ts';

/** Symbols whose initializers are currently being evaluated. If one of these symbols is reached again, its initializer refers to itself. */
type Visiting = ReadonlySet<ts.Symbol>;

/**
 * Evaluates an expression from its source, without running user code.
 *
 * Supports literals, arrays, objects, template literals, unary minus, `undefined`, spread, property and index access, `satisfies`, `as`,
 * parentheses, `const` variables in files of the project (objects and arrays must be `as const`), members of enumerations, and resource
 * tokens with their properties. Any other expression becomes an opaque value. This value contains the finding to report if the value is
 * needed.
 */
export function evaluate(
  context: EvaluateContext,
  expression: ts.Expression,
  visiting: Visiting = new Set(),
): Evaluated {
  const { ts } = context;
  const place = placeOf(context, expression);
  const node = withoutTypeSyntax(context, expression);
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return { type: 'scalar', value: node.text, place };
  if (ts.isNumericLiteral(node)) return { type: 'scalar', value: Number(node.text), place };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { type: 'scalar', value: true, place };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { type: 'scalar', value: false, place };
  if (node.kind === ts.SyntaxKind.NullKeyword) return { type: 'scalar', value: null, place };
  const inner: InnerEvaluation = {
    expression: (part) => evaluate(context, part, visiting),
    symbol: (use, symbol) => evaluateSymbol(context, use, symbol, visiting),
  };
  if (ts.isPrefixUnaryExpression(node)) return evaluateMinus(context, node, inner);
  if (ts.isTemplateExpression(node)) return evaluateTemplate(context, node, inner);
  if (ts.isArrayLiteralExpression(node)) return evaluateArray(context, node, inner);
  if (ts.isObjectLiteralExpression(node)) return evaluateObject(context, node, inner);
  if (ts.isIdentifier(node)) return evaluateName(context, node, visiting);
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return evaluateAccess(context, node, visiting);
  if (ts.isCallExpression(node)) return evaluateCall(context, node, visiting);
  return opaque(context, node, `${describeSyntax(context, node)} is not a constant`);
}

function evaluateName(context: EvaluateContext, node: ts.Identifier, visiting: Visiting): Evaluated {
  const symbol = symbolOfName(context, node);
  // Syntactically, `undefined` is an ordinary identifier. It is the built-in value if its symbol has no declaration.
  if (node.text === 'undefined' && (symbol?.declarations ?? []).length === 0) {
    return { type: 'scalar', value: undefined, place: placeOf(context, node) };
  }
  return evaluateSymbol(context, node, symbol, visiting);
}

/** Returns the value of an exported constant. `use` is the node that refers to the constant. */
export function evaluateExport(context: EvaluateContext, use: ts.Node, symbol: ts.Symbol): Evaluated {
  return evaluateSymbol(context, use, symbol, new Set());
}

function evaluateSymbol(
  context: EvaluateContext,
  use: ts.Node,
  symbol: ts.Symbol | undefined,
  visiting: Visiting,
): Evaluated {
  const { ts } = context;
  const declaration = symbol?.valueDeclaration ?? symbol?.declarations?.[0];
  if (symbol === undefined || declaration === undefined) {
    return opaque(
      context,
      use,
      `${describeSyntax(context, use)} cannot be resolved`,
      'check the name and its import',
    );
  }
  if (visiting.has(symbol))
    return opaque(context, use, `${describeSyntax(context, use)} is defined by itself`);
  const next = new Set([...visiting, symbol]);
  if (ts.isExportAssignment(declaration))
    return at(context, use, evaluateInitializer(context, use, declaration.expression, next));
  if (ts.isEnumMember(declaration)) {
    // For a computed member of an enumeration, the checker returns no constant value.
    const value = context.checker.getConstantValue(declaration);
    if (value !== undefined) return { type: 'scalar', value, place: placeOf(context, use) };
  }
  const source = declaration.getSourceFile();
  if (source.isDeclarationFile) {
    const token = isOwnSource(source.fileName)
      ? tokenOfDeclarationFile(context, source.fileName, symbol.name)
      : packageToken(context, source.fileName, symbol.name);
    if (token !== undefined) return { type: 'token', token, place: placeOf(context, use) };
    return opaque(
      context,
      use,
      `${describeSyntax(context, use)} comes from a package's declaration file, which does not say its value`,
    );
  }
  if (ts.isVariableDeclaration(declaration) && !isConstVariable(context, declaration)) {
    return opaque(
      context,
      use,
      `${describeSyntax(context, use)} is not a \`const\``,
      `declare \`${symbol.name}\` with \`const\``,
    );
  }
  if (!isConstVariable(context, declaration) || declaration.initializer === undefined) {
    return opaque(
      context,
      use,
      `${describeSyntax(context, use)} is ${describeDeclaration(context, declaration)}, which has no constant value`,
    );
  }
  return at(context, use, evaluateInitializer(context, use, declaration.initializer, next));
}

/** Returns the value of a `const` variable. An object or array must be `as const`, because otherwise other code may have changed it. */
function evaluateInitializer(
  context: EvaluateContext,
  use: ts.Node,
  initializer: ts.Expression,
  visiting: Visiting,
): Evaluated {
  const { ts } = context;
  const literal = withoutTypeSyntax(context, initializer);
  if (
    (ts.isObjectLiteralExpression(literal) || ts.isArrayLiteralExpression(literal)) &&
    !isAsConst(context, initializer)
  ) {
    const name = describeSyntax(context, use);
    return opaque(
      context,
      use,
      `${name} is not \`as const\`: its content may change before it is used`,
      `add \`as const\` where ${name} is declared`,
    );
  }
  return evaluate(context, initializer, visiting);
}

/**
 * Sets the place of a scalar or token to the place where it is used. Objects and arrays, including their parts, keep the places where they
 * are written.
 */
function at(context: EvaluateContext, use: ts.Node, value: Evaluated): Evaluated {
  return value.type === 'scalar' || value.type === 'token'
    ? { ...value, place: placeOf(context, use) }
    : value;
}

function evaluateAccess(
  context: EvaluateContext,
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  visiting: Visiting,
): Evaluated {
  const { ts } = context;
  const symbol = symbolOfName(context, node);
  if (symbol !== undefined) return evaluateSymbol(context, node, symbol, visiting);
  if (node.questionDotToken !== undefined)
    return opaque(context, node, `${describeSyntax(context, node)} is not a constant`);
  const owner = evaluate(context, node.expression, visiting);
  if (owner.type === 'opaque') return owner;
  const key = ts.isPropertyAccessExpression(node)
    ? ({ type: 'scalar', value: node.name.text } as const)
    : evaluate(context, node.argumentExpression, visiting);
  if (key.type === 'opaque') return key;
  const name =
    key.type === 'scalar' && (typeof key.value === 'string' || typeof key.value === 'number')
      ? String(key.value)
      : undefined;
  // A spread that cannot be evaluated may replace any property, so the value of the property is unknown.
  if (owner.type === 'object' && owner.holes[0] !== undefined) return owner.holes[0];
  const value = name === undefined ? undefined : memberOf(owner, name, context, node);
  if (value !== undefined) return at(context, node, value);
  return opaque(context, node, `${describeSyntax(context, node)} does not exist`, 'check the property name');
}

function memberOf(
  owner: Evaluated,
  name: string,
  context: EvaluateContext,
  node: ts.Node,
): Evaluated | undefined {
  if (owner.type === 'object') return owner.properties.get(name)?.value;
  if (owner.type === 'array') return /^\d+$/.test(name) ? owner.items[Number(name)] : undefined;
  if (owner.type !== 'token') return undefined;
  const { group, version } = owner.token;
  const fields: Record<string, string | boolean> = {
    ...owner.token,
    apiVersion: group === '' ? version : `${group}/${version}`,
  };
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return value === undefined ? undefined : { type: 'scalar', value, place: placeOf(context, node) };
}

const ofFirstArgument: ReadonlySet<string> = new Set(['rbac', 'watch', 'owned', 'metadataOnly', 'ifServed']);

/** Returns a value that represents an event source other than a kind in this cluster. */
function sourceOf(callee: string, place: SourcePlace): Evaluated {
  const value: Evaluated = { type: 'scalar', value: callee, place };
  return { type: 'object', properties: new Map([['source', { place, value }]]), holes: [], place };
}

function evaluateCall(context: EvaluateContext, node: ts.CallExpression, visiting: Visiting): Evaluated {
  const callee = declarationFunctionOf(context, symbolOfName(context, node.expression));
  const values = node.arguments.map((argument) => evaluate(context, argument, visiting));
  const [first, second] = values;
  // `rbac` returns its argument. For a watch or an owned kind, only the resource (the first argument) is known before the operator runs. A
  // watch on a kind in another cluster must not be treated as a watch on a kind in this cluster.
  if (callee === 'watch' && second?.type === 'object' && second.properties.has('cluster'))
    return sourceOf(callee, placeOf(context, node));
  if (callee !== undefined && ofFirstArgument.has(callee) && first !== undefined) return first;
  if (callee === 'every' || callee === 'from') return sourceOf(callee, placeOf(context, node));
  const token = callee === undefined ? undefined : evaluateToken(callee, values);
  if (token === undefined)
    return opaque(
      context,
      node,
      `${describeSyntax(context, node)} is a call: op-sdk reads the source, it does not run it`,
    );
  return token.type === 'opaque'
    ? token
    : { type: 'token', token: token.token, place: placeOf(context, node) };
}

/**
 * Functions with which the parts of a literal are evaluated. `evaluate` passes them as an argument, so that this file need not import
 * `evaluate`.
 */
interface InnerEvaluation {
  expression(expression: ts.Expression): Evaluated;
  /** @param use node that refers to the symbol */
  symbol(use: ts.Node, symbol: ts.Symbol | undefined): Evaluated;
}

/** Evaluates a unary minus before a number. */
function evaluateMinus(
  context: EvaluateContext,
  node: ts.PrefixUnaryExpression,
  inner: InnerEvaluation,
): Evaluated {
  if (node.operator !== context.ts.SyntaxKind.MinusToken)
    return opaque(context, node, `${describeSyntax(context, node)} is not a constant`);
  const operand = inner.expression(node.operand);
  if (operand.type === 'opaque') return operand;
  if (operand.type !== 'scalar' || typeof operand.value !== 'number') {
    return opaque(context, node, `${describeSyntax(context, node)} negates something that is not a number`);
  }
  return { type: 'scalar', value: -operand.value, place: placeOf(context, node) };
}

/** Evaluates a template literal with placeholders, such as `${name}`. */
function evaluateTemplate(
  context: EvaluateContext,
  node: ts.TemplateExpression,
  inner: InnerEvaluation,
): Evaluated {
  let text = node.head.text;
  for (const span of node.templateSpans) {
    const value = inner.expression(span.expression);
    if (value.type === 'opaque') return value;
    if (value.type !== 'scalar' || value.value === null || value.value === undefined) {
      return opaque(
        context,
        span.expression,
        `${describeSyntax(context, span.expression)} in a template literal is neither text nor a number`,
      );
    }
    text += `${value.value}${span.literal.text}`;
  }
  return { type: 'scalar', value: text, place: placeOf(context, node) };
}

/** Evaluates an array literal, including spreads. */
function evaluateArray(
  context: EvaluateContext,
  node: ts.ArrayLiteralExpression,
  inner: InnerEvaluation,
): Evaluated {
  const { ts } = context;
  const items = node.elements.flatMap((element): readonly Evaluated[] => {
    if (ts.isOmittedExpression(element)) return [opaque(context, element, 'an array has a hole')];
    if (!ts.isSpreadElement(element)) return [inner.expression(element)];
    const spread = inner.expression(element.expression);
    if (spread.type === 'array') return spread.items;
    if (spread.type === 'opaque') return [spread];
    return [opaque(context, element, `${describeSyntax(context, element)} does not spread an array`)];
  });
  return { type: 'array', items, place: placeOf(context, node) };
}

/** Evaluates an object literal, including spreads. */
function evaluateObject(
  context: EvaluateContext,
  node: ts.ObjectLiteralExpression,
  inner: InnerEvaluation,
): Evaluated {
  const { ts } = context;
  const properties = new Map<string, EvaluatedProperty>();
  const holes: EvaluatedOpaque[] = [];
  for (const member of node.properties) {
    if (ts.isSpreadAssignment(member)) {
      const spread = inner.expression(member.expression);
      if (spread.type === 'object') {
        for (const [name, property] of spread.properties) properties.set(name, property);
        holes.push(...spread.holes);
      } else if (spread.type === 'opaque') holes.push(spread);
      else if (spread.type !== 'scalar' || (spread.value !== undefined && spread.value !== null)) {
        holes.push(opaque(context, member, `${describeSyntax(context, member)} does not spread an object`));
      }
      continue;
    }
    const name = memberName(context, member.name, inner);
    if (typeof name !== 'string') {
      holes.push(name);
      continue;
    }
    properties.set(name, {
      place: placeOf(context, member),
      value: evaluateMember(context, member, inner),
      node: member,
    });
  }
  return { type: 'object', properties, holes, place: placeOf(context, node) };
}

function evaluateMember(
  context: EvaluateContext,
  member: Exclude<ts.ObjectLiteralElementLike, ts.SpreadAssignment>,
  inner: InnerEvaluation,
): Evaluated {
  const { ts, checker } = context;
  if (ts.isPropertyAssignment(member)) return inner.expression(member.initializer);
  if (!ts.isShorthandPropertyAssignment(member))
    return opaque(context, member, 'a method or accessor is not a constant');
  const symbol = checker.getShorthandAssignmentValueSymbol(member);
  return inner.symbol(member.name, symbol && unaliased(context, symbol));
}

function memberName(
  context: EvaluateContext,
  name: ts.PropertyName,
  inner: InnerEvaluation,
): string | EvaluatedOpaque {
  const { ts } = context;
  if (ts.isPrivateIdentifier(name)) return opaque(context, name, 'a private name is not a constant');
  if (!ts.isComputedPropertyName(name)) {
    // Rejects `__proto__: x`, because in an object literal it sets the prototype instead of a property.
    return name.text === '__proto__' ? opaque(context, name, '`__proto__` is not a property') : name.text;
  }
  const value = inner.expression(name.expression);
  if (value.type === 'scalar' && (typeof value.value === 'string' || typeof value.value === 'number'))
    return String(value.value);
  return value.type === 'opaque'
    ? value
    : opaque(context, name, `${describeSyntax(context, name)} is not a property name`);
}

/** Returns the source text of a node for messages, shortened to a single short line. */
function describeSyntax(context: EvaluateContext, node: ts.Node): string {
  const text = node.getText();
  const line =
    text.includes('\n') || text.length > 60
      ? `${text.split('\n', 1)[0]?.slice(0, 60).trimEnd() ?? ''} …`
      : text;
  return context.ts.isFunctionLike(node) ? 'a function' : `\`${line}\``;
}

/** Returns a description of a declaration for messages, such as `a parameter`. */
function describeDeclaration(context: EvaluateContext, declaration: ts.Declaration): string {
  const { ts } = context;
  if (ts.isParameter(declaration)) return 'a parameter';
  if (ts.isFunctionLike(declaration)) return 'a function';
  if (ts.isBindingElement(declaration)) return 'part of a destructuring';
  if (ts.isEnumDeclaration(declaration) || ts.isEnumMember(declaration)) return 'an enum';
  if (ts.isClassLike(declaration)) return 'a class';
  if (ts.isSourceFile(declaration)) return 'a module';
  return 'declared in a way';
}
