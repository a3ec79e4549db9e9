import { addToYamlList } from '../../yaml/splice.ts';
import { parseYaml } from '../../yaml/index.ts';
import { spliced } from './spliced.ts';

/**
 * Adds paths to `resources`; those that are there already are left alone.
 *
 * @param file the name that findings give
 * @throws OpSdkError if the file is not YAML, or `resources` no list
 */
export function addResources(text: string, file: string, paths: readonly string[]): string {
  parseYaml(text, file);
  return spliced(file, () =>
    paths.reduce((before, path) => addToYamlList(before, ['resources'], path), text),
  );
}
