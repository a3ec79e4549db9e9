import type ts from 'typescript';
import type { EvaluateContext } from './evaluate-context.ts';
import { withoutTypeSyntax } from './evaluate-syntax.ts';
import type { EvaluatedProperty } from './evaluated-value.ts';

/**
 * True if a property certainly holds a function: a method, a function, or an expression whose type can be nothing else. Its body does
 * not matter. False for what may be undefined or of any type, and for accessors.
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
