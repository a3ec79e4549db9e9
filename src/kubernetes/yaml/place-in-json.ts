import type { Where } from '../../base/errors/finding.ts';
import { isOpSdkError } from '../../base/errors/op-sdk-error.ts';
import { parseYaml } from './read-yaml.ts';

/**
 * Where something is in a file of JSON.
 * @param file the name that findings give
 */
export function placeInJson(text: string, file: string, path: readonly (string | number)[]): Where {
  try {
    return parseYaml(text, file).locate(path);
  } catch (error) {
    // JSON that YAML reads in another way has no places; the path in the message must do.
    if (isOpSdkError(error)) return { file };
    throw error;
  }
}
