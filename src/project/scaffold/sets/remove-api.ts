import { removeFromYamlList } from '../../../kubernetes/yaml/splice.ts';
import { parseYaml } from '../../../kubernetes/yaml/read-yaml.ts';
import { editYaml, layout, userAccesses, type ProjectResource } from '../../project/index.ts';
import { isSameText } from '../plan-files.ts';
import { renderSet, type RenderedFile } from '../template-tree.ts';
import type { ReadFile } from './api.ts';

/** The removal of versions of a kind, and of the kind with its last one. */
export interface ApiRemoval {
  readonly resources: readonly ProjectResource[];
  /** True if no version of the kind stays. */
  readonly isWhole: boolean;
  /** The folder that bundles are made from, which lists the samples once it exists. */
  readonly bundleFolder: string;
}

/** The edits of `delete api` in the kustomizations of a project. */
export interface RemovalEdits {
  readonly edited: readonly RenderedFile[];
  /** Kustomizations that are as scaffolded, and list nothing any more. */
  readonly emptied: readonly string[];
}

/** The scaffolded manifests of an API that are deleted with it, whether they exist or not. */
export function manifestsOf({ resources, isWhole }: ApiRemoval): readonly string[] {
  const roles = resources.flatMap((resource) =>
    userAccesses.map((access) => `${layout.rbac}/${layout.userRoleFile(resource, access)}`),
  );
  const samples = resources.map((resource) => `${layout.samples}/${layout.sampleFile(resource)}`);
  return [...new Set([...(isWhole ? roles : []), ...samples])];
}

/**
 * Removes an API from the kustomizations that `create api` entered it into. One that lists nothing any more goes, too, and with it its
 * entry in the kustomizations above.
 * @throws OpSdkError `project/cannot-edit`, with what to remove by hand
 */
export async function removalEdits(removal: ApiRemoval, read: ReadFile): Promise<RemovalEdits> {
  const { resources, isWhole, bundleFolder } = removal;
  const fresh = await renderSet('first-api', {}, {});
  const texts = new Map<string, string>();
  const emptied: string[] = [];
  const remove = async (folder: string, entries: readonly string[]): Promise<boolean> => {
    const path = layout.kustomization(folder);
    const before = texts.get(path) ?? (await read(path));
    if (before === undefined) return false;
    const after = entries.reduce((text, entry) => withoutEntry(path, text, entry), before);
    if (after === before) return false;
    texts.set(path, after);
    const scaffolded = fresh.find((file) => file.path === path);
    if (scaffolded === undefined || !isSameText(after, scaffolded.content)) return false;
    emptied.push(path);
    return true;
  };
  if (isWhole) {
    const crds = resources.map((resource) => layout.crdFile(resource));
    if (await remove(layout.crd, [...new Set(crds)])) await remove(layout.defaultConfig, ['../crd']);
    const roles = resources.flatMap((resource) =>
      userAccesses.map((access) => layout.userRoleFile(resource, access)),
    );
    await remove(layout.rbac, [...new Set(roles)]);
  }
  const samples = resources.map((resource) => layout.sampleFile(resource));
  if (await remove(layout.samples, samples)) await remove(bundleFolder, ['../samples']);
  return {
    edited: [...texts]
      .filter(([path]) => !emptied.includes(path))
      .map(([path, content]) => ({ path, content })),
    emptied,
  };
}

/** An entry may have `./` in front. */
function withoutEntry(path: string, text: string, entry: string): string {
  return editYaml(path, `# without ${entry} in resources`, () => {
    const { resources } = (parseYaml(text, path).value ?? {}) as { readonly resources?: unknown };
    if (!Array.isArray(resources)) return text;
    return removeFromYamlList(text, ['resources'], (item) => String(item).replace(/^\.\//, '') === entry);
  });
}
