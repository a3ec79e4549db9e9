import {
  controllerFile,
  layout,
  relativeImport,
  type ControllerId,
  editYaml,
  userAccesses,
  type ProjectResource,
} from '../../project/index.ts';
import type { TemplateModel } from '../engine.ts';
import { renderSet, type RenderedFile } from '../template-tree.ts';
import { removeFromYamlList, parseYaml } from '../../../kubernetes/yaml/index.ts';
import { isSameText } from '../plan-files.ts';
import { controllerEntry, variableFor, type ReadFile } from './api.ts';
import { controllerCodeNames } from './controller-names.ts';

/**
 * Values from which a controller is scaffolded for a kind that the project does not define: a kind of Kubernetes or of another project.
 * Every value has been checked.
 */
export interface ForeignInput {
  readonly projectName: string;
  /** The domain of the project. */
  readonly domain: string;
  /** Names of the controller. The group is written as in PROJECT, without the domain. */
  readonly controller: ControllerId;
  /** True if another group has a controller of the same kind, so that names must include the group. */
  readonly ambiguousKind: boolean;
  /** Source from which the kind's token (the constant named `exportName`) is imported: a file of the project, or a module of a package. */
  readonly source: { readonly file: string } | { readonly module: string };
  readonly exportName: string;
  /** Path of the file with the CustomResourceDefinition that tests install; undefined for a built-in kind. */
  readonly crd: string | undefined;
  /** True if a test control plane can serve the kind, because a CustomResourceDefinition exists or is not needed. */
  readonly testable: boolean;
  /** The header of new source files, without comment markers. */
  readonly header: string;
}

/** Names, other than the kind, that the scaffolded files import or use. */
const takenNames: ReadonlySet<string> = new Set(['ControlPlane', 'Manager', 'ObjectMeta', 'Pick', 'Promise']);

/**
 * Renders the controller and its tests.
 * @param projectRoot absolute path of the project, which may contain template overrides
 */
export async function foreignFiles(
  input: ForeignInput,
  projectRoot: string,
): Promise<readonly RenderedFile[]> {
  const names = { group: input.controller.group, controller: controllerFile(input.controller) };
  const model = foreignModel(input);
  return [
    ...(await renderSet('foreign-controller', model, names, projectRoot)),
    ...(input.testable ? await renderSet('foreign-integration', model, names, projectRoot) : []),
  ];
}

/** Returns the variables for the templates of a controller of a foreign kind. */
export function foreignModel(input: ForeignInput): TemplateModel {
  const { controller: id, source, exportName, crd, projectName } = input;
  const code = controllerCodeNames(id, input.ambiguousKind);
  const kind = takenNames.has(id.kind) ? `${id.kind}Kind` : id.kind;
  const controller = layout.controller(id);
  const test = layout.controllerTest(id);
  const kindFrom = (file: string): string =>
    'file' in source ? relativeImport(file, source.file) : source.module;
  return {
    projectName,
    header: input.header,
    hasHeader: input.header !== '',
    kind,
    exportName,
    renamed: exportName !== kind,
    variable: variableFor(id.kind),
    controllerName: code.exported,
    named: code.name !== undefined,
    name: code.name ?? id.kind.toLowerCase(),
    label: `${projectName}.${input.domain}/managed`,
    kindImport: kindFrom(controller),
    kindImportFromTest: kindFrom(test),
    controllerImportFromTest: relativeImport(test, controller),
    hasCrd: crd !== undefined,
    crd: crd ?? '',
  };
}

/**
 * Adds a controller of a foreign kind to `src/main.ts`.
 * @throws OpSdkError `scaffold/marker-missing`, with the text to add by hand
 */
export async function foreignEdits(input: ForeignInput, read: ReadFile): Promise<readonly RenderedFile[]> {
  const { exported, local } = controllerCodeNames(input.controller, input.ambiguousKind);
  return controllerEntry({ exported, local, file: layout.controller(input.controller) }, read);
}

/** The versions of a kind that are removed. If no other version remains, the kind itself is removed. */
export interface ApiRemoval {
  readonly resources: readonly ProjectResource[];
  /** True if all versions of the kind are removed, so that the kind itself is removed. */
  readonly isWhole: boolean;
  /** Folder from which bundles are made. Once the folder exists, its kustomization lists the samples. */
  readonly bundleFolder: string;
}

/** Result of removing an API from the kustomizations of a project with `delete api`. */
interface RemovalEdits {
  readonly edited: readonly RenderedFile[];
  /** Kustomizations that are unedited since they were scaffolded and list nothing any more. */
  readonly emptied: readonly string[];
}

/** Returns the paths of the scaffolded manifests that are deleted together with an API. The files need not exist. */
export function manifestsOf({ resources, isWhole }: ApiRemoval): readonly string[] {
  const roles = resources.flatMap((resource) =>
    userAccesses.map((access) => `${layout.rbac}/${layout.userRoleFile(resource, access)}`),
  );
  const samples = resources.map((resource) => `${layout.samples}/${layout.sampleFile(resource)}`);
  return [...new Set([...(isWhole ? roles : []), ...samples])];
}

/**
 * Removes an API from the kustomizations to which `create api` added it. A kustomization that lists nothing any more is removed as well,
 * with its entry in the kustomization of the parent folder.
 * @throws OpSdkError `project/cannot-edit`, with the text to remove by hand
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

/** Removes an entry from the resources of a kustomization. The entry may have the prefix `./`. */
function withoutEntry(path: string, text: string, entry: string): string {
  return editYaml(path, `# without ${entry} in resources`, () => {
    const { resources } = (parseYaml(text, path).value ?? {}) as { readonly resources?: unknown };
    if (!Array.isArray(resources)) return text;
    return removeFromYamlList(text, ['resources'], (item) => String(item).replace(/^\.\//, '') === entry);
  });
}
