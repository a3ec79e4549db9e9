import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OpSdkError } from '../../../errors/index.ts';
import { outputPlace, type OutputPlace } from './output-place.ts';

/**
 * The place of the folder that `--output-dir` names.
 * @throws OpSdkError `cli/invalid-value` if something else has its name
 */
export async function namedOutputPlace(cwd: string, outputDir: string): Promise<OutputPlace> {
  const existing = await stat(resolve(cwd, outputDir)).catch(() => undefined);
  if (outputDir === '' || existing?.isDirectory() === false) {
    throw new OpSdkError({
      code: 'cli/invalid-value',
      message: `'${outputDir}' is not a folder`,
      where: { flag: '--output-dir' },
      fix: ['name a folder; it is made if it does not exist'],
    });
  }
  return outputPlace(cwd, outputDir);
}
