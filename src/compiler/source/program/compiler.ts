import path from 'node:path';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import type ts from 'typescript';
import type * as engine from 'ts-json-schema-generator';
import type { Finding } from '../../../base/errors/index.ts';
import type { SourcePlace } from '../evaluate/evaluated-value.ts';
import type { FileView } from '../../../base/util/observe-files.ts';
import { requireCompiled } from '../../../base/util/code-cache.ts';

/** The options of the user's tsconfig that say how a module specifier becomes a file. All others are ours. */
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
 * Our compiler options: a library without DOM, no ambient `@types`, strict null checks; only module resolution is the user's, from the
 * nearest tsconfig.json with its `extends`. All other options there, known or unknown to this compiler, are ignored.
 */
export function compilerOptions(
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
  // The list of files is not wanted here, and looking for it can be slow in a big folder.
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

/** Codes for an `extends` that cannot be read or is circular: "File '{0}' not found", "Cannot read file", "Circularity". */
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

/** The texts of `extends`. */
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

/** A position of a source file as the user reads it: the file relative to the project, line and column from 1. */
export function placeInProject(projectDir: string, file: ts.SourceFile, position: number): SourcePlace {
  const { line, character } = file.getLineAndCharacterOfPosition(position);
  return { file: projectPath(projectDir, file.fileName), line: line + 1, column: character + 1 };
}

/** A file relative to the project, with forward slashes. */
export function projectPath(projectDir: string, fileName: string): string {
  return path.relative(path.resolve(projectDir), path.resolve(fileName)).replaceAll('\\', '/');
}

/**
 * Texts of files that are not written yet, or stand in for what is there: by their paths relative to the project, with
 * forward slashes.
 */
export type SourceTexts = ReadonlyMap<string, string>;

/** The parts of the file system that the compiler reads sources and settings through. */
export type SourceSystem = Omit<FileView, 'list'>;

/**
 * The file system as it will be with these texts.
 * @param projectDir absolute
 */
export function sourceSystem(
  ts: TypeScript,
  projectDir: string,
  texts: SourceTexts,
  disk: FileView,
): SourceSystem {
  const files = new Map<string, string>();
  const folders = new Set<string>();
  const keyOf = (name: string): string => {
    const key = path.resolve(projectDir, name);
    return ts.sys.useCaseSensitiveFileNames ? key : key.toLowerCase();
  };
  // What is imported by way of a linked package is looked for where the link leads.
  for (const root of new Set([projectDir, realpathSync(projectDir)])) {
    for (const [name, text] of texts) {
      const file = path.resolve(root, name);
      files.set(keyOf(file), text);
      for (let folder = path.dirname(file); folder.startsWith(root); folder = path.dirname(folder)) {
        folders.add(keyOf(folder));
        if (folder === root) break;
      }
    }
  }
  return {
    fileExists: (name) => files.has(keyOf(name)) || disk.fileExists(name),
    readFile: (name) => files.get(keyOf(name)) ?? disk.readFile(name),
    directoryExists: (name) => folders.has(keyOf(name)) || disk.directoryExists(name),
    realpath: (name) => disk.realpath(name),
  };
}

/** The compiler's programming interface. */
export type TypeScript = typeof ts;
/** ts-json-schema-generator's programming interface. */
export type SchemaEngine = typeof engine;

const requireOwn = createRequire(import.meta.url);

/**
 * The TypeScript that ts-json-schema-generator uses, never the project's: syntax trees must come from the one compiler that
 * the generator checks them against, and a project may have a TypeScript without this interface (version 7).
 */
export function loadTypeScript(): TypeScript {
  const requireFromGenerator = createRequire(requireOwn.resolve('ts-json-schema-generator'));
  return requireCompiled(requireFromGenerator.resolve('typescript')) as TypeScript;
}

/** Message of the compiler in the form of our own: lower case, no full stop. */
export function compilerMessage(ts: TypeScript, diagnostic: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n').replace(/\.$/, '');
  return /^[A-Z][a-z]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

/** ts-json-schema-generator, loaded as CommonJS so that it shares the compiler of `loadTypeScript`. */
export function loadSchemaEngine(): SchemaEngine {
  return requireOwn('ts-json-schema-generator') as SchemaEngine;
}
