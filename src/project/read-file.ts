import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpSdkError } from '../errors/index.ts';
import { errnoOf, errnoText } from '../util/fs.ts';

/**
 * The text of a file of the project, byte for byte.
 * @param path relative to `root`, with forward slashes
 * @returns undefined if the file does not exist
 * @throws OpSdkError `io/cannot-read`
 */
export async function readFileOf(root: string, path: string): Promise<string | undefined> {
  try {
    return await readFile(join(root, path), 'utf8');
  } catch (error) {
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
