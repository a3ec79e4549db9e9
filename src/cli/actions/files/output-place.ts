import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';

/** Destination of files: an existing root folder, and a folder below it. The folder is `''` if the files go into the root itself. */
export interface OutputPlace {
  /** Absolute path of the root. */
  readonly root: string;
  /** Path of the folder relative to the root, with forward slashes. */
  readonly folder: string;
}

/** Returns the place of a folder that need not exist yet, inside or outside of the working directory. */
export function outputPlace(cwd: string, outputDir: string): OutputPlace {
  const wanted = resolve(cwd, outputDir);
  // A plan writes below its root only, and its root must exist.
  const root = isBelow(cwd, wanted) ? cwd : existingAncestor(wanted);
  return { root, folder: relative(root, wanted).split(sep).join('/') };
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Returns the path itself if it exists, otherwise the nearest folder above it that exists. */
export function existingAncestor(path: string): string {
  return existsSync(path) ? path : existingAncestor(dirname(path));
}
