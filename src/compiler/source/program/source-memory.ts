import type ts from 'typescript';
import type { SourceSystem, TypeScript } from './compiler.ts';

/**
 * Syntax trees of earlier programs in the same process. A tree is reused only if the text of the file is unchanged, and all settings that
 * affect the tree are unchanged.
 */
export interface SourceMemory {
  readonly trees: Map<string, RememberedTree>;
}

interface RememberedTree {
  readonly text: string;
  /** Settings that affect the syntax tree in addition to the text. */
  readonly settings: string;
  readonly file: ts.SourceFile;
}

/**
 * Creates an empty memory for syntax trees. Each loaded program adds its files; `forgetUnused` removes the files that a program no longer
 * contains.
 */
export function createSourceMemory(): SourceMemory {
  return { trees: new Map() };
}

/**
 * Syntax trees of TypeScript's standard library and of this package, shared by all programs of the process. These files do not change while
 * the process runs, and parsing them takes most of the time for loading a small project.
 */
const libraries = createSourceMemory();

interface SourceReaderOptions {
  /** Returns true for a file whose doc comments are needed. */
  readonly hasDocs: (fileName: string) => boolean;
  readonly memory?: SourceMemory;
}

/** Returns the function `getSourceFile` for a compiler host, with which a program gets its syntax trees. */
export function sourceReader(
  ts: TypeScript,
  options: ts.CompilerOptions,
  system: SourceSystem,
  { hasDocs, memory }: SourceReaderOptions,
): ts.CompilerHost['getSourceFile'] {
  // Omits the settings with folders, because the location of modules does not affect a syntax tree, and projects with different folders
  // could not share trees.
  const { paths: _paths, pathsBasePath: _base, baseUrl: _url, ...deciding } = options;
  const common = JSON.stringify(deciding);
  return (fileName, languageVersionOrOptions) => {
    const text = system.readFile(fileName);
    if (text === undefined) return undefined;
    const requested =
      typeof languageVersionOrOptions === 'object'
        ? languageVersionOrOptions
        : { languageVersion: languageVersionOrOptions };
    const settings = `${requested.languageVersion} ${requested.impliedNodeFormat ?? ''} ${common}`;
    const remembered = memory ?? (hasDocs(fileName) ? undefined : libraries);
    const known = remembered?.trees.get(fileName);
    if (known?.text === text && known.settings === settings) return known.file;
    const { ParseAll, ParseNone } = ts.JSDocParsingMode;
    const mode = hasDocs(fileName) ? ParseAll : ParseNone;
    const file = ts.createSourceFile(fileName, text, { ...requested, jsDocParsingMode: mode }, true);
    remembered?.trees.set(fileName, { text, settings, file });
    return file;
  };
}
