import type ts from 'typescript';
import type { SourceProgram } from '../program/load.ts';
import { fileImports, leadsTo, type ModuleSource, parseFile, wholeLines, type TextEdit } from './imports.ts';

/** Uses of a controller in a file, and the edits that remove them. */
interface Registrations {
  /** Edits that remove the import of the controller, and every statement `manager.add(controller)`. */
  readonly edits: readonly TextEdit[];
  /** Lines, counted from 1, that use the controller in any other way. People have to edit these lines. */
  readonly others: readonly number[];
}

/**
 * Finds the statements in a file that import a controller and register it with a manager.
 * @param file path of the file, relative to the project, with forward slashes
 * @param exporter path of the file that exports the controller, also relative to the project
 */
export function registrationsOf(
  program: ModuleSource,
  file: string,
  text: string,
  exporter: string,
): Registrations {
  const { ts } = program;
  const source = parseFile(ts, file, text);
  const leading = fileImports(program, file, text).filter(({ target }) => leadsTo(target, exporter));
  const imports = source.statements
    .filter((statement) => ts.isImportDeclaration(statement))
    .filter(({ moduleSpecifier: name }) => leading.some(({ start }) => start === name.getStart(source) + 1));
  const names = new Set(imports.flatMap((each) => importedNames(ts, each)));
  const statements = new Set<ts.Node>(imports);
  const others: number[] = [];
  const visit = (node: ts.Node): void => {
    if (statements.has(node)) return;
    if (ts.isExpressionStatement(node) && isRegistration(ts, node, names)) {
      statements.add(node);
      return;
    }
    if (ts.isIdentifier(node) && names.has(node.text) && !isMereName(ts, node))
      others.push(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const edits = [...statements].map((node) => ({
    ...wholeLines(text, node.getStart(source), node.end),
    text: '',
  }));
  return { edits, others: [...new Set(others)] };
}

function importedNames(ts: SourceProgram['ts'], { importClause }: ts.ImportDeclaration): readonly string[] {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined) return [importClause?.name?.text ?? []].flat();
  const named = ts.isNamedImports(bindings) ? bindings.elements : [bindings];
  return [importClause, ...named].flatMap((each) => each?.name?.text ?? []);
}

/** Returns true for a statement such as `manager.add(controller);` that registers one of the given names. */
function isRegistration(
  ts: SourceProgram['ts'],
  { expression }: ts.ExpressionStatement,
  names: ReadonlySet<string>,
): boolean {
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return false;
  const [controller] = expression.arguments;
  return (
    expression.expression.name.text === 'add' &&
    controller !== undefined &&
    ts.isIdentifier(controller) &&
    names.has(controller.text)
  );
}

/**
 * Returns true if an identifier is only the name of a property, as in `object.name`, or a name in another module, as in `import { name as
 * local }`.
 */
function isMereName(ts: SourceProgram['ts'], node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isImportSpecifier(parent) && parent.propertyName === node)
  );
}
