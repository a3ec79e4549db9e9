import type ts from 'typescript';
import { isProjectFile, type SourceProgram } from '../program/load.ts';
import { isConstVariable, symbolOfName } from './evaluate-context.ts';
import { withoutTypeSyntax } from './evaluate-syntax.ts';
import type { SchemaExport } from './schema-export.ts';

/** Declaration with a name in the sources, to which a finding can point. */
export type SchemaFieldNode = ts.Declaration & { readonly name: ts.Node };

/**
 * Where a schema of a library writes a field: the innermost property on the way that is found in the literals that its functions get.
 * @param path from the object; steps that no field has a name for, such as those to the items of a list, are passed over
 */
export function schemaField(
  source: SourceProgram,
  { declaration }: SchemaExport,
  path: readonly string[],
): SchemaFieldNode {
  let found: SchemaFieldNode = declaration;
  let expression: ts.Node | undefined = declaration.initializer;
  for (const step of path) {
    if (step === '[]' || step === '{}') continue;
    const property: SchemaFieldNode | undefined =
      expression && findProperty(source, expression, step, new Set());
    if (property === undefined) return found;
    found = property;
    expression = source.ts.isPropertyAssignment(property) ? property.initializer : property.name;
  }
  return found;
}

/** @param visited declarations on the way here: schemas may name each other */
function findProperty(
  source: SourceProgram,
  node: ts.Node,
  name: string,
  visited: ReadonlySet<ts.Node>,
): SchemaFieldNode | undefined {
  const { ts } = source;
  const first = (nodes: readonly ts.Node[]): SchemaFieldNode | undefined => {
    for (const each of nodes) {
      const found = findProperty(source, each, name, visited);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const expression = withoutTypeSyntax(source, node as ts.Expression);
  if (ts.isObjectLiteralExpression(expression)) {
    const own = expression.properties.find((each) => nameOf(source, each) === name);
    if (own !== undefined && (ts.isPropertyAssignment(own) || ts.isShorthandPropertyAssignment(own)))
      return own;
    return first(
      expression.properties.flatMap((each) => (ts.isSpreadAssignment(each) ? [each.expression] : [])),
    );
  }
  if (ts.isCallExpression(expression)) return first([...expression.arguments, expression.expression]);
  if (ts.isArrayLiteralExpression(expression)) return first(expression.elements);
  if (ts.isArrowFunction(expression) && !ts.isBlock(expression.body)) return first([expression.body]);
  if (!ts.isIdentifier(expression) && !ts.isPropertyAccessExpression(expression)) return undefined;
  const variable = symbolOfName(source, expression)?.declarations?.find((each) =>
    isConstVariable(source, each),
  );
  if (
    variable !== undefined &&
    !visited.has(variable) &&
    isProjectFile(source.program, variable.getSourceFile())
  )
    return (
      variable.initializer &&
      findProperty(source, variable.initializer, name, new Set([...visited, variable]))
    );
  return ts.isPropertyAccessExpression(expression) ? first([expression.expression]) : undefined;
}

/** In arktype, `'name?'` is an optional field. */
function nameOf({ ts }: SourceProgram, { name }: ts.ObjectLiteralElementLike): string | undefined {
  if (name === undefined) return undefined;
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text.replace(/\?$/, '') : undefined;
}
