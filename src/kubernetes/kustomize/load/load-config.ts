import type { FindingList, Where } from '../../../base/errors/index.ts';
import { readConfig, readCrdSchemas } from '../config/read-config.ts';
import {
  ConfigConflict,
  defaultConfig,
  emptyConfig,
  mergeConfigs,
  type TransformerConfig,
} from '../config/transformer-config.ts';
import type { PathEntry } from '../entries.ts';
import { object, string } from '../../../base/util/json-reader.ts';
import type { GeneratorRule } from '../generators/make-object.ts';
import { parseKubernetesYaml } from '../../yaml/index.ts';
import { isObject, type Json, type JsonObject } from '../../objects/index.ts';
import type { BuildFiles } from './build-files.ts';
import { type Fields, readChecked, type Locate, reportParse } from './kustomization.ts';
import { generatorsReader, withOptions, type NoteFolded } from './load-generated.ts';

/** Reads the files that `configurations` and `crds` name, and merges them into kustomize's built-in configuration. */
export async function loadConfig(
  root: string,
  { configurations, crds }: Fields,
  files: BuildFiles,
  findings: FindingList,
): Promise<TransformerConfig> {
  const read = async (
    entries: readonly PathEntry[],
    parse: typeof readConfig,
  ): Promise<TransformerConfig> => {
    let config = emptyConfig;
    for (const entry of entries) {
      const file = await files.readEntry(root, entry);
      const more = file === undefined ? undefined : parse(file.text, file.file, findings);
      if (more !== undefined) config = mergeReported(config, more, entry, findings);
    }
    return config;
  };
  const own = await read(configurations, readConfig);
  const ofCrds = await read(crds, readCrdSchemas);
  const where = [...configurations, ...crds][0];
  if (where === undefined) return defaultConfig;
  return mergeReported(mergeReported(defaultConfig, own, where, findings), ofCrds, where, findings);
}

/** Merges two configurations. If they conflict, reports an error, which ends the build, and returns the first configuration. */
export function mergeReported(
  config: TransformerConfig,
  more: TransformerConfig,
  { where }: Pick<PathEntry, 'where'>,
  findings: FindingList,
): TransformerConfig {
  try {
    return mergeConfigs(config, more);
  } catch (error) {
    if (!(error instanceof ConfigConflict)) throw error;
    findings.add({
      code: 'kustomize/invalid-value',
      message: `the configurations, including those of included folders and kustomize's own, contradict each other: ${error.message}`,
      where,
      fix: ['remove the field from your configuration, or change its `create` there'],
    });
    return config;
  }
}

const kinds: ReadonlyMap<string | undefined, GeneratorRule['kind']> = new Map([
  ['ConfigMapGenerator', 'ConfigMap'],
  ['SecretGenerator', 'Secret'],
]);

const metadataReader = object({ name: string, namespace: string });

/**
 * Reads the plugins that `generators` names. Only kustomize's built-in generators of ConfigMaps and Secrets are supported.
 * `generatorOptions` of the kustomization do not apply to plugins.
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

/** Configuration of one plugin (generator or transformer). */
export interface PluginDocument {
  /** Kind of a plugin that is built into kustomize; undefined for any other plugin, which would be an external program. */
  readonly kind: string | undefined;
  /** Fields of the plugin's configuration, without apiVersion, kind and metadata. */
  readonly fields: JsonObject;
  readonly metadata: Json;
  /** Name of the file that findings show for inline texts of the plugin. */
  readonly file: string;
  readonly locate: Locate;
}

/**
 * Reads the entries of `generators` or `transformers`. Each entry is a file or an inline text. As in kustomize, inline texts come first.
 *
 * @param kustomization name of the kustomization's file in findings
 */
export async function readPluginDocuments(
  field: 'generators' | 'transformers',
  root: string,
  kustomization: string,
  entries: readonly PathEntry[],
  {
    files,
    findings,
    workaround,
    noteFolded,
  }: {
    readonly files: BuildFiles;
    readonly findings: FindingList;
    readonly workaround: string;
    readonly noteFolded: NoteFolded;
  },
): Promise<readonly PluginDocument[]> {
  const documents: PluginDocument[] = [];
  const ordered = [...entries.filter(isText), ...entries.filter((entry) => !isText(entry))];
  for (const entry of ordered) {
    const isInline = isText(entry);
    const found = isInline ? undefined : await files.find(root, entry);
    if (found?.type === 'folder') {
      refusePlugin(field, `folders of ${field}`, entry.where, findings, workaround);
      continue;
    }
    const text = isInline ? entry.path : found && (await files.read(found.path, entry));
    if (text === undefined) continue;
    const file = found === undefined ? kustomization : files.shown(found.path);
    noteFolded(text, file, isInline ? entry.where : undefined);
    const parsed =
      reportParse(findings, () => parseKubernetesYaml(text, file, { reader: 'kustomize' })) ?? [];
    for (const document of parsed) {
      const value = document.value as Json;
      if (value === null) continue;
      const { apiVersion, kind, metadata = {}, ...fields } = isObject(value) ? value : {};
      documents.push({
        kind: apiVersion === 'builtin' && typeof kind === 'string' ? kind : undefined,
        fields,
        metadata,
        file,
        locate: (path) => (isInline ? entry.where : document.locate(path)),
      });
    }
  }
  return documents;
}

/** Reports a finding for a plugin that only kustomize can run. */
export function refusePlugin(
  field: 'generators' | 'transformers',
  what: string,
  where: Where,
  findings: FindingList,
  workaround: string,
): void {
  findings.add({
    code: 'kustomize/unsupported-field',
    message: `${field}: op-sdk does not render ${what}`,
    where,
    fix: [workaround],
  });
}

function isText({ path }: PathEntry): boolean {
  return /\n\s*\S|^\s*\{/.test(path);
}
