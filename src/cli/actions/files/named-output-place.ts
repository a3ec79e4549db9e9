import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OpSdkError } from '../../../base/errors/index.ts';
import { outputPlace, type OutputPlace } from './output-place.ts';
import { invalidFlag } from '../input/flag-values.ts';

/**
 * The place of the folder that `--output-dir` names.
 * @throws OpSdkError `cli/invalid-value` if something else has its name
 */
export async function namedOutputPlace(cwd: string, outputDir: string): Promise<OutputPlace> {
  const existing = await stat(resolve(cwd, outputDir)).catch(() => undefined);
  if (outputDir === '' || existing?.isDirectory() === false) {
    throw new OpSdkError(
      invalidFlag(
        '--output-dir',
        `'${outputDir}' is not a folder`,
        'name a folder; it is created if it does not exist',
      ),
    );
  }
  return outputPlace(cwd, outputDir);
}
