import { toYaml } from '../../yaml/to-yaml.ts';
import { addToYamlList } from '../../yaml/splice.ts';
import {
  camelCase,
  editYaml,
  fullGroup,
  kebabCase,
  layout,
  pascalCase,
  relativeImport,
  userAccesses,
  type ProjectResource,
} from '../../project/index.ts';
import type { TemplateModel } from '../engine.ts';
import { insertAtMarkers } from '../markers.ts';
import { renderSet, type RenderedFile } from '../template-tree.ts';

/** What `create api` scaffolds; every value has been checked. */
export interface ApiInput {
  readonly projectName: string;
  readonly resource: ProjectResource & { readonly path: string };
  /** Whether to make the types with their manifests. */
  readonly withResource: boolean;
  /** Whether to make the controller with its test. */
  readonly withController: boolean;
  /** Whether the plural was chosen, not derived. */
  readonly pluralGiven: boolean;
  /** Whether no other version of the kind is there: this one is stored, and what belongs to the kind is made with it. */
  readonly firstVersion: boolean;
  /** Another group has a controller of this kind, so that its names need the group. */
  readonly ambiguousKind: boolean;
  /** What new source files begin with, without comment signs. */
  readonly header: string;
}

/** Reads a file of the project as it will be; undefined if there is none. */
export type ReadFile = (path: string) => Promise<string | undefined>;

/** The new files of an API. Absolute `projectRoot` for its template overrides. */
export async function apiFiles(input: ApiInput, projectRoot: string): Promise<readonly RenderedFile[]> {
  const model = apiModel(input);
  const names = pathNames(input.resource);
  return [
    ...(input.withResource && input.firstVersion ? await renderSet('kind', model, names, projectRoot) : []),
    ...(input.withResource ? await renderSet('api', model, names, projectRoot) : []),
    ...(input.withController ? await renderSet('controller', model, names, projectRoot) : []),
  ];
}

/** What the templates of an API and its controller are given. */
export function apiModel(input: ApiInput): TemplateModel {
  const { resource } = input;
  const { kind, version, plural, group } = resource;
  const name = kind.toLowerCase();
  const test = layout.controllerTest(resource);
  const controller = layout.controller(resource);
  return {
    projectName: input.projectName,
    header: input.header,
    hasHeader: input.header !== '',
    group,
    fullGroup: fullGroup(resource),
    version,
    apiVersion: `${fullGroup(resource)}/${version}`,
    kind,
    lowerKind: name,
    plural,
    pluralGiven: input.pluralGiven,
    scope: resource.api?.namespaced === false ? 'Cluster' : 'Namespaced',
    firstVersion: input.firstVersion,
    sampleName: `${name}-sample`,
    statusResource: `${plural}/status`,
    variable: variableFor(kind),
    controllerName: `${camelCase(kind)}Controller`,
    named: input.ambiguousKind,
    name: `${group}-${name}`,
    typesImport: relativeImport(controller, resource.path),
    typesImportFromTest: relativeImport(test, resource.path),
    controllerImportFromTest: relativeImport(test, controller),
  };
}

/** What stands for `__name__` in the paths of these templates. */
export function pathNames(resource: ProjectResource): Readonly<Record<string, string>> {
  const base = (path: string): string => path.replace(/\.yaml$/, '');
  return {
    group: resource.group,
    version: resource.version,
    kind: kebabCase(resource.kind),
    sample: base(layout.sampleFile(resource)),
    ...Object.fromEntries(
      userAccesses.map((access) => [`${access}Role`, base(layout.userRoleFile(resource, access))]),
    ),
  };
}

/**
 * The files of the project that an API is entered into: kustomizations and main.
 * @throws OpSdkError `project/cannot-edit`, `scaffold/marker-missing`, with what to add by hand
 */
export async function apiEdits(input: ApiInput, read: ReadFile): Promise<readonly RenderedFile[]> {
  const edits: RenderedFile[] = [];
  if (input.withResource) edits.push(...(await kustomizationEdits(input, read)));
  if (input.withController) edits.push(...(await mainEdit(input, read)));
  return edits;
}

async function kustomizationEdits(
  { resource, firstVersion }: ApiInput,
  read: ReadFile,
): Promise<readonly RenderedFile[]> {
  const fresh = await renderSet('first-api', {}, {});
  const edits: RenderedFile[] = [];
  const enter = async (folder: string, entries: readonly string[], where?: 'first'): Promise<void> => {
    const path = layout.kustomization(folder);
    let content = (await read(path)) ?? fresh.find((file) => file.path === path)?.content ?? '';
    for (const entry of entries) {
      content = editYaml(path, toYaml({ resources: [entry] }), () =>
        addToYamlList(content, ['resources'], entry, where),
      );
    }
    edits.push({ path, content });
  };
  await enter(layout.crd, [layout.crdFile(resource)]);
  await enter(layout.defaultConfig, ['../crd'], 'first');
  if (firstVersion) {
    const roles = userAccesses.map((access) => layout.userRoleFile(resource, access));
    await enter(layout.rbac, roles);
  }
  await enter(layout.samples, [layout.sampleFile(resource)]);
  return edits;
}

async function mainEdit(input: ApiInput, read: ReadFile): Promise<readonly RenderedFile[]> {
  const { resource, ambiguousKind } = input;
  const path = layout.main;
  const exported = `${camelCase(resource.kind)}Controller`;
  const local = ambiguousKind ? groupedName(resource) : exported;
  const names = local === exported ? exported : `${exported} as ${local}`;
  const from = relativeImport(path, layout.controller(resource));
  const main = (await read(path)) ?? '';
  const content = insertAtMarkers(path, main, [
    { marker: 'imports', lines: [`import { ${names} } from '${from}';`] },
    { marker: 'controllers', lines: [`manager.add(${local});`] },
  ]);
  return [{ path, content }];
}

/** A name for the controller that no other group's controller has; a group may begin with a digit, a name may not. */
function groupedName({ group, kind }: ProjectResource): string {
  return camelCase(`${pascalCase(group)}${kind}Controller`).replace(/^(?=\d)/, 'group');
}

/** Words that a variable cannot be called: those of the language, and names that the scaffolded files use beside it. */
const reservedWords = new Set(
  [
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends',
    'false finally for function if implements import in instanceof interface let new null package private protected',
    'public return static super switch this throw true try typeof undefined var void while with yield',
    'client conditions conditionsOf defineController expect first it key observedStatus second',
  ].flatMap((words) => words.split(' ')),
);

/** The name of a variable that holds an object of the kind. */
function variableFor(kind: string): string {
  const name = camelCase(kind);
  return reservedWords.has(name) ? 'object' : name;
}

/** Kinds whose names the scaffolded files need for themselves. */
export const reservedKinds: readonly string[] = [
  'Condition',
  'CustomResource',
  // Its controller would be called defineController.
  'Define',
  'ListMap',
  'Promise',
];
