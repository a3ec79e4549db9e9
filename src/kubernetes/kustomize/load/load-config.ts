import type { FindingList } from '../../../base/errors/index.ts';
import { readConfig } from '../config/read-config.ts';
import { readCrdSchemas } from '../config/read-crd-schemas.ts';
import {
  ConfigConflict,
  defaultConfig,
  emptyConfig,
  mergeConfigs,
  type TransformerConfig,
} from '../config/transformer-config.ts';
import type { PathEntry } from '../entries.ts';
import type { BuildFiles } from './build-files.ts';
import type { Fields } from './kustomization.ts';

/** Reads `configurations` and `crds`; kustomize's own configuration comes first. */
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

/** Merges configurations; if they disagree the first one is kept, and the finding ends the build. */
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
      message: `configurations disagree, those of included folders and kustomize's own counted: ${error.message}`,
      where,
      fix: ['remove the field, or change its `create`'],
    });
    return config;
  }
}
