import type { FindingList } from '../../../base/errors/index.ts';
import { object, string } from '../../../base/util/json-reader.ts';
import type { GeneratorRule } from '../generators/generator-rule.ts';
import { refusePlugin, type PluginDocument } from './plugin-documents.ts';
import { generatorsReader, withOptions } from './read-generators.ts';
import { readChecked, type Locate } from './read-value.ts';

const kinds: ReadonlyMap<string | undefined, GeneratorRule['kind']> = new Map([
  ['ConfigMapGenerator', 'ConfigMap'],
  ['SecretGenerator', 'Secret'],
]);

const metadataReader = object({ name: string, namespace: string });

/**
 * Reads what `generators` names. Only kustomize's own generators of ConfigMaps and Secrets are supported. The options of the
 * kustomization are not for them.
 */
export function readBuiltinGenerators(
  documents: readonly PluginDocument[],
  findings: FindingList,
  workaround: string,
): readonly GeneratorRule[] {
  return documents.flatMap((document) => {
    const kind = kinds.get(document.kind);
    if (kind !== undefined) return readRule(document, kind, findings);
    refusePlugin('generators', 'generator plugins', document.locate([]), findings, workaround);
    return [];
  });
}

function readRule(
  { fields, metadata, locate }: PluginDocument,
  kind: GeneratorRule['kind'],
  findings: FindingList,
): readonly GeneratorRule[] {
  const locateMeta: Locate = (path) => locate(['metadata', ...path]);
  const meta = readChecked(metadataReader, metadata, 'the metadata', locateMeta, findings);
  const placed: Locate = ([_index, ...path]) => locate(path);
  const named = {
    ...fields,
    ...(fields['name'] === undefined && meta?.name !== undefined ? { name: meta.name } : {}),
    ...(fields['namespace'] === undefined && meta?.namespace !== undefined
      ? { namespace: meta.namespace }
      : {}),
  };
  const rules = readChecked(generatorsReader(kind, placed), [named], 'the generator', placed, findings) ?? [];
  return rules.map((rule) => withOptions(rule, {}));
}
