import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';

/**
 * Observations of the file system, by absolute path. They suffice to detect later whether the same reads would return the same results.
 * Missing files are recorded, too, because a new file can change the resolution of an import.
 */
export interface Observations {
  /** Hashes of the texts of files that were read; null if the file did not exist. */
  readonly texts: Readonly<Record<string, string | null>>;
  readonly files: Readonly<Record<string, boolean>>;
  readonly folders: Readonly<Record<string, boolean>>;
  readonly links: Readonly<Record<string, string>>;
  /** Hashes of the lists of names in folders; `''` for a folder that could not be listed. */
  readonly lists: Readonly<Record<string, string>>;
}

export interface ObservedView {
  readonly view: FileView;
  /**
   * Returns the observations so far; undefined if two reads of the same path differed, so that the observations match no single state of
   * the files.
   */
  observations(): Observations | undefined;
  /**
   * Records that the caller itself has written a file: earlier observations of the file and of the folders above it are replaced by the
   * current state.
   */
  written(path: string): void;
}

const closed = '';

/** Creates a view of the file system that records all reads. */
export function observe(base: FileView = diskView): ObservedView {
  const seen = {
    texts: new Map<string, string | null>(),
    files: new Map<string, boolean>(),
    folders: new Map<string, boolean>(),
    links: new Map<string, string>(),
    lists: new Map<string, string>(),
  };
  let torn = false;
  const note = <V>(kind: Map<string, V>, path: string, value: V): void => {
    if (!kind.has(path)) kind.set(path, value);
    else if (kind.get(path) !== value) torn = true;
  };
  const view: FileView = {
    fileExists(path) {
      const is = base.fileExists(path);
      note(seen.files, path, is);
      return is;
    },
    directoryExists(path) {
      const is = base.directoryExists(path);
      note(seen.folders, path, is);
      return is;
    },
    readFile(path) {
      const text = base.readFile(path);
      note(seen.texts, path, text === undefined ? null : hashOf(text));
      return text;
    },
    realpath(path) {
      const real = base.realpath(path);
      note(seen.links, path, real);
      return real;
    },
    list(folder) {
      try {
        const entries = base.list(folder);
        note(seen.lists, folder, hashOfList(entries));
        return entries;
      } catch (error) {
        note(seen.lists, folder, closed);
        throw error;
      }
    },
  };
  const again = <V>(kind: Map<string, V>, path: string, look: (path: string) => V): void => {
    if (kind.has(path)) kind.set(path, look(path));
  };
  return {
    view,
    written(path) {
      again(seen.texts, path, (file) => textHash(base, file));
      again(seen.files, path, (file) => base.fileExists(file));
      for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
        again(seen.folders, folder, (each) => base.directoryExists(each));
        again(seen.lists, folder, (each) => listHash(base, each));
      }
    },
    observations: () =>
      torn
        ? undefined
        : {
            texts: Object.fromEntries(seen.texts),
            files: Object.fromEntries(seen.files),
            folders: Object.fromEntries(seen.folders),
            links: Object.fromEntries(seen.links),
            lists: Object.fromEntries(seen.lists),
          },
  };
}

/** Returns true if the observed reads would still return the same results. */
export function stillHolds(observations: Observations, view: FileView = diskView): boolean {
  const { texts, files, folders, links, lists } = observations;
  return (
    // Compare first the paths that are most likely to have changed.
    Object.entries(lists).every(([path, hash]) => listHash(view, path) === hash) &&
    Object.entries(texts).every(([path, hash]) => textHash(view, path) === hash) &&
    // A path whose text could be read is certainly a file.
    Object.entries(files).every(
      ([path, is]) => (is && texts[path] != null) || view.fileExists(path) === is,
    ) &&
    Object.entries(folders).every(([path, is]) => view.directoryExists(path) === is) &&
    Object.entries(links).every(([path, real]) => view.realpath(path) === real)
  );
}

/** Returns the sorted paths whose state differs from the observations. Folders are included only if no file or link differs. */
export function changedPaths(observations: Observations, view: FileView = diskView): readonly string[] {
  const { texts, files, folders, links, lists } = observations;
  const pathsOf = <V>(seen: Readonly<Record<string, V>>, look: (path: string) => V): readonly string[] =>
    Object.entries(seen)
      .filter(([path, was]) => look(path) !== was)
      .map(([path]) => path);
  const changed = new Set([
    ...pathsOf(texts, (path) => textHash(view, path)),
    ...pathsOf(files, (path) => view.fileExists(path)),
    ...pathsOf(links, (path) => view.realpath(path)),
  ]);
  const places =
    changed.size > 0
      ? changed
      : new Set([
          ...pathsOf(folders, (path) => view.directoryExists(path)),
          ...pathsOf(lists, (path) => listHash(view, path)),
        ]);
  return [...places].sort();
}

/** Merges the observations of several views. */
export function mergeObservations(all: readonly Observations[]): Observations {
  const merge = <V>(of: (each: Observations) => Readonly<Record<string, V>>): Readonly<Record<string, V>> =>
    Object.assign({}, ...all.map(of)) as Record<string, V>;
  return {
    texts: merge(({ texts }) => texts),
    files: merge(({ files }) => files),
    folders: merge(({ folders }) => folders),
    links: merge(({ links }) => links),
    lists: merge(({ lists }) => lists),
  };
}

function textHash(view: FileView, path: string): string | null {
  const text = view.readFile(path);
  return text === undefined ? null : hashOf(text);
}

function listHash(view: FileView, path: string): string {
  try {
    return hashOfList(view.list(path));
  } catch {
    // The folder was deleted or cannot be read.
    return closed;
  }
}

function hashOfList(entries: readonly FolderEntry[]): string {
  return hashOf(JSON.stringify(entries.map(({ name, kind }) => [name, kind])));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** One name in a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/**
 * File system access of generators. It is an interface, so that reads can be recorded (see `observe`) and files that are not written yet
 * can be presented as existing.
 */
export interface FileView {
  /** Returns true if a path is a file, or a link to one. */
  fileExists(path: string): boolean;
  /** Returns true if a path is a folder, or a link to one. */
  directoryExists(path: string): boolean;
  /** Returns the text of a file; undefined if the file does not exist or cannot be read. */
  readFile(path: string): string | undefined;
  /** Returns the path after all links are resolved; the given path if that cannot be determined. */
  realpath(path: string): string;
  /**
   * Lists a folder, sorted by name. Omits hidden names, which editors use for locks and half-written files.
   * @throws the system error if the folder cannot be listed
   */
  list(folder: string): readonly FolderEntry[];
}

/** The real file system: reads are not recorded, and files that are not written yet do not exist. */
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
      // Like the compiler, leave a broken link unresolved. Reading it then reports the missing file.
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
    // A path through a file (ENOTDIR) or through an unreadable folder counts as missing.
    return undefined;
  }
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    // Callers handle missing files, and the compiler probes for many files that may not exist.
    return undefined;
  }
}

/** Decodes a source file as the compiler does: UTF-8, or UTF-16 with a byte order mark. */
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

/**
 * Reads everything in a folder through the view, even if the folder does not exist yet, so that a recording view notices every change below
 * the folder.
 */
export function lookBelow(files: FileView, folder: string): void {
  if (!files.directoryExists(folder)) return;
  for (const { name, kind } of files.list(folder)) {
    const path = join(folder, name);
    if (kind === 'folder') lookBelow(files, path);
    else files.readFile(path);
  }
}
