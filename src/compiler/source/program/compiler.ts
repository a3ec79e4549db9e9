import path from 'node:path';
import type ts from 'typescript';
import type * as engine from 'ts-json-schema-generator';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { SourcePlace } from '../evaluate/evaluated-value.ts';
import type { FileView } from '../../../base/util/observe-files.ts';
import { requireCompiled } from '../../../base/util/code-cache.ts';

/** Returns a position of a source file as the user reads it: the file relative to the project, line and column from 1. */
export function placeInProject(projectDir: string, file: ts.SourceFile, position: number): SourcePlace {
  const { line, character } = file.getLineAndCharacterOfPosition(position);
  return { file: projectPath(projectDir, file.fileName), line: line + 1, column: character + 1 };
}

/** Returns the path of a file relative to the project, with forward slashes. */
export function projectPath(projectDir: string, fileName: string): string {
  return path.relative(path.resolve(projectDir), path.resolve(fileName)).replaceAll('\\', '/');
}

/**
 * Texts of files that are not written yet, or that replace existing files. The keys are paths relative to the project, with forward
 * slashes.
 */
export type SourceTexts = ReadonlyMap<string, string>;

/** The parts of the file system through which the compiler reads sources and settings. */
export type SourceSystem = Omit<FileView, 'list'>;

/**
 * Returns a view of the file system as if these texts were already written.
 * @param projectDir absolute path of the project
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
  // The texts are added under the real path, too, because imports through a linked package are resolved at the target of the link.
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
 * Loads the TypeScript that ts-json-schema-generator uses, never that of the project. The generator can only read syntax trees that come
 * from its own compiler, and a project may have a TypeScript without this interface (version 7).
 */
export function loadTypeScript(): TypeScript {
  const requireFromGenerator = createRequire(requireOwn.resolve('ts-json-schema-generator'));
  return requireCompiled(requireFromGenerator.resolve('typescript')) as TypeScript;
}

/** Returns a message of the compiler in the form of our own messages: lower case, no full stop. */
export function compilerMessage(ts: TypeScript, diagnostic: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n').replace(/\.$/, '');
  return /^[A-Z][a-z]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

/** Loads ts-json-schema-generator as CommonJS, so that it shares the compiler of `loadTypeScript`. */
export function loadSchemaEngine(): SchemaEngine {
  return requireOwn('ts-json-schema-generator') as SchemaEngine;
}
