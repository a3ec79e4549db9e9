import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type ts from 'typescript';
import {
  type SchemaExport,
  isProjectFile,
  placeInProject,
  placeOfSchema,
  type SourcePlace,
  type SourceProgram,
} from '../../source/index.ts';
import type { Finding } from '../../../base/errors/index.ts';

/** An error of the bundler. */
export interface BundleError {
  readonly text: string;
  /** True if an import leads to a file that must not be read. */
  readonly isOutside: boolean;
  /** In a module of the project; the file is absolute, lines count from 1 and columns from 0. */
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null;
}

/** ES modules that import each other by their names in `scripts`. */
export interface Scripts {
  readonly scripts: Readonly<Record<string, string>>;
  /** Chunks that hold nothing of the project. */
  readonly libraries: readonly string[];
  /** For each schema, the script whose export `description` describes it, in JSON. */
  readonly entries: readonly string[];
}

const program = fileURLToPath(new URL('./bundle-program.js', import.meta.url));
// `.ts` when the package runs from its sources, `.js` when it runs from dist.
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const describer = fileURLToPath(new URL(`./inside/describe-schema${extension}`, import.meta.url));

/** Timeout of the bundler in milliseconds. */
const bundleTimeout = 60_000;
/** Maximum size of all scripts together, in bytes. */
const largestOutput = 64 * 2 ** 20;

/** Bundles the modules of schemas, their imports, and the function that describes a schema into scripts. */
export function bundleModules(
  schemas: readonly Pick<SchemaExport, 'file' | 'exportName'>[],
  modules: readonly SchemaModule[],
): Scripts | { readonly errors: readonly BundleError[] } {
  const libraries = new Map(
    modules.flatMap((module) =>
      module.libraries.map((library) => [`${library.specifier} ${library.importer}`, library] as const),
    ),
  );
  const input = JSON.stringify({
    describer,
    schemas: schemas.map(({ file, exportName }) => ({ file, exportName })),
    files: Object.fromEntries(modules.flatMap(({ files }) => [...files])),
    imports: Object.fromEntries(
      modules.flatMap(({ imports }) =>
        [...imports].map(([name, targets]) => [name, Object.fromEntries(targets)] as const),
      ),
    ),
    libraries: [...libraries.values()],
  });
  const env = { ...process.env };
  // Our loaders and inspectors must not affect the bundler.
  delete env['NODE_OPTIONS'];
  const { stdout, stderr, error } = spawnSync(process.execPath, [program], {
    input,
    env,
    encoding: 'utf8',
    timeout: bundleTimeout,
    killSignal: 'SIGKILL',
    maxBuffer: largestOutput,
  });
  if (error !== undefined || stdout === '') {
    const text = error?.message ?? stderr.trim();
    return { errors: [{ text: `cannot bundle the module: ${text}`, isOutside: false, location: null }] };
  }
  const bundled = JSON.parse(stdout) as
    Omit<Scripts, 'entries'> | { readonly errors: readonly BundleError[] };
  return 'errors' in bundled
    ? bundled
    : { ...bundled, entries: schemas.map((_, index) => `schema-${index}.js`) };
}

/** The packages that a schema module may import, with their subpaths. */
const schemaLibraries: readonly string[] = [
  'zod',
  'valibot',
  '@valibot/to-json-schema',
  'arktype',
  '@ark/schema',
  '@ark/util',
];

/** A file of the project; its imports from packages are resolved at its real path. */
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
  /** Imports other than schema libraries and modules like this one. */
  readonly findings: readonly Finding[];
}

/**
 * Finds the modules that run when the module of a schema is loaded, and their forbidden imports. Types may be imported from anywhere: they
 * are erased before the module runs.
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

/** Returns the specifiers of the imports of a file that exist at run time. */
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

/** @returns the absolute name of the file of the project that an import refers to, a finding, or `library` for a schema library */
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

/** Reports imports that are not at the top level, whose content is unknown. */
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
    message: `the module of a schema ${what}; expected imports of zod, valibot, arktype, and project modules that import nothing else`,
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
