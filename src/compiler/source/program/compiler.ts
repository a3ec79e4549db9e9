import path from 'node:path';
import type ts from 'typescript';
import type * as engine from 'ts-json-schema-generator';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { SourcePlace } from '../evaluate/evaluated-value.ts';
import type { FileView } from '../../../base/util/observe-files.ts';
import { requireCompiled } from '../../../base/util/code-cache.ts';

/** Converts a position in a source file to a place for the user. The file is relative to the project; line and column count from 1. */
export function placeInProject(projectDir: string, file: ts.SourceFile, position: number): SourcePlace {
  const { line, character } = file.getLineAndCharacterOfPosition(position);
  return { file: projectPath(projectDir, file.fileName), line: line + 1, column: character + 1 };
}

/** Returns the path of a file relative to the project, with forward slashes. */
export function projectPath(projectDir: string, fileName: string): string {
  return path.relative(path.resolve(projectDir), path.resolve(fileName)).replaceAll('\\', '/');
}

/**
 * Texts of files that are not written yet, or that are read instead of existing files. The keys are paths relative to the project, with
 * forward slashes.
 */
export type SourceTexts = ReadonlyMap<string, string>;

/** The functions of the file system with which the compiler reads sources and settings. */
export type SourceSystem = Omit<FileView, 'list'>;

/**
 * Returns a view of the file system in which the given texts already exist as files.
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
  // Adds the texts under the real path of the project as well, because an import through a linked package is resolved to the real path.
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

/** Programming interface of the TypeScript compiler. */
export type TypeScript = typeof ts;
/** Programming interface of ts-json-schema-generator. */
export type SchemaEngine = typeof engine;

const requireOwn = createRequire(import.meta.url);

/**
 * Loads the TypeScript that ts-json-schema-generator uses, never the project's own TypeScript. The generator can read only syntax trees of
 * its own compiler. A project may also have a TypeScript without this programming interface (version 7).
 */
export function loadTypeScript(): TypeScript {
  const requireFromGenerator = createRequire(requireOwn.resolve('ts-json-schema-generator'));
  return requireCompiled(requireFromGenerator.resolve('typescript')) as TypeScript;
}

/** Returns a message of the compiler in the style of op-sdk's messages: starting in lower case, without a full stop. */
export function compilerMessage(ts: TypeScript, diagnostic: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n').replace(/\.$/, '');
  return /^[A-Z][a-z]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

/** Loads ts-json-schema-generator as CommonJS, so that it uses the same compiler instance as `loadTypeScript`. */
export function loadSchemaEngine(): SchemaEngine {
  return requireOwn('ts-json-schema-generator') as SchemaEngine;
}
