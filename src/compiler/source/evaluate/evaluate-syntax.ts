import type ts from 'typescript';
import { placeOf, type EvaluateContext } from './evaluate-context.ts';
import type { EvaluatedOpaque } from './evaluated-value.ts';

const plainFix = 'write the value here as a literal, or refer to a `const … = … as const` of the project';

/** The expression inside parentheses, `satisfies`, `as` and `!`: syntax without effect at run time. */
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

/** Opaque value for an expression that is not a constant, with the finding to report if the value is needed. */
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

/** The source text of a node, cut to one short line, for messages. */
export function describeSyntax(context: EvaluateContext, node: ts.Node): string {
  const text = node.getText();
  const line =
    text.includes('\n') || text.length > 60
      ? `${text.split('\n', 1)[0]?.slice(0, 60).trimEnd() ?? ''} …`
      : text;
  return context.ts.isFunctionLike(node) ? 'a function' : `\`${line}\``;
}

/** True if an expression is written `as const`, perhaps inside `satisfies` or parentheses. */
export function isAsConst(context: EvaluateContext, expression: ts.Expression): boolean {
  const { ts } = context;
  if (ts.isAsExpression(expression) || ts.isTypeAssertionExpression(expression)) {
    return ts.isConstTypeReference(expression.type) || isAsConst(context, expression.expression);
  }
  if (ts.isParenthesizedExpression(expression) || ts.isSatisfiesExpression(expression))
    return isAsConst(context, expression.expression);
  return false;
}

/** Describes a declaration for messages: `a parameter`. */
export function describeDeclaration(context: EvaluateContext, declaration: ts.Declaration): string {
  const { ts } = context;
  if (ts.isParameter(declaration)) return 'a parameter';
  if (ts.isFunctionLike(declaration)) return 'a function';
  if (ts.isBindingElement(declaration)) return 'part of a destructuring';
  if (ts.isEnumDeclaration(declaration) || ts.isEnumMember(declaration)) return 'an enum';
  if (ts.isClassLike(declaration)) return 'a class';
  if (ts.isSourceFile(declaration)) return 'a module';
  return 'declared in a way';
}
