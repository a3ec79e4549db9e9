import type ts from 'typescript';
import { basename, dirname, resolve } from 'node:path';
import type { Finding } from '../../../base/errors/index.ts';
import type { SourcePlace } from '../evaluate/evaluated-value.ts';
import { diskView, type FileView } from '../../../base/util/observe-files.ts';
import {
  placeInProject,
  projectPath,
  sourceSystem,
  type SourceSystem,
  type SourceTexts,
  compilerMessage,
  loadTypeScript,
  type TypeScript,
} from './compiler.ts';
import {
  projectBoundary,
  type ProjectBoundary,
  isOwnSpecifier,
  ownImport,
  ownModule,
  ownPath,
} from './project-boundary.ts';
import { sourceReader, type SourceMemory } from './source-memory.ts';

/** The options of the user's tsconfig that control how a module specifier is resolved to a file. All others are ours. */
const resolutionOptions = [
  'paths',
  'pathsBasePath',
  'baseUrl',
  'module',
  'moduleResolution',
  'customConditions',
  'resolveJsonModule',
] as const;

/**
 * Returns the compiler options: the standard library without DOM, no ambient `@types`, strict checks. Only the options for module
 * resolution come from the user. They are read from the nearest tsconfig.json and from the files that it `extends`. All other options in
 * these files are ignored, even if this compiler does not know them.
 */
function compilerOptions(
  ts: TypeScript,
  projectDir: string,
  system: SourceSystem,
): { readonly options: ts.CompilerOptions; readonly findings: Finding[] } {
  const { options: user, findings } = readUserOptions(ts, projectDir, system);
  const picked: ts.CompilerOptions = Object.fromEntries(
    resolutionOptions.filter((name) => user[name] !== undefined).map((name) => [name, user[name]]),
  );
  return { options: { ...ownOptions(ts), ...withResolution(ts, picked) }, findings };
}

function ownOptions(ts: TypeScript): ts.CompilerOptions {
  return {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts'],
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    skipDefaultLibCheck: true,
    forceConsistentCasingInFileNames: true,
  };
}

// Without `moduleResolution` this compiler would fall back to the algorithm of TypeScript 1 for ES modules; newer ones take `bundler`.
function withResolution(ts: TypeScript, options: ts.CompilerOptions): ts.CompilerOptions {
  const module = options.module ?? ts.ModuleKind.ESNext;
  const node = module >= ts.ModuleKind.Node16 && module <= ts.ModuleKind.NodeNext;
  if (options.moduleResolution !== undefined || node) return { module, ...options };
  return { ...options, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
}

function readUserOptions(
  ts: TypeScript,
  projectDir: string,
  system: SourceSystem,
): { readonly options: ts.CompilerOptions; readonly findings: Finding[] } {
  const file = ts.findConfigFile(projectDir, (path) => system.fileExists(path));
  if (file === undefined) return { options: {}, findings: [] };
  const source = ts.readJsonConfigFile(file, (path) => system.readFile(path));
  const broken = (source as unknown as { parseDiagnostics: ts.Diagnostic[] }).parseDiagnostics;
  if (broken.length > 0)
    return { options: {}, findings: broken.map((item) => syntaxFinding(ts, projectDir, file, item)) };
  // Returns no files for the project's file list, because the list is not needed, and searching a big folder for files can be slow.
  const host: ts.ParseConfigHost = {
    useCaseSensitiveFileNames: ts.sys.useCaseSensitiveFileNames,
    readDirectory: () => [],
    fileExists: (path) => system.fileExists(path),
    readFile: (path) => system.readFile(path),
  };
  const folder = file.slice(0, file.lastIndexOf('/'));
  const parsed = ts.parseJsonSourceFileConfigFileContent(source, host, folder, undefined, file);
  const unreadable = parsed.errors.filter(({ code }) => isUnreadable(code));
  return {
    options: parsed.options,
    findings: unreadable.map((item) => extendsFinding(ts, projectDir, source, item)),
  };
}

/** Codes of errors about an `extends` that cannot be read or is circular: "File '{0}' not found", "Cannot read file", "Circularity". */
const extendsCodes: ReadonlySet<number> = new Set([5012, 5083, 6053, 6096, 18000]);

/** All below 2000 are errors of syntax; those of the file itself have been reported. */
function isUnreadable(code: number): boolean {
  return code < 2000 || extendsCodes.has(code);
}

function extendsFinding(
  ts: TypeScript,
  projectDir: string,
  source: ts.TsConfigSourceFile,
  diagnostic: ts.Diagnostic,
): Finding {
  const { fileName } = source;
  const name = fileName.slice(fileName.lastIndexOf('/') + 1);
  const message = compilerMessage(ts, diagnostic);
  const named = extendedNames(ts, source);
  const base = named.find(({ text }) => message.includes(text.replace(/^[./]+/, ''))) ?? named[0];
  return {
    code: 'schema/tsconfig',
    message: `cannot read what ${name} extends: ${message}`,
    where:
      diagnostic.file === undefined && base !== undefined
        ? placeInProject(projectDir, source, base.getStart(source))
        : placeOf(projectDir, fileName, diagnostic),
    fix: ['correct `extends`, or install the package that it names'],
  };
}

/** Returns the string literals in `extends` of a tsconfig.json. */
function extendedNames(ts: TypeScript, source: ts.TsConfigSourceFile): readonly ts.StringLiteral[] {
  const root = source.statements[0]?.expression;
  if (root === undefined || !ts.isObjectLiteralExpression(root)) return [];
  return root.properties.flatMap((property) => {
    if (!ts.isPropertyAssignment(property) || !ts.isStringLiteral(property.name)) return [];
    if (property.name.text !== 'extends') return [];
    const { initializer } = property;
    const items: readonly ts.Expression[] = ts.isArrayLiteralExpression(initializer)
      ? initializer.elements
      : [initializer];
    return items.filter((item): item is ts.StringLiteral => ts.isStringLiteral(item));
  });
}

function placeOf(projectDir: string, file: string, diagnostic: ts.Diagnostic): Finding['where'] & object {
  return diagnostic.file === undefined
    ? { file: projectPath(projectDir, file) }
    : placeInProject(projectDir, diagnostic.file, diagnostic.start ?? 0);
}

function syntaxFinding(ts: TypeScript, projectDir: string, file: string, diagnostic: ts.Diagnostic): Finding {
  return {
    code: 'schema/tsconfig',
    message: `cannot parse ${file.slice(file.lastIndexOf('/') + 1)}: ${compilerMessage(ts, diagnostic)}`,
    where: placeOf(projectDir, file, diagnostic),
    fix: ['correct the syntax of the file'],
  };
}

/** The parsed sources of a project. One program contains all kinds, controllers and declarations. */
export interface SourceProgram {
  readonly ts: TypeScript;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** Returns the text of any file as the program reads it; undefined if the file does not exist. */
  readonly readFile: (file: string) => string | undefined;
  readonly boundary: ProjectBoundary;
  readonly imports: ImportGraph;
  /** Absolute path of the project. Places in findings are relative to this path. */
  readonly projectDir: string;
  /** Absolute paths of the files that the caller requested, in the order of the request. */
  readonly rootFiles: readonly string[];
  /** Files that are missing and syntax errors of all project files reached. With any of these, nothing read from the program is trustworthy. */
  readonly diagnostics: readonly Finding[];
}

export interface LoadOptions {
  /** Path of the project. The tsconfig.json is searched in this folder and in its parent folders. */
  readonly projectDir: string;
  /** Files to load, as absolute paths or relative to `projectDir`. The files that they import are also loaded. */
  readonly rootFiles: readonly string[];
  /** Texts of files that are read instead of the files on disk. They may include tsconfig.json and package.json. Default: none. */
  readonly texts?: SourceTexts | undefined;
  /** View of the file system through which all files are read. Default: the file system itself. */
  readonly files?: FileView | undefined;
  /** Syntax trees of earlier programs. A tree is reused if the text of its file has not changed. Default: none. */
  readonly memory?: SourceMemory | undefined;
}

/**
 * Loads TypeScript sources with op-sdk's own compiler. Imports of `opsdk` always lead to the running package, even if the project has not
 * installed it. Never throws because of the content of files; reports problems in `diagnostics` instead.
 */
export function loadProgram(request: LoadOptions): SourceProgram {
  const { projectDir, rootFiles, texts, memory, files: disk = diskView } = request;
  const ts = loadTypeScript();
  const root = resolve(projectDir);
  const files = rootFiles.map((file) => resolve(root, file));
  const system = texts === undefined ? disk : sourceSystem(ts, root, texts, disk);
  const { options, findings } = compilerOptions(ts, root, system);
  const boundary = projectBoundary(root, system);
  const outside = new OutsideFiles(ts, root, boundary);
  const imports = new ImportGraph();
  const host = createHost(ts, options, system, memory, { outside, imports });
  const program = ts.createProgram({ rootNames: files, options, host });
  if (memory !== undefined) forgetUnused(memory, program);
  const missing = files.filter(
    (file) => program.getSourceFile(file) === undefined && !outside.isRefused(file),
  );
  return {
    ts,
    program,
    checker: program.getTypeChecker(),
    readFile: (file) => system.readFile(file),
    boundary,
    imports,
    projectDir: root,
    rootFiles: files,
    diagnostics: [
      ...findings,
      ...outside.findings(program),
      ...missing.map((file): Finding => ({
        code: 'io/not-found',
        message: 'the file does not exist',
        where: { file },
      })),
      ...syntaxFindings(ts, program, root),
    ],
  };
}

/** True if a file belongs to the user: not a dependency, not this package, not TypeScript's library. */
export function isProjectFile(program: ts.Program, file: ts.SourceFile): boolean {
  return (
    !program.isSourceFileDefaultLibrary(file) &&
    !program.isSourceFileFromExternalLibrary(file) &&
    !file.fileName.includes('/node_modules/') &&
    ownPath(file.fileName) === undefined
  );
}

function createHost(
  ts: TypeScript,
  options: ts.CompilerOptions,
  system: SourceSystem,
  memory: SourceMemory | undefined,
  { outside, imports }: { readonly outside: OutsideFiles; readonly imports: ImportGraph },
): ts.CompilerHost {
  const host = ts.createCompilerHost(options, true);
  const libraries = host.getDefaultLibLocation?.() ?? '';
  const isOwn = (name: string): boolean => ownPath(name) !== undefined || name.startsWith(libraries);
  const read = sourceReader(ts, options, system, {
    // The comments of the library and of this package are never needed, and reading them costs as much as everything else.
    hasDocs: (name) => !isOwn(name),
    ...(memory === undefined ? {} : { memory }),
  });
  Object.assign(host, {
    fileExists: (name) => system.fileExists(name),
    readFile: (name) => system.readFile(name),
    directoryExists: (name) => system.directoryExists(name),
    realpath: (name) => system.realpath(name),
    getSourceFile: (name, settings) =>
      isOwn(name) || !outside.refuses(name) ? read(name, settings) : undefined,
  } satisfies Partial<ts.CompilerHost>);
  const canonical = (fileName: string): string => host.getCanonicalFileName(fileName);
  const cache = ts.createModuleResolutionCache(host.getCurrentDirectory(), canonical, options);
  const resolveName = (
    { text: name }: ts.StringLiteralLike,
    containingFile: string,
    redirected: ts.ResolvedProjectReference | undefined,
    compiler: ts.CompilerOptions,
    mode: ts.ResolutionMode,
  ): ts.ResolvedModuleWithFailedLookupLocations => {
    if (isOwnSpecifier(name))
      return resolved(
        ts,
        ownModule(name, (file) => system.fileExists(file)),
      );
    if (ownPath(containingFile) !== undefined) return resolved(ts, ownImport(containingFile, name));
    return ts.resolveModuleName(name, containingFile, compiler, host, cache, redirected, mode);
  };
  const resolver: Pick<Required<ts.CompilerHost>, 'resolveModuleNameLiterals'> = {
    resolveModuleNameLiterals: (literals, containingFile, redirected, compiler, file) =>
      literals.map((literal) => {
        const mode = ts.getModeForUsageLocation(file, literal, compiler);
        const found = resolveName(literal, containingFile, redirected, compiler, mode);
        const imported = found.resolvedModule?.resolvedFileName;
        if (imported === undefined) return found;
        imports.add(containingFile, imported);
        // A file with `declare module 'x'` adds to the types of x, so it is recorded as if x imported it.
        if (ts.isModuleDeclaration(literal.parent)) imports.add(imported, containingFile);
        outside.note(imported, file, literal);
        return found;
      }),
  };
  return Object.assign(host, resolver);
}

/** Files to which sources refer but that are not read, because they are outside of the boundary of the project. */
class OutsideFiles {
  readonly #ts: TypeScript;
  readonly #projectDir: string;
  readonly #boundary: ProjectBoundary;
  readonly #refused = new Set<string>();
  /** Place of the first import of each file, by the name of the imported file. */
  readonly #imports = new Map<string, SourcePlace>();

  constructor(ts: TypeScript, projectDir: string, boundary: ProjectBoundary) {
    this.#ts = ts;
    this.#projectDir = projectDir;
    this.#boundary = boundary;
  }

  note(imported: string, importer: ts.SourceFile, specifier: ts.Node): void {
    if (this.#imports.has(imported)) return;
    this.#imports.set(imported, placeInProject(this.#projectDir, importer, specifier.getStart(importer)));
  }

  /** Returns true if a file must not be read, and then records the file. */
  refuses(file: string): boolean {
    if (this.#boundary.allows(file)) return false;
    this.#refused.add(file);
    return true;
  }

  isRefused(file: string): boolean {
    return this.#refused.has(file);
  }

  findings(program: ts.Program): Finding[] {
    return [...this.#refused].map((file) => ({
      code: 'schema/outside-project',
      message: `${basename(file)} is outside of the project after symbolic links are resolved; expected a file of the project, or types of its repository or of installed packages`,
      where: this.#imports.get(file) ??
        this.#reference(program, file) ?? { file: projectPath(this.#projectDir, file) },
      fix: ['move the file into the project, or install it as a package'],
    }));
  }

  /** Returns the place of the `/// <reference path="…" />` that refers to a file. */
  #reference(program: ts.Program, file: string): SourcePlace | undefined {
    for (const source of program.getSourceFiles())
      for (const { fileName, pos } of source.referencedFiles)
        if (this.#ts.sys.resolvePath(resolve(dirname(source.fileName), fileName)) === file)
          return placeInProject(this.#projectDir, source, pos);
    return undefined;
  }
}

function resolved(ts: TypeScript, fileName: string | undefined): ts.ResolvedModuleWithFailedLookupLocations {
  if (fileName === undefined) return { resolvedModule: undefined };
  const extension = fileName.endsWith('.d.ts') ? ts.Extension.Dts : ts.Extension.Ts;
  return { resolvedModule: { resolvedFileName: fileName, extension, isExternalLibraryImport: false } };
}

function syntaxFindings(ts: TypeScript, program: ts.Program, projectDir: string): Finding[] {
  return program
    .getSourceFiles()
    .filter((file) => isProjectFile(program, file))
    .flatMap((file) => program.getSyntacticDiagnostics(file))
    .map((diagnostic) => ({
      code: 'schema/syntax-error',
      message: compilerMessage(ts, diagnostic),
      where: placeInProject(projectDir, diagnostic.file, diagnostic.start),
      fix: ['correct the syntax'],
    }));
}

/** Imports between the files of a program. Also contains `import type`, and `import('…')` in types. */
class ImportGraph {
  readonly #importers = new Map<string, Set<string>>();

  /** Records that one file imports another. Both names are absolute. */
  add(importer: string, imported: string): void {
    const importers = this.#importers.get(imported) ?? new Set();
    this.#importers.set(imported, importers.add(importer));
  }

  /** Returns the files that import a target file, directly or through other files. The target files themselves are included. */
  reaching(isTarget: (file: string) => boolean): ReadonlySet<string> {
    const reached = new Set([...this.#importers.keys()].filter(isTarget));
    // Iterating over a set also visits elements that are added during the iteration.
    for (const file of reached) for (const importer of this.#importers.get(file) ?? []) reached.add(importer);
    return reached;
  }
}

/** Removes the syntax trees of files that the program does not contain. */
function forgetUnused(memory: SourceMemory, program: ts.Program): void {
  for (const [name, { file }] of memory.trees) {
    if (program.getSourceFile(name) !== file) memory.trees.delete(name);
  }
}
