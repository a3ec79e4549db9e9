import { toYaml, addToYamlList } from '../../../kubernetes/yaml/index.ts';
import {
  camelCase,
  controllerFile,
  defaultControllerName,
  editYaml,
  fullGroup,
  kebabCase,
  layout,
  relativeImport,
  userAccesses,
  type ControllerId,
  type ProjectResource,
} from '../../project/index.ts';
import type { TemplateModel } from '../engine.ts';
import { renderSet, type RenderedFile } from '../template-tree.ts';
import { FindingList } from '../../../base/errors/index.ts';
import { lineBreakOf } from '../../../base/util/line-break.ts';
import { controllerCodeNames } from './controller-names.ts';

/** Line width in characters that the .prettierrc.json of scaffolded projects sets. */
const LINE_WIDTH = 110;

/** Values from which `create api` scaffolds files; every value has been checked. */
export interface ApiInput {
  readonly projectName: string;
  readonly resource: ProjectResource & { readonly path: string };
  /** True to scaffold the types of the kind and their manifests. */
  readonly withResource: boolean;
  /** True to scaffold the controller and its test. */
  readonly withController: boolean;
  /** True if the plural differs from the one derived from the kind. */
  readonly pluralGiven: boolean;
  /** True if the kind has no other version. This version becomes the stored version, and the files of the kind are created with it. */
  readonly firstVersion: boolean;
  /** True if another group has a controller of the same kind, so that names must include the group. */
  readonly ambiguousKind: boolean;
  /** True if the operator watches only some namespaces. The roles for users are namespaced then, too. */
  readonly namespacedProject?: boolean;
  /** Name of the controller if the user gave one. */
  readonly controllerName?: string | undefined;
  /** The header of new source files, without comment markers. */
  readonly header: string;
}

/** Returns the content of a project file after the planned changes; undefined if the file does not exist then. */
export type ReadFile = (path: string) => Promise<string | undefined>;

/**
 * Renders the new files of an API.
 * @param projectRoot absolute path of the project, which may contain template overrides
 */
export async function apiFiles(input: ApiInput, projectRoot: string): Promise<readonly RenderedFile[]> {
  const model = apiModel(input);
  const names = pathNames(input.resource);
  return [
    ...(input.withResource && input.firstVersion ? await renderSet('kind', model, names, projectRoot) : []),
    ...(input.withResource ? await renderSet('api', model, names, projectRoot) : []),
    ...(input.withController
      ? await renderSet(
          'controller',
          model,
          { ...names, kind: controllerFile(controllerId(input)) },
          projectRoot,
        )
      : []),
  ];
}

/** Returns the variables for the templates of an API and its controller. */
export function apiModel(input: ApiInput): TemplateModel {
  const { resource } = input;
  const { kind, version, plural, group } = resource;
  const name = kind.toLowerCase();
  const id = controllerId(input);
  const test = layout.controllerTest(id);
  const controller = layout.controller(id);
  const code = controllerCodeNames(id, input.ambiguousKind);
  const fromTest = relativeImport(test, controller);
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
    namespaced: resource.api?.namespaced !== false,
    inNamespace: input.namespacedProject === true && resource.api?.namespaced !== false,
    scope: resource.api?.namespaced === false ? 'Cluster' : 'Namespaced',
    firstVersion: input.firstVersion,
    sampleName: `${name}-sample`,
    // Two samples of a kind with the same name would be the same object, so the names of samples of later versions contain the version.
    objectName: `${name}-sample${input.firstVersion ? '' : `-${version}`}`,
    variable: variableFor(kind),
    controllerName: code.exported,
    named: code.name !== undefined,
    name: code.name ?? defaultControllerName(kind),
    condition: code.condition,
    typesImport: relativeImport(controller, resource.path),
    typesImportFromTest: relativeImport(test, resource.path),
    controllerImportFromTest: fromTest,
    longImport: `import { ${code.exported}, observedStatus } from '${fromTest}';`.length > LINE_WIDTH,
  };
}

/** Returns the values of placeholders, such as `__kind__`, in template paths. */
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
 * Adds an API to existing files of the project: the kustomizations and `src/main.ts`.
 * @throws OpSdkError `project/cannot-edit`, `scaffold/marker-missing`, with the text to add by hand
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
  const id = controllerId(input);
  const { exported, local } = controllerCodeNames(id, input.ambiguousKind);
  return controllerEntry({ exported, local, file: layout.controller(id) }, read);
}

function controllerId({ resource, controllerName }: ApiInput): ControllerId {
  return { group: resource.group, kind: resource.kind, controllerName };
}

/**
 * Adds a controller to `src/main.ts`.
 * @throws OpSdkError `scaffold/marker-missing`, with the text to add by hand
 */
export async function controllerEntry(
  { exported, local, file }: { readonly exported: string; readonly local: string; readonly file: string },
  read: ReadFile,
): Promise<readonly RenderedFile[]> {
  const path = layout.main;
  const names = local === exported ? exported : `${exported} as ${local}`;
  const from = relativeImport(path, file);
  const main = (await read(path)) ?? '';
  const content = insertAtMarkers(path, main, [
    { marker: 'imports', lines: [`import { ${names} } from '${from}';`] },
    { marker: 'controllers', lines: [`manager.add(${local});`] },
  ]);
  return [{ path, content }];
}

/** Words that cannot name a variable: reserved words of TypeScript, and names that scaffolded files already use. */
const reservedWords = new Set(
  [
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends',
    'false finally for function if implements import in instanceof interface let new null package private protected',
    'public return static super switch this throw true try typeof undefined var void while with yield',
    'client conditions conditionsOf defineController expect first isOurs it key log message observedStatus second',
    'afterAll api beforeAll controlPlane createManager createTestApi eventually kubernetesMatchers manager observed running',
    'createClusterClient kubeconfig loadCluster startControlPlane stop using',
    'context defaulted defineWebhook old options structuredClone',
  ].flatMap((words) => words.split(' ')),
);

/** Returns the name of a variable that holds an object of the kind. */
export function variableFor(kind: string): string {
  const name = camelCase(kind);
  return reservedWords.has(name) ? 'object' : name;
}

/** Kinds whose names collide with names in the scaffolded files. */
export const reservedKinds: readonly string[] = [
  'ClusterClient',
  'Condition',
  'ControlPlane',
  'CustomResource',
  // The controller of the kind `Define` would be named `defineController`, like the function of opsdk.
  'Define',
  'ListMap',
  'Manager',
  'Promise',
];

/** A marker in a file, and the lines to insert above it. */
interface MarkedLines {
  /** The name of the marker, which follows `+op-sdk:scaffold:`. */
  readonly marker: string;
  /** Lines to insert, without indentation and line breaks. */
  readonly lines: readonly string[];
}

/**
 * Inserts lines above markers, which are comments such as `// +op-sdk:scaffold:imports`, with the indentation of the marker. Lines that the
 * file already contains are not inserted again, even if they differ in indentation, quotes or semicolon.
 *
 * @param file file name for the error message
 * @throws OpSdkError `scaffold/marker-missing` for every marker that is missing, with the lines to add by hand
 */
export function insertAtMarkers(file: string, text: string, insertions: readonly MarkedLines[]): string {
  const present = new Set(text.split(/\r?\n/).map(normalised));
  const findings = new FindingList();
  let result = text;
  for (const { marker, lines } of insertions) {
    const missing = lines.filter((line) => !present.has(normalised(line)));
    if (missing.length === 0) continue;
    const name = `+op-sdk:scaffold:${marker}`;
    const found = new RegExp(`^([ \\t]*)(?://|#) *\\${name}(?:[ \\t].*)?\\r?$`, 'm').exec(result);
    if (found === null) {
      findings.add({
        code: 'scaffold/marker-missing',
        message: `${file}: expected the comment \`${name}\`, above which op-sdk adds lines, found none`,
        where: { file },
        fix: [
          `put the comment \`// ${name}\` back and run the command again`,
          `or add this to ${file} by hand and run the command again:\n${missing.join('\n')}`,
        ],
      });
      continue;
    }
    const eol = lineBreakOf(result);
    const insertion = missing.map((line) => (found[1] ?? '') + line + eol).join('');
    result = result.slice(0, found.index) + insertion + result.slice(found.index);
  }
  findings.throwIfAny();
  return result;
}

/** Normalises a line, so that lines that differ only in formatting are equal. */
function normalised(line: string): string {
  return line.trim().replaceAll('"', "'").replace(/;$/, '');
}
