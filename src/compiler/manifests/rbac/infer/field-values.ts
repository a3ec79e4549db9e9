import type ts from 'typescript';
import { symbolAt, type InferContext } from './infer-context.ts';

/** Value of a property: an expression, or a parameter that declares the property. */
export type FieldValue =
  { readonly expression: ts.Expression } | { readonly parameter: ts.ParameterDeclaration };

/** The values that the project puts into a property of its own, as far as they can be seen. */
export function fieldValues(context: InferContext, field: ts.Symbol): readonly FieldValue[] {
  const { ts } = context.source;
  const declarations = field.declarations ?? [];
  const name = declarations[0] !== undefined ? ts.getNameOfDeclaration(declarations[0]) : undefined;
  if (name === undefined || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) return [];
  const declared = declarations.flatMap((declaration): readonly FieldValue[] => {
    if (ts.isParameter(declaration)) return [{ parameter: declaration }];
    if (ts.isPropertyDeclaration(declaration) || ts.isPropertyAssignment(declaration))
      return declaration.initializer === undefined ? [] : [{ expression: declaration.initializer }];
    if (ts.isShorthandPropertyAssignment(declaration)) return [{ expression: declaration.name }];
    if (ts.isGetAccessorDeclaration(declaration)) return returned(context, declaration);
    return [];
  });
  const assigned = (context.index.names.get(name.text) ?? []).flatMap((node) =>
    valueAt(context, node, declarations),
  );
  return [...declared, ...assigned];
}

function returned(
  { source: { ts } }: InferContext,
  { body }: ts.GetAccessorDeclaration,
): readonly FieldValue[] {
  return (body?.statements ?? []).flatMap((statement) =>
    ts.isReturnStatement(statement) && statement.expression !== undefined
      ? [{ expression: statement.expression }]
      : [],
  );
}

/** Value that a name gives to the property, if it is set there: `{ client: c }`, `{ client }`, `this.client = c`. */
function valueAt(
  context: InferContext,
  node: ts.Identifier | ts.PrivateIdentifier,
  declarations: readonly ts.Declaration[],
): readonly FieldValue[] {
  const { ts } = context.source;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    const assignment = parent.parent;
    if (!ts.isBinaryExpression(assignment) || assignment.left !== parent) return [];
    if (assignment.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return [];
    const symbol = symbolAt(context, node);
    return isOneOf(symbol, declarations) ? [{ expression: assignment.right }] : [];
  }
  const isAssignment = ts.isPropertyAssignment(parent) && parent.name === node;
  const isShorthand = ts.isShorthandPropertyAssignment(parent) && parent.name === node;
  if (!isAssignment && !isShorthand) return [];
  if (declarations.includes(parent)) return [];
  const { checker } = context.source;
  const type = checker.getContextualType(parent.parent);
  const symbol = type && checker.getPropertyOfType(checker.getNonNullableType(type), node.text);
  if (!isOneOf(symbol, declarations)) return [];
  return [{ expression: isAssignment ? parent.initializer : parent.name }];
}

function isOneOf(symbol: ts.Symbol | undefined, declarations: readonly ts.Declaration[]): boolean {
  return symbol?.declarations?.some((declaration) => declarations.includes(declaration)) ?? false;
}
