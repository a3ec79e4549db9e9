import type ts from 'typescript';
import type { Finding } from '../../../base/errors/index.ts';
import { isProjectFile, type SourceProgram } from '../program/load.ts';
import { isConstVariable, placeOf, symbolOfName, unaliased } from './evaluate-context.ts';
import type { Evaluated, SourcePlace } from './evaluated-value.ts';
import { withoutTypeSyntax } from './evaluate-syntax.ts';

/** The schema of a library that `defineResource({ schema })` names: an exported constant of a module of the project. */
export interface SchemaExport {
  /** Absolute. */
  readonly file: string;
  /** The name under which the module exports it. */
  readonly exportName: string;
  readonly declaration: ts.VariableDeclaration & { readonly name: ts.Identifier };
  /** `schema: …` in the argument of `defineResource`. */
  readonly property: ts.PropertyAssignment | ts.ShorthandPropertyAssignment;
}

/** True if a kind is described by a schema of a library rather than by an interface. */
export function isSchemaExport(root: ts.InterfaceDeclaration | SchemaExport): root is SchemaExport {
  return 'exportName' in root;
}

/**
 * The schema that a call of `defineResource` names.
 * @param definition its evaluated argument
 * @returns undefined if it names none; a finding if it is not an export of another module
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
    return finding('is in the same file, which imports more than the schema library');
  if (file.isDeclarationFile || !isProjectFile(program, file))
    return finding('is not a constant of this project');
  const module = checker.getSymbolAtLocation(file);
  const exported =
    module && checker.getExportsOfModule(module).find((each) => unaliased(source, each) === symbol);
  if (exported === undefined) return finding(`is not an export of its module: \`${declaration.name.text}\``);
  return { file: file.fileName, exportName: exported.name, declaration, property: node };
}

/** The place of the declaration of a schema. */
export function placeOfSchema(source: SourceProgram, { declaration }: SchemaExport): SourcePlace {
  return placeOf(source, declaration.name);
}
