import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';

/** One name in a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/**
 * The looks at the file system that generators take. They go through an object so that it can be noted what was seen (see
 * `observe`), and so that files that are not written yet can be shown as if they were.
 */
export interface FileView {
  /** Returns true if a path is a file, or a link to one. */
  fileExists(path: string): boolean;
  /** Returns true if a path is a folder, or a link to one. */
  directoryExists(path: string): boolean;
  /** The text of a file; undefined if it is not there or cannot be read. */
  readFile(path: string): string | undefined;
  /** Where a path leads once every link is followed; the path itself if that cannot be determined. */
  realpath(path: string): string;
  /**
   * Lists a folder in the order of the names, without hidden names: editors keep locks and half-written files under them.
   * @throws what the system says if it cannot be listed
   */
  list(folder: string): readonly FolderEntry[];
}

/** The file system as it is. */
export const diskView: FileView = {
  fileExists: (path) => statOf(path)?.isFile() === true,
  directoryExists: (path) => statOf(path)?.isDirectory() === true,
  readFile: (path) => {
    const bytes = readBytes(path);
    return bytes === undefined ? undefined : decode(bytes);
  },
  realpath: (path) => {
    try {
      return realpathSync.native(path);
    } catch {
      // As the compiler has it: what leads nowhere stays what it is, and is found missing when it is read.
      return path;
    }
  },
  list: (folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.'))
      .map((entry): FolderEntry => {
        if (entry.isFile()) return { name: entry.name, kind: 'file' };
        if (entry.isDirectory()) return { name: entry.name, kind: 'folder' };
        return { name: entry.name, kind: entry.isSymbolicLink() ? 'link' : 'other' };
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
};

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A path through a file (ENOTDIR), or through a folder that is closed to us: nothing is there for us.
    return undefined;
  }
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    // Whoever asked knows what a missing file means to them; the compiler asks for many that may be absent.
    return undefined;
  }
}

/** UTF-8, or UTF-16 with a byte order mark, as the compiler reads sources. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return bytes.toString('utf16le', 2);
  if (first === 0xfe && second === 0xff) {
    const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
    return even.swap16().toString('utf16le', 2);
  }
  if (first === 0xef && second === 0xbb && bytes[2] === 0xbf) return bytes.toString('utf8', 3);
  return bytes.toString('utf8');
}
