import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { OpSdkError } from '../../../../errors/index.ts';

/** Where files go: a root that exists, and the folder below it; `''` for the root itself. */
export interface OutputPlace {
  readonly root: string;
  /** With forward slashes. */
  readonly folder: string;
}

/**
 * The place of a folder that may not be there yet, inside or outside of the folder of the command.
 * @throws OpSdkError `cli/invalid-value` if something else has its name
 */
export async function outputPlace(cwd: string, outputDir: string): Promise<OutputPlace> {
  const wanted = resolve(cwd, outputDir);
  const existing = await stat(wanted).catch(() => undefined);
  if (outputDir === '' || existing?.isDirectory() === false) {
    throw new OpSdkError({
      code: 'cli/invalid-value',
      message: `'${outputDir}' is not a folder`,
      where: { flag: '--output-dir' },
      fix: ['name a folder; it is made if it does not exist'],
    });
  }
  // A plan writes below its root only, and its root must exist.
  const root = isBelow(cwd, wanted) ? cwd : existingAncestor(wanted);
  return { root, folder: relative(root, wanted).split(sep).join('/') };
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function existingAncestor(path: string): string {
  return existsSync(path) ? path : existingAncestor(dirname(path));
}
