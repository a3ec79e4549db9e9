import type ts from 'typescript';
import type { Finding } from '../../../base/errors/index.ts';
import {
  isProjectFile,
  placeInProject,
  placeOfSchema,
  type SchemaExport,
  type SourcePlace,
  type SourceProgram,
} from '../../source/index.ts';

/** The packages that a schema module may import, with their subpaths. */
const schemaLibraries: readonly string[] = [
  'zod',
  'valibot',
  '@valibot/to-json-schema',
  'arktype',
  '@ark/schema',
  '@ark/util',
];

/** A file of the project; what it imports from packages is looked for where links to it lead. */
interface ModuleFile {
  readonly text: string;
  readonly realPath: string;
}

/** The modules of a project that make a schema. */
export interface SchemaModule {
  /** Each file, by its absolute name. */
  readonly files: ReadonlyMap<string, ModuleFile>;
  /** Targets of its imports of other files of the project: specifier to absolute name. */
  readonly imports: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Imports of the files from schema libraries. */
  readonly libraries: readonly { readonly specifier: string; readonly importer: string }[];
  /** Imports of anything but schema libraries and other modules like this one. */
  readonly findings: readonly Finding[];
}

/**
 * Finds the modules that run when the module of a schema is loaded, and what they import that they must not. Types may be imported from
 * anywhere: they are gone when the module runs.
 */
export function schemaModule(source: SourceProgram, schema: SchemaExport): SchemaModule {
  const { program, boundary } = source;
  const files = new Map<string, ModuleFile>();
  const libraries: SchemaModule['libraries'][number][] = [];
  const imports = new Map<string, ReadonlyMap<string, string>>();
  const findings: Finding[] = [];
  const visit = (name: string): void => {
    const file = program.getSourceFile(name);
    if (file === undefined || files.has(name)) return;
    files.set(name, { text: source.readFile(name) ?? file.text, realPath: boundary.realPath(name) });
    const targets = new Map<string, string>();
    imports.set(name, targets);
    for (const specifier of importedBy(source, file)) {
      const target = targetOf(source, specifier);
      if (target === 'library') libraries.push({ specifier: specifier.text, importer: name });
      else if (typeof target === 'string') {
        targets.set(specifier.text, target);
        visit(target);
      } else findings.push(target);
    }
    findings.push(...dynamicImports(source, file));
  };
  const { file: entry } = schema;
  if (boundary.holds(entry)) visit(entry);
  else findings.push({ ...outside(entry), where: placeOfSchema(source, schema) });
  return { files, imports, libraries, findings };
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

/** @returns the absolute name of the file of the project that an import means, or a finding, or that it means a schema library */
function targetOf(source: SourceProgram, specifier: ts.StringLiteral): string | Finding {
  const { text } = specifier;
  if (schemaLibraries.some((name) => text === name || text.startsWith(`${name}/`))) {
    if (!text.split(/[/\\]/).includes('..')) return 'library';
    return { ...outside(text), where: placeOfNode(source, specifier) };
  }
  const target = source.checker.getSymbolAtLocation(specifier)?.valueDeclaration;
  if (target !== undefined && source.ts.isSourceFile(target) && !target.isDeclarationFile) {
    if (isProjectFile(source.program, target))
      return source.boundary.holds(target.fileName)
        ? target.fileName
        : { ...outside(text), where: placeOfNode(source, specifier) };
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
    where: placeOfNode(source, node),
    fix: ['move the schema into a module of its own', 'import types with `import type`, which is not run'],
  };
}

function outside(name: string): Finding {
  return {
    code: 'schema/outside-project',
    message: `the module of a schema imports '${name}', which lies outside of the project once links are followed`,
    fix: ['move the file into the project: nothing else is read when the module runs'],
  };
}

function placeOfNode(source: SourceProgram, node: ts.Node): SourcePlace {
  return placeInProject(source.projectDir, node.getSourceFile(), node.getStart());
}
