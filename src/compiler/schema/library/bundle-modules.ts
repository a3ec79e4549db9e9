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
  /**
   * Place in a module of the project: the file name is absolute, lines count from 1 and columns from 0. Null if the error is not in such a
   * module.
   */
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null;
}

/** ES modules that import each other by their names, which are the keys of `scripts`. */
export interface Scripts {
  readonly scripts: Readonly<Record<string, string>>;
  /** Names of the scripts that contain no code of the project. */
  readonly libraries: readonly string[];
  /**
   * Names of the scripts that describe the schemas, one for each schema. Each exports `description`, the description of its schema in JSON.
   */
  readonly entries: readonly string[];
}

const program = fileURLToPath(new URL('./bundle-program.js', import.meta.url));
// The extension is `.ts` if the package runs from its sources, and `.js` if it runs from dist.
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const describer = fileURLToPath(new URL(`./inside/describe-schema${extension}`, import.meta.url));

/** Timeout of the bundler, in milliseconds. */
const bundleTimeout = 60_000;
/** Maximum total size of all scripts, in bytes. */
const largestOutput = 64 * 2 ** 20;

/** Bundles into scripts: the modules of schemas, their imports, and the function that describes a schema. */
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
  // Removed because loaders and inspectors of this process must not affect the bundler.
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

/** Packages that a schema module may import, including their subpaths. */
const schemaLibraries: readonly string[] = [
  'zod',
  'valibot',
  '@valibot/to-json-schema',
  'arktype',
  '@ark/schema',
  '@ark/util',
];

/** A file of the project. Its imports from packages are resolved from the real path of the file. */
interface ModuleFile {
  readonly text: string;
  readonly realPath: string;
}

/** The modules of a project that run to create one schema. */
export interface SchemaModule {
  /** All files that run, by their absolute names. */
  readonly files: ReadonlyMap<string, ModuleFile>;
  /** Imports of other files of the project: for each file, the absolute name of the target by import specifier. */
  readonly imports: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Imports from schema libraries, each with the file that imports. */
  readonly libraries: readonly { readonly specifier: string; readonly importer: string }[];
  /** Errors about imports other than those from schema libraries and from the project's own modules. */
  readonly findings: readonly Finding[];
}

/**
 * Finds the modules that run when the module of a schema is loaded, and the forbidden imports of these modules. Types may be imported from
 * anywhere, since they are erased before the module runs.
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

/** @returns the absolute name of the imported file if it belongs to the project, `library` for a schema library, otherwise a finding */
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

/** Reports imports that are not at the top level, because it is unknown what they import. */
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
