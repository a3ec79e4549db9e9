import { FindingList } from '../../base/errors/index.ts';
import { isJsonMap, type JsonMap } from '../../base/util/json-map.ts';
import { readFileOf } from '../../project/project/index.ts';
import { parseYaml } from '../../kubernetes/yaml/index.ts';

/** A file of `metadata/` that people write beside the base: what OLM installs first, or what it should know of the bundle. */
export interface MetadataSource {
  /** `dependencies.yaml` or `properties.yaml`. */
  readonly name: string;
  /** Where it was read, relative to the project. */
  readonly source: string;
  readonly document: JsonMap;
}

/** The names of these files. Source: operator-registry `pkg/registry/types.go`; OLM reads them by what they hold. */
export const metadataSourceNames = ['dependencies.yaml', 'properties.yaml'] as const;

/**
 * Reads `dependencies.yaml` and `properties.yaml` from the folder of the base. What they say is judged with the bundle.
 * @param root absolute
 * @param folder relative to `root`, with forward slashes, such as `config/manifests/bases`
 * @throws OpSdkError `io/yaml-*`, `bundle/invalid-object`
 */
export async function readMetadataSources(root: string, folder: string): Promise<readonly MetadataSource[]> {
  const findings = new FindingList();
  const sources: MetadataSource[] = [];
  for (const name of metadataSourceNames) {
    const source = `${folder}/${name}`;
    const text = await readFileOf(root, source);
    if (text === undefined) continue;
    const document = await findings.gather(() => parseYaml(text, source));
    if (document === undefined) continue;
    const key = name.replace('.yaml', '');
    if (isJsonMap(document.value) && Array.isArray(document.value[key]))
      sources.push({ name, source, document: document.value });
    else
      findings.add({
        code: 'bundle/invalid-object',
        message: `expected a list \`${key}\`, got ${isJsonMap(document.value) ? 'none' : JSON.stringify(document.value)}`,
        where: document.locate([key]),
        fix: [`write ${key}: with a list below it, or remove the file`],
      });
  }
  findings.throwIfAny();
  return sources;
}
