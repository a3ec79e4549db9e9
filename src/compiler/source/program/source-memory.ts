import type ts from 'typescript';
import type { SourceSystem, TypeScript } from './compiler.ts';

/** The syntax trees of former programs of a process. A tree is taken again only if the text and all that decides on it are the same. */
export interface SourceMemory {
  readonly trees: Map<string, RememberedTree>;
}

interface RememberedTree {
  readonly text: string;
  /** Settings on which the tree depends beside the text. */
  readonly settings: string;
  readonly file: ts.SourceFile;
}

/** A memory without trees. It grows with the files that programs reach; those that none reaches any more are dropped by `forgetUnused`. */
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
  // Where modules are found makes no difference to a tree; folders would make each project's trees its own.
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
