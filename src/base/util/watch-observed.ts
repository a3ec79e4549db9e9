import { watch, type FSWatcher } from 'node:fs';
import { dirname } from 'node:path';
import { stillHolds, type Observations, diskView } from './observe-files.ts';

/** Milliseconds without an event before a look: editors and git write several files in a row. */
const quietFor = 80;
/** Milliseconds between looks without any event: some file systems (networks, containers' mounts) do not tell of changes. */
const lookEvery = 2000;

/**
 * Waits until something that was observed is different: a text, a file that appears or goes, a name in a listed folder.
 * Folders are watched rather than files, and none of them recursively: that works alike on every platform and version of Node, and
 * outlives editors that put a new file in the place of the old one.
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
      // Something may have changed before it was watched.
      lookIn(0);
    });
  } finally {
    clearTimeout(timer);
    // The signal outlives this wait, and there will be many.
    signal.removeEventListener('abort', onAbort);
    for (const watcher of watchers) watcher.close();
  }
}

/** A folder that cannot be watched (the system allows so many) is looked at from time to time like all the others. */
function watchFolder(folder: string, onEvent: () => void): FSWatcher | undefined {
  try {
    return watch(folder, onEvent).on('error', onEvent);
  } catch {
    return undefined;
  }
}

/** The folders in which a change would show. */
function foldersOf({ texts, files, folders, links, lists }: Observations): ReadonlySet<string> {
  const inside = [texts, files, folders, links]
    .flatMap((kind) => Object.keys(kind))
    .map((path) => dirname(path));
  return new Set([...inside, ...Object.keys(lists)].map(nearestFolder));
}

/** A folder that is not there appears in the nearest one above that is. */
function nearestFolder(path: string): string {
  return diskView.directoryExists(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}
