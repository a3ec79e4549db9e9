import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isOpSdkError, type Finding } from '../../../errors/index.ts';
import type { ManifestFile } from '../../../manifests/index.ts';
import { layout, readFileOf } from '../../../project/index.ts';
import type { FileChange } from '../../../scaffold/plan.ts';
import { errnoOf } from '../../../util/fs.ts';
import { parseYamlDocuments } from '../../../yaml/index.ts';

/** A manifest as a file: its path in the plan and its text. */
export interface RenderedManifest {
  readonly path: string;
  readonly content: string;
}

/** Renders manifests through their templates. */
export async function renderManifests(files: readonly ManifestFile[]): Promise<readonly RenderedManifest[]> {
  // Loaded when it is needed: what comes from the cache is rendered already.
  const { renderMachineDocument } = await import('../../../scaffold/machine-document.ts');
  return Promise.all(
    files.map(async ({ path, template, document }) => ({
      path,
      content: await renderMachineDocument(template, document),
    })),
  );
}

/** CRD files that no kind of the project makes any more. */
export interface StaleManifests {
  readonly changes: readonly FileChange[];
  readonly warnings: readonly Finding[];
}

/**
 * Looks for CRDs in the output folder that belong to no kind. One that is byte for byte what op-sdk writes for its
 * document is deleted; one that somebody wrote or edited stays, with a warning.
 */
export async function staleManifests(
  root: string,
  generated: readonly RenderedManifest[],
): Promise<StaleManifests> {
  const folder = `${layout.crd}/bases`;
  const current = new Set(generated.map((file) => file.path));
  const paths = (await listFolder(join(root, folder)))
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => `${folder}/${name}`)
    .filter((path) => !current.has(path))
    .sort();
  if (paths.length === 0) return { changes: [], warnings: [] };
  const { isMachineDocument } = await import('../../../scaffold/machine-document.ts');
  const kustomization = (await readFileOf(root, layout.kustomization(layout.crd))) ?? '';
  const changes: FileChange[] = [];
  const warnings: Finding[] = [];
  for (const path of paths) {
    const before = await readFileOf(root, path);
    if (before === undefined) continue;
    const document = crdIn(() => parseYamlDocuments(before, path));
    if (document === undefined) continue;
    const isOurs = await isMachineDocument(before, 'crd', document);
    const isListed = kustomization.includes(`bases/${basename(path)}`);
    const unlist = isListed
      ? [`remove bases/${basename(path)} from ${layout.kustomization(layout.crd)}`]
      : [];
    if (isOurs) changes.push({ action: 'delete', path, before });
    if (isOurs && !isListed) continue;
    warnings.push({
      code: 'manifests/stale',
      message: isOurs
        ? 'no kind of the project belongs to this CustomResourceDefinition any more; it is deleted, but still listed'
        : 'no kind of the project belongs to this CustomResourceDefinition; it was not written by op-sdk, or edited since, and stays',
      where: { file: path },
      fix: [...(isOurs ? [] : ['delete it if it is not needed']), ...unlist],
    });
  }
  return { changes, warnings };
}

async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return [];
    throw error;
  }
}

/** The only document of a file, if it is a CustomResourceDefinition. */
function crdIn(
  read: () => readonly { readonly value: unknown }[],
): Readonly<Record<string, unknown>> | undefined {
  try {
    const [first, ...more] = read();
    const value = first?.value;
    if (more.length > 0 || typeof value !== 'object' || value === null || !('kind' in value))
      return undefined;
    return value.kind === 'CustomResourceDefinition' ? { ...value } : undefined;
  } catch (error) {
    // A file that cannot be read is not one of ours, and whose it is is none of this command's business.
    if (isOpSdkError(error)) return undefined;
    throw error;
  }
}
