import { existsSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { isInside } from '../../../project/scaffold/index.ts';

/** Destination of files: an existing root folder, and a path below it. `folder` is `''` if the files are written into the root itself. */
export interface OutputPlace {
  /** Absolute path of the root. */
  readonly root: string;
  /** Path of the folder relative to the root, with forward slashes. */
  readonly folder: string;
}

/**
 * Splits the path of an output folder into root and folder. The folder need not exist yet, and may be inside or outside of the working
 * directory.
 */
export function outputPlace(cwd: string, outputDir: string): OutputPlace {
  const wanted = resolve(cwd, outputDir);
  // A file plan writes only below its root, and the root must exist.
  const root = isInside(cwd, wanted) ? cwd : existingAncestor(wanted);
  return { root, folder: relative(root, wanted).split(sep).join('/') };
}

/** Returns the path itself if it exists, otherwise the nearest folder above it that exists. */
export function existingAncestor(path: string): string {
  return existsSync(path) ? path : existingAncestor(dirname(path));
}
