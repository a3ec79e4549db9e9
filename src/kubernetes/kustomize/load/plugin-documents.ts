import type { FindingList, Where } from '../../../base/errors/index.ts';
import { parseKubernetesYaml } from '../../yaml/index.ts';
import type { PathEntry } from '../entries.ts';
import { isObject, type Json, type JsonObject } from '../resource.ts';
import type { BuildFiles } from './build-files.ts';
import type { NoteFolded } from './note-folded.ts';
import type { Locate } from './read-value.ts';
import { reportParse } from './report-parse.ts';

/** The configuration of one plugin. */
export interface PluginDocument {
  /** Kind of a plugin of kustomize's own; undefined for any other one, which is a program. */
  readonly kind: string | undefined;
  /** Without apiVersion, kind and metadata. */
  readonly fields: JsonObject;
  readonly metadata: Json;
  /** The name that findings give to inline texts of it. */
  readonly file: string;
  readonly locate: Locate;
}

/**
 * Reads the entries of `generators` or `transformers`, each a file or the text itself. kustomize begins with those that are texts.
 *
 * @param kustomization its name, for findings
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

/** Refuses what only kustomize itself runs. */
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
