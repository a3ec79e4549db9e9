import { stat } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { OpSdkError } from '../../../base/errors/index.ts';
import { invalidFlag } from '../input/flag-values.ts';

/**
 * Where a plan writes the one file that a flag names: its root, which exists, and the path below it. Folders on the way
 * need not exist.
 *
 * @throws OpSdkError `cli/invalid-value` for what cannot be a file
 */
export async function outputFile(
  cwd: string,
  flag: string,
  file: string,
): Promise<{ readonly root: string; readonly path: string }> {
  const whole = resolve(cwd, file);
  const fix = 'name a file';
  if (file === '' || (await isFolder(whole)) === true)
    throw new OpSdkError(invalidFlag(flag, `${flag} '${file}' is a folder`, fix));
  let root = dirname(whole);
  for (;;) {
    const folder = await isFolder(root);
    if (folder === true) break;
    if (folder === false)
      throw new OpSdkError(
        invalidFlag(flag, `${flag} '${file}' cannot be written: ${relative(cwd, root)} is a file`, fix),
      );
    root = dirname(root);
  }
  // Plans name files as people do: from the folder of the command.
  const from = root === cwd || root.startsWith(cwd + sep) ? cwd : root;
  return { root: from, path: relative(from, whole).split(sep).join('/') };
}

/** Undefined if there is nothing. */
async function isFolder(path: string): Promise<boolean | undefined> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // What cannot be looked at cannot be written either, and the writer says so.
    return undefined;
  }
}
