import { createHash } from 'node:crypto';
import { diskView, type FileView, type FolderEntry } from './file-view.ts';

/**
 * What was seen of the file system, by absolute path: enough to tell later whether the same looks would show the same. What is
 * not there counts as much as what is: a file that appears can change what an import means.
 */
export interface Observations {
  /** Hashes of the texts that were read; null: there was no such file. */
  readonly texts: Readonly<Record<string, string | null>>;
  readonly files: Readonly<Record<string, boolean>>;
  readonly folders: Readonly<Record<string, boolean>>;
  readonly links: Readonly<Record<string, string>>;
  /** Hashes of the lists of names; '' for a folder that could not be listed. */
  readonly lists: Readonly<Record<string, string>>;
}

export interface ObservedView {
  readonly view: FileView;
  /**
   * What was seen so far; undefined if something changed between two looks at it, so that what was made of them belongs to no
   * one state of the files.
   */
  observations(): Observations | undefined;
}

const closed = '';

/** A view that notes what it shows. */
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
  return {
    view,
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

/** Whether the same looks still show the same. */
export function stillHolds(observations: Observations, view: FileView = diskView): boolean {
  const { texts, files, folders, links, lists } = observations;
  return (
    // What changes most often comes first.
    Object.entries(lists).every(([path, hash]) => listHash(view, path) === hash) &&
    Object.entries(texts).every(([path, hash]) => textHash(view, path) === hash) &&
    // A text that could be read is a file.
    Object.entries(files).every(
      ([path, is]) => (is && texts[path] != null) || view.fileExists(path) === is,
    ) &&
    Object.entries(folders).every(([path, is]) => view.directoryExists(path) === is) &&
    Object.entries(links).every(([path, real]) => view.realpath(path) === real)
  );
}

function textHash(view: FileView, path: string): string | null {
  const text = view.readFile(path);
  return text === undefined ? null : hashOf(text);
}

function listHash(view: FileView, path: string): string {
  try {
    return hashOfList(view.list(path));
  } catch {
    // Not there any more, or closed to us.
    return closed;
  }
}

function hashOfList(entries: readonly FolderEntry[]): string {
  return hashOf(JSON.stringify(entries.map(({ name, kind }) => [name, kind])));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
