import type ts from 'typescript';
import type { Finding } from '../../../base/errors/index.ts';
import { compilerMessage, type TypeScript } from './compiler.ts';
import { placeInProject, projectPath } from './place.ts';
import type { SourceSystem } from './source-texts.ts';

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
