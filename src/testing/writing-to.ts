import { OpSdkError } from '../base/errors/index.ts';
import { errnoOf, errnoText } from '../base/util/fs.ts';

/** Error codes of the operating system for a path or disk that cannot be written to. */
const refusals = new Set(['EACCES', 'EDQUOT', 'EISDIR', 'ENOENT', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS']);

/**
 * Runs `work`, which writes to `path` or to files below it.
 * @throws OpSdkError io/cannot-write if the operating system refuses a write; other errors of `work` unchanged
 */
export async function writingTo<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!refusals.has(errnoOf(error) ?? '')) throw error;
    throw new OpSdkError(
      {
        code: 'io/cannot-write',
        message: `${path} cannot be written to: ${errnoText(error)}`,
        where: { file: path },
        fix: ['see that the folder exists, can be written to, and the disk has room'],
      },
      { cause: error },
    );
  }
}
