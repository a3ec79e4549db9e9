import type { FindingList, Where } from '../../errors/index.ts';
import { object, string } from '../../util/json-reader.ts';
import { parseKubernetesYaml, type YamlDocument } from '../../yaml/index.ts';
import type { GeneratorRule } from '../generators/generator-rule.ts';
import { isObject, type Json } from '../resource.ts';
import type { BuildFiles } from './build-files.ts';
import type { Fields } from './kustomization.ts';
import { generatorsReader, withOptions } from './read-generators.ts';
import { readChecked, type Locate } from './read-value.ts';
import { reportParse } from './report-parse.ts';

const kinds: Readonly<Record<string, GeneratorRule['kind']>> = {
  ConfigMapGenerator: 'ConfigMap',
  SecretGenerator: 'Secret',
};

const metadataReader = object({ name: string, namespace: string });

/**
 * Reads the entries of `generators`, each a file or the text itself. Only kustomize's own generators of ConfigMaps and
 * Secrets are supported: all others are programs. The options of the kustomization are not for them.
 */
export async function loadBuiltinGenerators(
  root: string,
  entries: Fields['generatorPlugins'],
  files: BuildFiles,
  findings: FindingList,
  workaround: string,
): Promise<readonly GeneratorRule[]> {
  const rules: GeneratorRule[] = [];
  const refuse = (what: string, where: Where): void =>
    findings.add({
      code: 'kustomize/unsupported-field',
      message: `generators: op-sdk does not render ${what}`,
      where,
      fix: [workaround],
    });
  const isText = ({ path }: Fields['generatorPlugins'][number]): boolean => /\n\s*\S|^\s*\{/.test(path);
  // kustomize begins with those that are texts.
  const ordered = [...entries.filter(isText), ...entries.filter((entry) => !isText(entry))];
  for (const entry of ordered) {
    const isInline = isText(entry);
    const found = isInline ? undefined : await files.find(root, entry);
    if (found?.type === 'folder') {
      refuse('folders of generators', entry.where);
      continue;
    }
    const text = isInline ? entry.path : found && (await files.read(found.path, entry));
    if (text === undefined) continue;
    const file = found === undefined ? 'the generator' : files.shown(found.path);
    const documents =
      reportParse(findings, () => parseKubernetesYaml(text, file, { reader: 'kustomize' })) ?? [];
    for (const document of documents) {
      const locate: Locate = (path) => (isInline ? entry.where : document.locate(path));
      const kind = kindOf(document);
      if (document.value === null) continue;
      if (kind === undefined) refuse('generator plugins', locate([]));
      else rules.push(...readRule(document.value as Json, kind, locate, findings));
    }
  }
  return rules;
}

function kindOf({ value }: YamlDocument): GeneratorRule['kind'] | undefined {
  const { apiVersion, kind } = isObject(value as Json) ? (value as Readonly<Record<string, unknown>>) : {};
  return apiVersion === 'builtin' && typeof kind === 'string' && Object.hasOwn(kinds, kind)
    ? kinds[kind]
    : undefined;
}

function readRule(
  value: Json,
  kind: GeneratorRule['kind'],
  locate: Locate,
  findings: FindingList,
): readonly GeneratorRule[] {
  if (!isObject(value)) return [];
  const { apiVersion: _apiVersion, kind: _kind, metadata = {}, ...fields } = value;
  const meta = readChecked(
    metadataReader,
    metadata,
    'the metadata',
    (path) => locate(['metadata', ...path]),
    findings,
  );
  const placed: Locate = ([_index, ...path]) => locate(path);
  const reader = generatorsReader(kind, placed);
  const named = {
    ...fields,
    ...(fields['name'] === undefined && meta?.name !== undefined ? { name: meta.name } : {}),
    ...(fields['namespace'] === undefined && meta?.namespace !== undefined
      ? { namespace: meta.namespace }
      : {}),
  };
  const rules = readChecked(reader, [named], 'the generator', placed, findings) ?? [];
  return rules.map((rule) => withOptions(rule, {}));
}
