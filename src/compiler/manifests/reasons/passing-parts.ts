import type ts from 'typescript';
import { bare, homeOf, shownText, symbolAt, type InferContext } from '../rbac/infer/infer-context.ts';

/** Part of a text for people that differs each time although nothing has changed, or that shows a whole object. */
interface PassingPart {
  readonly node: ts.Node;
  /** Text of the part for messages. */
  readonly problem: string;
  readonly fix: string;
}

/** Functions that never return the same value twice, called without arguments. */
const clocks: ReadonlySet<string> = new Set(['now', 'random', 'randomUUID', 'hrtime']);

/** Functions that pass on the value of their argument. */
const wrappers = /^(?:String|Number|Math\.\w+)$/;

/** Finds times, random values, resource versions and whole objects in a text. Follows constants. */
export function findPassing(context: InferContext, expression: ts.Expression): readonly PassingPart[] {
  const found: PassingPart[] = [];
  const seen = new Set<ts.Node>();
  const visit = (each: ts.Expression): void => {
    const node = bare(context, each);
    if (seen.has(node)) return;
    seen.add(node);
    const part = passingPart(context, node);
    if (part === undefined) for (const source of sourcesOf(context, node)) visit(source);
    else found.push(part);
  };
  visit(expression);
  return found;
}

/** Returns the expressions whose values are in the value of an expression, as far as its syntax shows. */
function sourcesOf(context: InferContext, node: ts.Expression): readonly ts.Expression[] {
  const { ts } = context.source;
  if (ts.isIdentifier(node)) return constantOf(context, node);
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse];
  if (ts.isPropertyAccessExpression(node)) return [node.expression];
  if (ts.isBinaryExpression(node)) return isComparison(context, node) ? [] : [node.left, node.right];
  if (ts.isNewExpression(node)) return node.expression.getText() === 'Date' ? (node.arguments ?? []) : [];
  if (!ts.isCallExpression(node)) return [];
  if (wrappers.test(node.expression.getText())) return node.arguments;
  // The arguments of other functions may only select what they return.
  return ts.isPropertyAccessExpression(node.expression) ? [node.expression.expression] : [];
}

function isComparison({ source: { ts } }: InferContext, { operatorToken }: ts.BinaryExpression): boolean {
  const { LessThanToken, ExclamationEqualsEqualsToken } = ts.SyntaxKind;
  return operatorToken.kind >= LessThanToken && operatorToken.kind <= ExclamationEqualsEqualsToken;
}

function passingPart(context: InferContext, node: ts.Expression): PassingPart | undefined {
  const { ts } = context.source;
  const time = {
    node,
    problem: `\`${shownText(node)}\`, which differs each time`,
    fix: 'leave it out: Events and conditions have times of their own',
  };
  if (ts.isNewExpression(node)) {
    const isNow = node.expression.getText() === 'Date' && (node.arguments ?? []).length === 0;
    return isNow ? time : undefined;
  }
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'resourceVersion')
    return { ...time, fix: 'leave it out, or name what has changed' };
  if (!ts.isCallExpression(node)) return undefined;
  const { expression: callee } = node;
  const [argument] = node.arguments;
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
  if (argument === undefined) return ts.isIdentifier(name) && clocks.has(name.text) ? time : undefined;
  if (callee.getText() !== 'JSON.stringify' || !isKubernetesObject(context, argument)) return undefined;
  return {
    node,
    problem: `\`${shownText(node)}\`, a whole object`,
    fix: 'name the object by its kind and name: an object has a new resourceVersion after each write, and may hold secrets',
  };
}

function isKubernetesObject({ source: { checker } }: InferContext, expression: ts.Expression): boolean {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(expression));
  return ['apiVersion', 'kind', 'metadata'].every(
    (name) => checker.getPropertyOfType(type, name) !== undefined,
  );
}

/** Returns the value of a `const` of the project; empty for any other name. */
function constantOf(context: InferContext, name: ts.Identifier): readonly ts.Expression[] {
  const { ts } = context.source;
  const declaration = symbolAt(context, name)?.valueDeclaration;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return [];
  const isConst = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
  const isOfProject = isConst && homeOf(context, declaration) === 'project';
  return isOfProject && declaration.initializer !== undefined ? [declaration.initializer] : [];
}
