import { watch, type FSWatcher } from 'node:fs';
import { dirname } from 'node:path';
import { stillHolds, type Observations, diskView } from './observe-files.ts';

/** Milliseconds without an event before the files are checked, because editors and git write several files in a row. */
const quietFor = 80;
/** Milliseconds between checks without any event, because some file systems (network mounts, container mounts) do not report changes. */
const lookEvery = 2000;

/**
 * Waits until the file system differs from the observations: a changed text, a file that appears or disappears, a name in a listed folder.
 * Watches folders instead of files, and never recursively. This works the same on every platform and Node version, and continues to work
 * when an editor replaces a file.
 *
 * @returns false if `signal` ended the wait
 */
export async function nextChange(observations: Observations, signal: AbortSignal): Promise<boolean> {
  const watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  try {
    return await new Promise<boolean>((done) => {
      const lookIn = (milliseconds: number): void => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          if (stillHolds(observations)) lookIn(lookEvery);
          else done(true);
        }, milliseconds);
      };
      if (signal.aborted) return done(false);
      onAbort = () => done(false);
      signal.addEventListener('abort', onAbort, { once: true });
      for (const folder of foldersOf(observations)) {
        const watcher = watchFolder(folder, () => lookIn(quietFor));
        if (watcher !== undefined) watchers.push(watcher);
      }
      // A file may have changed before its folder was watched, so check now.
      lookIn(0);
    });
  } finally {
    clearTimeout(timer);
    // The signal outlives this wait, and many waits may share it, so remove the listener.
    signal.removeEventListener('abort', onAbort);
    for (const watcher of watchers) watcher.close();
  }
}

/** Watches a folder. If that fails (the system limits the number of watches), the periodic check still covers the folder. */
function watchFolder(folder: string, onEvent: () => void): FSWatcher | undefined {
  try {
    return watch(folder, onEvent).on('error', onEvent);
  } catch {
    return undefined;
  }
}

/** Returns the folders to watch in order to notice changes of the observed files and folders. */
function foldersOf({ texts, files, folders, links, lists }: Observations): ReadonlySet<string> {
  const inside = [texts, files, folders, links]
    .flatMap((kind) => Object.keys(kind))
    .map((path) => dirname(path));
  return new Set([...inside, ...Object.keys(lists)].map(nearestFolder));
}

/** Returns the nearest existing folder above a path, in which a missing folder would appear. */
function nearestFolder(path: string): string {
  return diskView.directoryExists(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}
