import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { FileView } from '../../../base/util/file-view.ts';
import type { TypeScript } from './compiler.ts';

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
