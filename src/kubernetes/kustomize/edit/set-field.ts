import { setInYamlMap } from '../../yaml/splice.ts';
import { parseYaml } from '../../yaml/index.ts';
import { spliced } from './spliced.ts';

/**
 * Sets a text of a kustomization; everything else stays as it is.
 *
 * @param file the name that findings give
 * @throws OpSdkError if the file is not YAML, or no mapping
 */
export function setField(
  text: string,
  file: string,
  field: 'namespace' | 'namePrefix',
  value: string,
): string {
  parseYaml(text, file);
  return spliced(file, () => setInYamlMap(text, [], { [field]: value }));
}
