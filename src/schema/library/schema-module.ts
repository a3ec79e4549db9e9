import type ts from 'typescript';
import type { Finding } from '../../errors/index.ts';
import { isProjectFile, placeInProject, type SchemaExport, type SourceProgram } from '../../source/index.ts';

/** The packages that a schema module may import, with their subpaths. */
const libraries: readonly string[] = [
  'zod',
  'valibot',
  '@valibot/to-json-schema',
  'arktype',
  '@ark/schema',
  '@ark/util',
];

/** The modules of a project that make a schema. */
export interface SchemaModule {
  /** The text of each file, by its absolute name. */
  readonly files: ReadonlyMap<string, string>;
  /** What its imports of other files of the project mean: specifier to absolute name. */
  readonly imports: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Imports of anything but schema libraries and other modules like this one. */
  readonly findings: readonly Finding[];
}

/**
 * Finds the modules that run when the module of a schema is loaded, and what they import that they must not. Types may be imported from
 * anywhere: they are gone when the module runs.
 */
export function schemaModule(
  source: SourceProgram,
  { file: entry }: Pick<SchemaExport, 'file'>,
): SchemaModule {
  const { program } = source;
  const files = new Map<string, string>();
  const imports = new Map<string, ReadonlyMap<string, string>>();
  const findings: Finding[] = [];
  const visit = (name: string): void => {
    const file = program.getSourceFile(name);
    if (file === undefined || files.has(name)) return;
    files.set(name, source.readFile(name) ?? file.text);
    const targets = new Map<string, string>();
    imports.set(name, targets);
    for (const specifier of importedBy(source, file)) {
      const target = targetOf(source, specifier);
      if (typeof target === 'string') {
        targets.set(specifier.text, target);
        visit(target);
      } else if (target !== undefined) findings.push(target);
    }
    findings.push(...dynamicImports(source, file));
  };
  visit(entry);
  return { files, imports, findings };
}

/** The specifiers of the imports of a file that are there when it runs. */
function importedBy({ ts }: SourceProgram, file: ts.SourceFile): readonly ts.StringLiteral[] {
  return file.statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement) && !isForTypes(ts, statement.importClause);
    const isExport = ts.isExportDeclaration(statement) && !statement.isTypeOnly;
    const specifier = isImport || isExport ? statement.moduleSpecifier : undefined;
    return specifier !== undefined && ts.isStringLiteral(specifier) ? [specifier] : [];
  });
}

function isForTypes(typescript: typeof ts, clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const { name, namedBindings } = clause;
  if (name !== undefined || namedBindings === undefined || !typescript.isNamedImports(namedBindings))
    return false;
  const { elements } = namedBindings;
  return elements.length > 0 && elements.every(({ isTypeOnly }) => isTypeOnly);
}

/** @returns the file of the project that an import means, a finding, or undefined for a schema library */
function targetOf(source: SourceProgram, specifier: ts.StringLiteral): string | Finding | undefined {
  const { text } = specifier;
  if (libraries.some((name) => text === name || text.startsWith(`${name}/`))) return undefined;
  const target = source.checker.getSymbolAtLocation(specifier)?.valueDeclaration;
  if (target !== undefined && source.ts.isSourceFile(target) && !target.isDeclarationFile) {
    if (isProjectFile(source.program, target)) return target.fileName;
  }
  return impure(source, specifier, `imports '${text}'`);
}

/** Imports that are not at the top, where nobody sees what they bring. */
function dynamicImports(source: SourceProgram, file: ts.SourceFile): readonly Finding[] {
  const { ts } = source;
  const found: Finding[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { expression } = node;
      const isImport = expression.kind === ts.SyntaxKind.ImportKeyword;
      const isRequire = ts.isIdentifier(expression) && expression.text === 'require';
      if (isImport || isRequire) found.push(impure(source, node, `calls \`${expression.getText()}\``));
    }
    if (ts.isImportEqualsDeclaration(node) && !node.isTypeOnly)
      found.push(impure(source, node, 'calls `require`'));
    if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword)
      found.push(impure(source, node, 'uses `import.meta`'));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function impure(source: SourceProgram, node: ts.Node, what: string): Finding {
  return {
    code: 'schema/module-imports',
    message: `the module of a schema ${what}; expected nothing but zod, valibot or arktype and modules of the project like this one`,
    where: placeInProject(source.projectDir, node.getSourceFile(), node.getStart()),
    fix: ['move the schema into a module of its own', 'import types with `import type`, which is not run'],
  };
}
