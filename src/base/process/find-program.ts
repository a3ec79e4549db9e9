import { access, constants, stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';

/** Endings of the names of programs, in the order in which they are tried. */
const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.ps1'] : [''];

/**
 * Returns the absolute path of a program by its name; undefined if no folder has a file of that name that the user may execute.
 * @param name name without an ending
 * @param path folders in the form of the variable `PATH`; empty ones are left out, since they would be the current folder
 */
export async function findProgram(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter((part) => part !== '')) {
    for (const ending of endings) {
      const file = resolve(folder, `${name}${ending}`);
      if (await isExecutable(file)) return file;
    }
  }
  return undefined;
}

/** Returns true if the user may execute the file. False for a folder, whose permission of that name allows to enter it. */
export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
