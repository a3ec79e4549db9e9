import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isOpSdkError, type Finding } from '../../../base/errors/index.ts';
import type { ManifestFile, ManifestOptions } from '../../../compiler/manifests/index.ts';
import { layout, readFileOf } from '../../../project/project/index.ts';
import { isSameText, type FileChange } from '../../../project/scaffold/index.ts';
import { errnoOf } from '../../../base/util/fs.ts';
import { isJsonMap, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import { parseYamlDocuments } from '../../../kubernetes/yaml/index.ts';

/** Rendered manifest: the path of its file in the file plan, and its text. */
interface RenderedManifest {
  readonly path: string;
  readonly content: string;
}

/** Renders manifests through their templates. */
export async function renderManifests(files: readonly ManifestFile[]): Promise<readonly RenderedManifest[]> {
  // The renderer is loaded only here, because it is not needed if the manifests come from the cache.
  const { renderMachineDocument } = await import('../../../project/scaffold/index.ts');
  const { renderPermissions } = await import('../../../project/scaffold/index.ts');
  return Promise.all(
    files.map(async ({ path, template, document, more = [] }) => {
      if (template === 'permissions') return { path, content: await renderPermissions(document) };
      const [first = '', ...others] = await Promise.all([
        renderMachineDocument(template, document),
        ...more.map((each) => renderMachineDocument('roleRef' in each ? 'role-binding' : template, each)),
      ]);
      // Only the first document keeps its header, since one header per file is enough.
      return { path, content: [first, ...others.map(withoutHeader)].join('---\n') };
    }),
  );
}

function withoutHeader(text: string): string {
  return text.replace(/^(?:#.*\n)+/, '');
}

/** Deletions of generated files whose source no longer exists in the project, and warnings about such files that are kept. */
interface StaleManifests {
  readonly changes: readonly FileChange[];
  readonly warnings: readonly Finding[];
}

/** File that op-sdk may have generated. */
interface Candidate {
  readonly path: string;
  /** Template that op-sdk would have used to render the file. */
  readonly template: 'crd' | 'webhook';
  /** Kinds of the documents in the file. */
  readonly kinds: readonly string[];
  /** Noun for the source from which the file was generated, as used in messages. */
  readonly owner: string;
  /** Noun phrase for the content of the file, as used in messages. */
  readonly content: string;
  /** Kustomization that may list the file, and the entry that would list the file. */
  readonly listed: { readonly file: string; readonly entry: string };
}

/**
 * Searches the output folder for CRDs that belong to no kind, and for webhook configurations without webhooks. A file is deleted if it is
 * byte for byte equal to the text that op-sdk writes for its documents. A file that somebody wrote or edited is kept, and a warning is
 * added.
 * @param only part of the manifests that was generated; files of other parts are ignored
 */
export async function staleManifests(
  root: string,
  generated: readonly RenderedManifest[],
  only?: ManifestOptions['only'],
): Promise<StaleManifests> {
  const current = new Set(generated.map((file) => file.path));
  const candidates = [...(await crdFiles(root)), webhookFile].filter(
    ({ path, template }) => !current.has(path) && (only ?? template) === template,
  );
  const found = await Promise.all(candidates.map((candidate) => judgeCandidate(root, candidate)));
  return {
    changes: found.flatMap(({ changes }) => changes),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

const webhookFile: Candidate = {
  path: `${layout.webhookConfig}/${layout.webhookManifests}`,
  template: 'webhook',
  kinds: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  owner: 'webhook',
  content: 'these webhook configurations',
  listed: { file: layout.kustomization(layout.webhookConfig), entry: layout.webhookManifests },
};

async function crdFiles(root: string): Promise<readonly Candidate[]> {
  const folder = `${layout.crd}/bases`;
  const names = (await listFolder(join(root, folder))).filter((name) => /\.ya?ml$/.test(name)).sort();
  return names.map((name) => ({
    path: `${folder}/${name}`,
    template: 'crd',
    kinds: ['CustomResourceDefinition'],
    owner: 'kind',
    content: 'this CustomResourceDefinition',
    listed: { file: layout.kustomization(layout.crd), entry: `bases/${name}` },
  }));
}

async function judgeCandidate(root: string, candidate: Candidate): Promise<StaleManifests> {
  const { path, template, owner, content, listed } = candidate;
  const none: StaleManifests = { changes: [], warnings: [] };
  const before = await readFileOf(root, path);
  const documents =
    before === undefined ? [] : documentsIn(candidate, () => parseYamlDocuments(before, path));
  const [first, ...more] = documents;
  if (before === undefined || first === undefined) return none;
  const isOurs = await isOwnText(before, template, [first, ...more]);
  const isListed = ((await readFileOf(root, listed.file)) ?? '').includes(listed.entry);
  const changes: readonly FileChange[] = isOurs ? [{ action: 'delete', path, before }] : [];
  if (isOurs && !isListed) return { changes, warnings: [] };
  const [it, is, stays] = more.length > 0 ? ['they', 'are', 'stay'] : ['it', 'is', 'stays'];
  const warning: Finding = {
    code: 'manifests/stale',
    message: isOurs
      ? `${content}: no ${owner} of the project belongs to this content any more; ${it} ${is} deleted, but a kustomization still lists the file`
      : `no ${owner} of the project belongs to ${content}; ${it} ${is === 'is' ? 'was' : 'were'} not written by op-sdk, or edited since, and ${stays}`,
    where: { file: path },
    fix: [
      ...(isOurs ? [] : ['delete it if it is not needed']),
      ...(isListed ? [`remove ${listed.entry} from ${listed.file}`] : []),
    ],
  };
  return { changes, warnings: [warning] };
}

/** Returns true if the text is byte for byte equal to the text that op-sdk writes for the documents in it. */
async function isOwnText(
  text: string,
  template: Candidate['template'],
  documents: readonly [JsonMap, ...JsonMap[]],
): Promise<boolean> {
  const { fitsMachineTemplate, isMachineDocument } = await import('../../../project/scaffold/index.ts');
  const [first, ...more] = documents;
  if (more.length === 0) return isMachineDocument(text, template, first);
  if (!documents.every((document) => fitsMachineTemplate(template, document))) return false;
  const [rendered] = await renderManifests([{ path: '', template, document: first, more }]);
  return isSameText(text, rendered?.content ?? '');
}

async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return [];
    throw error;
  }
}

/** Returns the documents of a file if each document has a kind that the file may contain. */
function documentsIn(
  { kinds, template }: Candidate,
  read: () => readonly { readonly value: unknown }[],
): readonly JsonMap[] {
  try {
    const values = read().map(({ value }) => value);
    if (template === 'crd' && values.length > 1) return [];
    const documents = values.filter(isJsonMap);
    const isAll = documents.length === values.length;
    return isAll && documents.every(({ kind }) => kinds.includes(jsonTextOf(kind))) ? documents : [];
  } catch (error) {
    // op-sdk did not generate a file that cannot be parsed, so this command ignores it.
    if (isOpSdkError(error)) return [];
    throw error;
  }
}
