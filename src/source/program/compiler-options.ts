import type ts from 'typescript';
import type { Finding } from '../../errors/index.ts';
import { compilerMessage, type TypeScript } from './compiler.ts';
import { placeInProject } from './place.ts';
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
 * nearest tsconfig.json with its `extends`. What else stands there, known or unknown to this compiler, is ignored.
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
    lib: ['lib.es2015.d.ts'],
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
  return { options: parsed.options, findings: [] };
}

function syntaxFinding(ts: TypeScript, projectDir: string, file: string, diagnostic: ts.Diagnostic): Finding {
  const where =
    diagnostic.file === undefined
      ? { file }
      : placeInProject(projectDir, diagnostic.file, diagnostic.start ?? 0);
  return {
    code: 'schema/tsconfig',
    message: `cannot parse ${file.slice(file.lastIndexOf('/') + 1)}: ${compilerMessage(ts, diagnostic)}`,
    where,
    fix: ['correct the syntax of the file'],
  };
}
