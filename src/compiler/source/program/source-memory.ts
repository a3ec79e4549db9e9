import type ts from 'typescript';
import type { SourceSystem, TypeScript } from './compiler.ts';

/** The syntax trees of former programs of a process. A tree is reused only if the text and all settings that affect it are the same. */
export interface SourceMemory {
  readonly trees: Map<string, RememberedTree>;
}

interface RememberedTree {
  readonly text: string;
  /** Settings on which the tree depends beside the text. */
  readonly settings: string;
  readonly file: ts.SourceFile;
}

/** Creates an empty memory. It grows with the files that programs reach; `forgetUnused` drops those that none reaches any more. */
export function createSourceMemory(): SourceMemory {
  return { trees: new Map() };
}

/**
 * The trees of TypeScript's library and of this package, for all programs of the process: these files do not change while it runs, and parsing them
 * is most of what loading a small project costs.
 */
const libraries = createSourceMemory();

interface SourceReaderOptions {
  /** True for files whose doc comments are wanted. */
  readonly hasDocs: (fileName: string) => boolean;
  readonly memory?: SourceMemory;
}

/** Returns `getSourceFile` of a compiler host, which gives a program its syntax trees. */
export function sourceReader(
  ts: TypeScript,
  options: ts.CompilerOptions,
  system: SourceSystem,
  { hasDocs, memory }: SourceReaderOptions,
): ts.CompilerHost['getSourceFile'] {
  // The location of modules does not affect a tree; with folders, no two projects would share trees.
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
