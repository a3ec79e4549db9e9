import type fc from 'fast-check';
import { OpSdkError } from '../../base/errors/index.ts';

/** Type of the default export of the package fast-check. */
export type FastCheck = typeof fc;

/**
 * Loads the optional package fast-check.
 * @throws OpSdkError `testing/fast-check-missing`
 */
export async function loadFastCheck(
  load: () => Promise<{ readonly default: FastCheck }> = () => import('fast-check'),
): Promise<FastCheck> {
  try {
    return (await load()).default;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new OpSdkError(
      {
        code: 'testing/fast-check-missing',
        message: 'expectRoundTrip needs the package fast-check, which is not installed',
        fix: ['npm install --save-dev fast-check'],
      },
      { cause: error },
    );
  }
}
