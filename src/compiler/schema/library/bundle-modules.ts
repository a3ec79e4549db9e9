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

/** An error that the bundler reports. */
export interface BundleError {
  readonly text: string;
  /** True if the error is an import of a file that the bundler must not read. */
  readonly isOutside: boolean;
  /**
   * Place of the error in a module of the project: the file name is absolute, lines count from 1 and columns from 0. Null if the error is
   * not in a module of the project.
   */
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null;
}

/** ES modules as source texts, by name. The modules import each other by these names. */
export interface Scripts {
  readonly scripts: Readonly<Record<string, string>>;
  /** Names of the scripts that contain only code of libraries, and none of the project. */
  readonly libraries: readonly string[];
  /** Names of the entry scripts, one for each schema. Each entry script exports `description`, the description of its schema in JSON. */
  readonly entries: readonly string[];
}

const program = fileURLToPath(new URL('./bundle-program.js', import.meta.url));
// The file extension of this package: `.ts` if the package runs from its sources, and `.js` if it runs from dist.
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const describer = fileURLToPath(new URL(`./inside/describe-schema${extension}`, import.meta.url));

/** Timeout of the bundler, in milliseconds. */
const bundleTimeout = 60_000;
/** Maximum total size of all scripts, in bytes. */
const largestOutput = 64 * 2 ** 20;

/**
 * Bundles three things into scripts: the modules that contain schemas, the modules that they import, and the function that describes a
 * schema.
 */
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
  // Removes `NODE_OPTIONS`, because loaders and inspectors of this process must not affect the bundler.
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

/** Packages that the module of a schema may import. Subpaths of these packages are also allowed. */
const schemaLibraries: readonly string[] = [
  'zod',
  'valibot',
  '@valibot/to-json-schema',
  'arktype',
  '@ark/schema',
  '@ark/util',
];

/** A file of the project. When the file imports a package, the package is searched from the file's real path. */
interface ModuleFile {
  readonly text: string;
  readonly realPath: string;
}

/** The modules of a project that must run to create one schema. */
export interface SchemaModule {
  /** All files of the project that run, by their absolute names. */
  readonly files: ReadonlyMap<string, ModuleFile>;
  /**
   * Imports of other files of the project. For each importing file, a map from the import specifier to the absolute name of the imported
   * file.
   */
  readonly imports: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Imports from schema libraries, each with the name of the importing file. */
  readonly libraries: readonly { readonly specifier: string; readonly importer: string }[];
  /** Errors about imports that lead neither to schema libraries nor to the project's own modules. */
  readonly findings: readonly Finding[];
}

/**
 * Finds the modules that run when the module of a schema is loaded, and reports the forbidden imports of these modules. Types may be
 * imported from any module, since type imports are erased before the module runs.
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

/** Returns the module specifiers of a file's imports, except for imports of types, which do not exist at run time. */
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

/**
 * @returns the absolute name of the imported file if it belongs to the project; `library` for a schema library; a finding for any other
 * import
 */
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

/** Reports dynamic imports, `require` and `import.meta`, because the modules that they load are unknown. */
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
    message: `the module of a schema imports '${name}', which is outside of the project after symbolic links are resolved`,
    fix: ['move the file into the project: nothing else is read when the module runs'],
  };
}

function placeOfNode(source: SourceProgram, node: ts.Node): SourcePlace {
  return placeInProject(source.projectDir, node.getSourceFile(), node.getStart());
}
