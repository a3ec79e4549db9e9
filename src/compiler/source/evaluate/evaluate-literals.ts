import type ts from 'typescript';
import { placeOf, unaliased, type EvaluateContext } from './evaluate-context.ts';
import { describeSyntax, opaque } from './tokens.ts';
import type { Evaluated, EvaluatedOpaque, EvaluatedProperty } from './evaluated-value.ts';

/** Evaluates the parts of a literal; `evaluate` passes itself. */
export interface InnerEvaluation {
  expression(expression: ts.Expression): Evaluated;
  /** @param use the node of the name */
  symbol(use: ts.Node, symbol: ts.Symbol | undefined): Evaluated;
}

/** A negative number. */
export function evaluateMinus(
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

/** A template literal with values. */
export function evaluateTemplate(
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

/** An array literal, spreads included. */
export function evaluateArray(
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

/** An object literal, spreads included. */
export function evaluateObject(
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
    // Written as `__proto__: x` it would set the prototype instead of a property.
    return name.text === '__proto__' ? opaque(context, name, '`__proto__` is not a property') : name.text;
  }
  const value = inner.expression(name.expression);
  if (value.type === 'scalar' && (typeof value.value === 'string' || typeof value.value === 'number'))
    return String(value.value);
  return value.type === 'opaque'
    ? value
    : opaque(context, name, `${describeSyntax(context, name)} is not a property name`);
}
