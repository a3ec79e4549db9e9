import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import {
  toYaml,
  parseYaml,
  addToYamlList,
  removeFromYamlList,
  removeFromYamlMap,
  setInYamlMap,
  editYaml,
  parseKubernetesYaml,
} from '../../kubernetes/yaml/index.ts';
import { defaultPlural } from '../../base/util/kubernetes-words.ts';
import { isJsonMap, jsonListOf, jsonMapOf, jsonTextOf } from '../../base/util/json-map.ts';
import { documentStyle, problemFindings, readJson } from '../../base/util/read-json.ts';
import { LAYOUT_KEY, layout, pluginKeys } from './layout.ts';
import { type Project, projectReader, SUPPORTED_VERSION } from './project-reader.ts';
import type { RecordedCommand } from './recorded-commands.ts';
import {
  readFileOf,
  controllerNames,
  defaultControllerName,
  type ProjectResource,
  type ProjectWebhooks,
  hasController,
  isSameKind,
} from './read-file.ts';

/** A project read from disk. */
export interface LoadedProject extends Project {
  /** Absolute path of the project's folder. */
  readonly root: string;
  /** The text of PROJECT, used to edit parts of it in place. */
  readonly text: string;
}

const header = `# Written by op-sdk, which records here what it scaffolded.
# Comments and additional keys of yours stay; change the entries of op-sdk only if you move what they name.
# The format is that of kubebuilder: https://book.kubebuilder.io/reference/project-config.html
`;

/**
 * Reads and checks the PROJECT file of the folder `root`.
 * @throws OpSdkError `project/not-found`, or every problem of the file with its line and column
 */
export async function loadProject(root: string): Promise<LoadedProject> {
  const text = await readFileOf(root, layout.projectFile);
  if (text === undefined) {
    const above = projectAbove(root);
    throw new OpSdkError({
      code: 'project/not-found',
      message: 'this folder has no PROJECT file, so it is not an operator project',
      where: { file: layout.projectFile },
      fix: [
        `change into the folder of the project${above === undefined ? '' : `: ${above}`}`,
        'make a project in this folder with `op-sdk init --domain <domain>`',
      ],
    });
  }
  return { ...readProject(text), root, text };
}

/** Returns the nearest parent folder with a project. The error for a missing PROJECT names it: commands run only in a project's root. */
function projectAbove(folder: string): string | undefined {
  const above = dirname(folder);
  if (above === folder) return undefined;
  return existsSync(join(above, layout.projectFile)) ? above : projectAbove(above);
}

/** The settings of a project that `init` creates. */
interface NewProject {
  readonly domain: string;
  readonly repo?: string | undefined;
  readonly projectName: string;
  readonly cliVersion: string;
  readonly namespaced?: boolean;
  /** The run of `init`, which `op-sdk upgrade` repeats. */
  readonly run: RecordedCommand;
  /** Hashes of the rendered scaffolded files, by path. */
  readonly templates: Readonly<Record<string, string>>;
}

/** Returns the text of the PROJECT file of a new project. */
export function newProjectFile(project: NewProject): string {
  const { templates, run, namespaced, ...known } = project;
  return (
    header +
    toYaml({
      ...known,
      version: SUPPORTED_VERSION,
      layout: [LAYOUT_KEY],
      multigroup: true,
      ...(namespaced === true ? { namespaced } : {}),
      plugins: { [LAYOUT_KEY]: { commands: [run], templates } },
    })
  );
}

/**
 * Adds a resource to the text of PROJECT.
 * @throws OpSdkError `project/cannot-edit` with the text to add by hand
 */
export function addResource(text: string, resource: ProjectResource): string {
  const entry = {
    ...(resource.api === undefined ? {} : { api: resource.api }),
    ...(resource.controllers === undefined ? {} : { controllers: entriesOf(resource.controllers) }),
    ...(resource.controller && resource.controllers === undefined ? { controller: true } : {}),
    ...(resource.core === true ? { core: true } : {}),
    ...(resource.domain === '' ? {} : { domain: resource.domain }),
    ...(resource.external === true ? { external: true } : {}),
    group: resource.group,
    kind: resource.kind,
    ...(resource.path === undefined ? {} : { path: resource.path }),
    ...(resource.plural === defaultPlural(resource.kind) ? {} : { plural: resource.plural }),
    version: resource.version,
    ...(resource.webhooks === undefined ? {} : { webhooks: webhooksEntry(resource.webhooks) }),
  };
  return editYaml(layout.projectFile, toYaml({ resources: [entry] }), () =>
    addToYamlList(text, ['resources'], entry),
  );
}

/**
 * Adds or removes the controller of the resource at `index` in the text of PROJECT.
 * @throws OpSdkError `project/cannot-edit` with the text to change by hand
 */
function setController(text: string, index: number, has = true): string {
  const path = ['resources', index];
  const byHand = has
    ? `controller: true   # in resources[${index}]`
    : `# no controller in resources[${index}]`;
  return editYaml(layout.projectFile, byHand, () =>
    has ? setInYamlMap(text, path, { controller: true }) : removeFromYamlMap(text, path, 'controller'),
  );
}

/**
 * Removes the resource at `index` from the text of PROJECT.
 * @throws OpSdkError `project/cannot-edit` with the text to remove by hand
 */
export function removeResource(text: string, index: number): string {
  return editYaml(layout.projectFile, `# without resources[${index}]`, () => {
    const rest = removeFromYamlList(text, ['resources'], (_item, at) => at === index);
    const { resources } = (parseYaml(rest, layout.projectFile).value ?? {}) as {
      readonly resources?: unknown;
    };
    return Array.isArray(resources) && resources.length > 0 ? rest : removeFromYamlMap(rest, [], 'resources');
  });
}

/** Removes the recorded hashes of the given files from the text of PROJECT. */
export function forgetTemplates(text: string, paths: readonly string[]): string {
  const byHand = `# without ${paths.join(', ')} in the templates`;
  return editYaml(layout.projectFile, byHand, () =>
    paths.reduce((rest, path) => removeFromYamlMap(rest, ['plugins', LAYOUT_KEY, 'templates'], path), text),
  );
}

/**
 * Adds a controller to the resource at `index` in the text of PROJECT. Like kubebuilder, writes `controller: true` if the only controller
 * is named after the kind, and a list of names otherwise.
 * @param name name of the controller; default: the name of the kind
 * @throws OpSdkError `project/cannot-edit` with the text to change by hand
 */
export function addController(text: string, resource: ProjectResource, index: number, name?: string): string {
  if (name === undefined && resource.controllers === undefined) return setController(text, index);
  const path = ['resources', index];
  const names = [...controllerNames(resource), name ?? defaultControllerName(resource.kind)];
  const byHand = `# in resources[${index}], without controller: true\n${toYaml({ controllers: entriesOf(names) })}`;
  return editYaml(layout.projectFile, byHand, () =>
    removeFromYamlMap(
      entriesOf(names).reduce(
        (edited, entry) => addToYamlList(edited, [...path, 'controllers'], entry),
        text,
      ),
      path,
      'controller',
    ),
  );
}

/**
 * Removes a controller from the resource at `index` in the text of PROJECT.
 * @param name name of the controller; default: the name of the kind
 * @throws OpSdkError `project/cannot-edit` with the text to change by hand
 */
function removeController(
  text: string,
  resource: ProjectResource,
  index: number,
  name = defaultControllerName(resource.kind),
): string {
  if (resource.controllers === undefined) return setController(text, index, false);
  const path = ['resources', index];
  const isMeant = (entry: unknown): boolean =>
    typeof entry === 'object' && entry !== null && 'name' in entry && entry.name === name;
  const isLast = resource.controllers.every((each) => each === name);
  return editYaml(layout.projectFile, `# no controller ${name} in resources[${index}]`, () => {
    const rest = removeFromYamlList(text, [...path, 'controllers'], isMeant);
    return isLast ? removeFromYamlMap(rest, path, 'controllers') : rest;
  });
}

/** Returns the entry for webhooks in PROJECT. Flags that are false are omitted, as in kubebuilder. */
function webhooksEntry({ defaulting, validation, conversion, spoke, ...rest }: ProjectWebhooks) {
  return {
    ...(conversion ? { conversion } : {}),
    ...(defaulting ? { defaulting } : {}),
    ...(spoke.length === 0 ? {} : { spoke }),
    ...(validation ? { validation } : {}),
    ...rest,
  };
}

/**
 * Sets the webhooks of the resource at `index` in the text of PROJECT, replacing all former webhooks.
 * @param webhooks the new webhooks; undefined removes all webhooks
 * @throws OpSdkError `project/cannot-edit` with the text to change by hand
 */
export function setWebhooks(
  text: string,
  resource: ProjectResource,
  index: number,
  webhooks: ProjectWebhooks | undefined,
): string {
  const path = ['resources', index];
  const entry = webhooks && webhooksEntry(webhooks);
  const byHand =
    entry === undefined
      ? `# no webhooks in resources[${index}]`
      : `# in resources[${index}]\n${toYaml({ webhooks: entry })}`;
  return editYaml(layout.projectFile, byHand, () => {
    if (entry === undefined) return removeFromYamlMap(text, path, 'webhooks');
    const { spoke = [], ...scalars } = entry;
    const inside = [...path, 'webhooks'];
    const gone = webhookKeys.filter((key) => !Object.hasOwn(scalars, key));
    const set = gone.reduce(
      (edited, key) => removeFromYamlMap(edited, inside, key),
      setInYamlMap(text, inside, scalars),
    );
    if (spoke.length === 0) return removeFromYamlMap(set, inside, 'spoke');
    const added = spoke.reduce(
      (edited, version) => addToYamlList(edited, [...inside, 'spoke'], version),
      set,
    );
    return (resource.webhooks?.spoke ?? [])
      .filter((version) => !spoke.includes(version))
      .reduce(
        (edited, version) =>
          removeFromYamlList(edited, [...inside, 'spoke'], (item) => String(item) === version),
        added,
      );
  });
}

const webhookKeys = ['conversion', 'defaulting', 'defaultingPath', 'validation', 'validationPath'] as const;

function entriesOf(names: readonly string[]): readonly { readonly name: string }[] {
  return names.map((name) => ({ name }));
}

/**
 * Sets `multigroup` or `namespaced` to true in the text of PROJECT, or removes the setting.
 * @throws OpSdkError `project/cannot-edit` with the text to change by hand
 */
export function setProjectFlag(text: string, name: 'multigroup' | 'namespaced', on: boolean): string {
  return editYaml(layout.projectFile, on ? `${name}: true` : `# no ${name}`, () =>
    on ? setInYamlMap(text, [], { [name]: true }) : removeFromYamlMap(text, [], name),
  );
}

/** Returns the hashes of scaffolded files that {@link recordTemplates} has recorded in PROJECT; empty if PROJECT records none. */
export function recordedTemplates(text: string): Readonly<Record<string, unknown>> {
  const { plugins } = (parseYaml(text, layout.projectFile).value ?? {}) as {
    readonly plugins?: Readonly<Record<string, { readonly templates?: Readonly<Record<string, unknown>> }>>;
  };
  return plugins?.[LAYOUT_KEY]?.templates ?? {};
}

/** Adds the hashes of scaffolded files to the text of PROJECT. */
export function recordTemplates(text: string, templates: Readonly<Record<string, string>>): string {
  const byHand = toYaml({ plugins: { [LAYOUT_KEY]: { templates } } });
  return editYaml(layout.projectFile, byHand, () =>
    setInYamlMap(text, ['plugins', LAYOUT_KEY, 'templates'], templates),
  );
}

/**
 * Parses the text of a PROJECT file. Unknown keys are ignored.
 * @throws OpSdkError with all problems of the file, each with line and column
 */
export function readProject(text: string): Project {
  const document = parseYaml(text, layout.projectFile);
  const root = document.value;
  if (!isJsonMap(root))
    throw new OpSdkError({
      code: 'project/invalid',
      message: 'PROJECT is not a map of keys and values',
      where: document.locate([]),
      fix: ['restore PROJECT from version control, or make a new project with `op-sdk init`'],
    });
  const { version } = root;
  // Other versions of PROJECT have another schema, so nothing else is checked.
  if (typeof version === 'string' && version !== SUPPORTED_VERSION)
    throw new OpSdkError({
      code: 'project/unsupported-version',
      message: `PROJECT has version ${JSON.stringify(version)}; op-sdk reads version "${SUPPORTED_VERSION}"`,
      where: document.locate(['version']),
      fix: ['make a new project with `op-sdk init` and move your types and manifests over'],
    });
  const { value, problems } = readJson(projectReader, root, 'PROJECT', { style: documentStyle });
  const findings = problemFindings(
    problems,
    (path) => document.locate(path),
    () => 'project/invalid',
  );
  if (value === undefined || findings.length > 0) throw new OpSdkError(findings);
  return value;
}

/** The parts of another tool's PROJECT file that op-sdk reads. */
interface ForeignProject {
  readonly layout: readonly string[];
  /** The project's name; undefined if PROJECT has none. */
  readonly projectName: string | undefined;
}

/**
 * Reads the plugin keys and the name from the PROJECT file of a project that another tool made.
 * @returns undefined for a project of op-sdk
 * @throws OpSdkError `io/yaml-*`
 */
export function readForeignProject(text: string): ForeignProject | undefined {
  const root = jsonMapOf(parseKubernetesYaml(text, layout.projectFile)[0]?.value);
  const keys = pluginKeys([...jsonListOf(root['layout']), root['layout']].map(jsonTextOf));
  const layouts = keys.filter((key) => key !== '');
  if (layouts.length === 0 || layouts.includes(LAYOUT_KEY)) return undefined;
  const projectName = jsonTextOf(root['projectName']);
  return { layout: layouts, projectName: projectName === '' ? undefined : projectName };
}

/**
 * Adds a resource, and optionally a controller, to the text of PROJECT. All versions of a kind share the files of a controller, so the
 * controller is removed from the other versions.
 * @param controller the controller to add; undefined adds none; its `name` defaults to the name of the kind
 */
export function enterResource(
  project: Pick<LoadedProject, 'text' | 'resources'>,
  resource: ProjectResource,
  controller: { readonly name: string | undefined } | undefined,
): string {
  let { text } = project;
  const isSame = (known: ProjectResource): boolean =>
    isSameKind(known, resource) && known.version === resource.version;
  if (controller !== undefined)
    for (const [index, known] of project.resources.entries())
      if (!isSame(known) && isSameKind(known, resource) && hasController(known, controller.name))
        text = removeController(text, known, index, controller.name);
  const index = project.resources.findIndex(isSame);
  const present = project.resources[index];
  if (present === undefined) return addResource(text, resource);
  return controller === undefined ? text : addController(text, present, index, controller.name);
}
