import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import { errnoOf, errnoText } from '../../base/util/fs.ts';

/**
 * The text of a file of the project, byte for byte.
 * @param path relative to `root`, with forward slashes
 * @returns undefined if the file does not exist
 * @throws OpSdkError `io/cannot-read`
 */
export async function readFileOf(root: string, path: string): Promise<string | undefined> {
  try {
    const entry = await stat(join(root, path));
    // A reader would wait for a pipe, and come to no end of a device.
    if (!entry.isFile() && !entry.isDirectory())
      throw new OpSdkError({
        code: 'io/cannot-read',
        message: `${path} cannot be read: it is not a regular file`,
        where: { file: path },
        fix: ['write the file itself'],
      });
    return await readFile(join(root, path), 'utf8');
  } catch (error) {
    if (error instanceof OpSdkError) throw error;
    // ENOTDIR: a folder of the path is a file.
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw new OpSdkError(
      {
        code: 'io/cannot-read',
        message: `${path} cannot be read: ${errnoText(error)}`,
        where: { file: path },
      },
      { cause: error },
    );
  }
}
