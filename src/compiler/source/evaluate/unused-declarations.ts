import type ts from 'typescript';
import { unaliased, type EvaluateContext } from './evaluate-context.ts';
import type { SimpleDeclaration } from './evaluate-project.ts';
import { isProjectFile } from '../program/load.ts';

/** A call that declares a controller, a webhook or a conversion. */
type Declared = Pick<SimpleDeclaration, 'call' | 'place'>;

/** A declaration that the project never uses. */
interface UnusedDeclaration {
  readonly declaration: Declared;
  /** Name of the exported constant that holds the declaration. */
  readonly name: string;
}

/**
 * Finds declarations that are never added to a manager. Only declarations that are the value of a constant at the top level of a file are
 * checked. A constant counts as unused if the source files of the project mention it only in imports and exports.
 */
export function unusedDeclarations(
  context: EvaluateContext,
  declarations: readonly Declared[],
): readonly UnusedDeclaration[] {
  const unused = new Map<ts.Symbol, UnusedDeclaration>();
  for (const declaration of declarations) {
    const variable = constantOf(context, declaration.call);
    if (variable === undefined) continue;
    const symbol = context.checker.getSymbolAtLocation(variable);
    if (symbol !== undefined) unused.set(symbol, { declaration, name: variable.text });
  }
  if (unused.size === 0) return [];
  const files = context.program
    .getSourceFiles()
    .filter((file) => !file.isDeclarationFile && isProjectFile(context.program, file));
  const names = new Set([
    ...[...unused.values()].map(({ name }) => name),
    ...files.flatMap((file) => newExportNames(context, file)),
  ]);
  for (const file of files) for (const symbol of mentionedIn(context, file, names)) unused.delete(symbol);
  return [...unused.values()];
}

/** Returns the identifier `name` in `export const name = defineController({ … })`. */
function constantOf({ ts }: EvaluateContext, call: ts.CallExpression): ts.Identifier | undefined {
  const { parent } = call;
  if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return undefined;
  const statement = parent.parent.parent;
  return ts.isVariableStatement(statement) && ts.isSourceFile(statement.parent) ? parent.name : undefined;
}

/**
 * Returns the symbols that a file uses under one of the given names, or under a name that it imports. Uses in imports and exports do not
 * count.
 */
function mentionedIn(
  context: EvaluateContext,
  file: ts.SourceFile,
  declared: ReadonlySet<string>,
): readonly ts.Symbol[] {
  const { ts, checker } = context;
  const names = new Set(declared);
  const mentioned: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      for (const local of localNames(context, node)) names.add(local);
      return;
    }
    if (ts.isExportDeclaration(node)) return;
    if (ts.isIdentifier(node) && names.has(node.text) && !isDeclared(context, node)) {
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : checker.getSymbolAtLocation(node);
      if (symbol !== undefined) mentioned.push(unaliased(context, symbol));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mentioned;
}

function isDeclared({ ts }: EvaluateContext, node: ts.Identifier): boolean {
  return ts.isVariableDeclaration(node.parent) && node.parent.name === node;
}

/** Returns the new names in exports such as `export { local as name }`. */
function newExportNames({ ts }: EvaluateContext, file: ts.SourceFile): readonly string[] {
  return file.statements.flatMap((statement) => {
    const clause = ts.isExportDeclaration(statement) ? statement.exportClause : undefined;
    if (clause === undefined || !ts.isNamedExports(clause)) return [];
    return clause.elements.flatMap(({ propertyName, name }) =>
      propertyName === undefined ? [] : [name.text],
    );
  });
}

/**
 * Returns all local names of an import. Any of them may refer to a declaration, because another file may have re-exported the declaration
 * under a different name.
 */
function localNames({ ts }: EvaluateContext, { importClause }: ts.ImportDeclaration): readonly string[] {
  const bindings = importClause?.namedBindings;
  const named = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
  return [importClause, ...named].flatMap((each) => each?.name?.text ?? []);
}
