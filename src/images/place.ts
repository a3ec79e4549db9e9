import { relative, resolve, sep } from 'node:path';

/** A file or folder on disk, and how findings call it. */
export interface Place {
  /** Absolute. */
  readonly path: string;
  /** Relative to the folder in which the command runs, where that is shorter. */
  readonly shown: string;
}

/** The place that a text means in a folder. */
export function resolvePlace(cwd: string, text: string): Place {
  const path = resolve(cwd, text);
  const way = relative(cwd, path);
  const isBelow = way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && path.endsWith(way);
  return { path, shown: isBelow ? way.split(sep).join('/') : path };
}
