import type ts from 'typescript';
import type { Finding } from '../../../base/errors/index.ts';
import { isProjectFile, type SourceProgram } from '../program/load.ts';
import { isConstVariable, placeOf, symbolOfName, unaliased } from './evaluate-context.ts';
import type { Evaluated, SourcePlace } from './evaluated-value.ts';
import { withoutTypeSyntax } from './tokens.ts';

/** A library's schema to which `defineResource({ schema })` refers. The schema is an exported constant in another module of the project. */
export interface SchemaExport {
  /** Absolute path of the file that exports the schema. */
  readonly file: string;
  /** Name under which the module exports the schema. */
  readonly exportName: string;
  readonly declaration: ts.VariableDeclaration & { readonly name: ts.Identifier };
  /** Syntax node of the property `schema: …` in the argument of `defineResource`. */
  readonly property: ts.PropertyAssignment | ts.ShorthandPropertyAssignment;
}

/** Returns true if the fields of a kind come from a schema of a library rather than from an interface. */
export function isSchemaExport(root: ts.InterfaceDeclaration | SchemaExport): root is SchemaExport {
  return 'exportName' in root;
}

/**
 * Returns the library's schema to which the property `schema` of a `defineResource` call refers.
 * @param definition evaluated argument of the call
 * @returns undefined if the call has no property `schema`; a finding if the schema is not an export of another module
 */
export function schemaExportOf(
  source: SourceProgram,
  definition: Evaluated | undefined,
): SchemaExport | Finding | undefined {
  const { ts, checker, program } = source;
  const property = definition?.type === 'object' ? definition.properties.get('schema') : undefined;
  if (property === undefined) return undefined;
  const { node } = property;
  const finding = (message: string): Finding => ({
    code: 'schema/module-imports',
    message: `the \`schema\` of defineResource ${message}`,
    where: property.place,
    fix: [
      'move it into a module of its own, such as memcached.schema.ts: `export const memcachedSchema = z.object({ … })`, and import it here',
    ],
  });
  if (node === undefined || !(ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)))
    return finding('is not the name of a constant');
  const expression = ts.isPropertyAssignment(node) ? withoutTypeSyntax(source, node.initializer) : node.name;
  const symbol = symbolOfName(source, expression);
  const declaration = symbol?.declarations?.find((each) => isConstVariable(source, each));
  if (symbol === undefined || declaration === undefined) return finding('is not the name of a constant');
  const file = declaration.getSourceFile();
  if (file === node.getSourceFile())
    return finding('is in the file of the kind, which imports more than the schema library');
  if (file.isDeclarationFile || !isProjectFile(program, file))
    return finding('is not a constant of this project');
  const module = checker.getSymbolAtLocation(file);
  const exported =
    module && checker.getExportsOfModule(module).find((each) => unaliased(source, each) === symbol);
  if (exported === undefined) return finding(`is not an export of its module: \`${declaration.name.text}\``);
  return { file: file.fileName, exportName: exported.name, declaration, property: node };
}

/** Returns the place of the constant that holds a schema. */
export function placeOfSchema(source: SourceProgram, { declaration }: SchemaExport): SourcePlace {
  return placeOf(source, declaration.name);
}

/** A declaration with a name in the sources, to which a finding can point. */
export type SchemaFieldNode = ts.Declaration & { readonly name: ts.Node };

/**
 * Finds the declaration of a field in a library's schema. Searches the object literals that are passed to the library's functions. Returns
 * the innermost property that is found on the path.
 * @param path path from the root of the schema; steps without a field name, such as `[]` for the items of a list, are skipped
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

/** @param visited variables that have already been visited; without this, schemas that refer to each other would cause endless recursion */
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

/** Returns the name of a property without a final `?`, because arktype writes an optional field as `'name?'`. */
function nameOf({ ts }: SourceProgram, { name }: ts.ObjectLiteralElementLike): string | undefined {
  if (name === undefined) return undefined;
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text.replace(/\?$/, '') : undefined;
}
