import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OpSdkError } from '../errors/index.ts';
import { toYaml } from '../yaml/to-yaml.ts';
import { parseYaml } from '../yaml/read-yaml.ts';
import { addToYamlList, removeFromYamlMap, setInYamlMap } from '../yaml/splice.ts';
import { editYaml } from '../yaml/edit-yaml.ts';
import { LAYOUT_KEY, layout } from './layout.ts';
import { defaultPlural } from '../util/plural.ts';
import { readProject } from './project-schema.ts';
import { readFileOf } from './read-file.ts';
import type { ProjectResource } from './resource.ts';

/** A project as its PROJECT file describes it. Source: kubebuilder `pkg/config/v3`. */
export interface Project {
  readonly domain: string;
  readonly repo?: string;
  readonly projectName: string;
  /** The version of op-sdk that scaffolded the project. */
  readonly cliVersion?: string;
  readonly layout: readonly string[];
  readonly multigroup: boolean;
  readonly resources: readonly ProjectResource[];
}

/** A project read from disk. */
export interface LoadedProject extends Project {
  /** Absolute path of the project's folder. */
  readonly root: string;
  /** The text of PROJECT, for edits by splices. */
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
        'make a project in this folder with `npx opsdk init --domain <domain>`',
      ],
    });
  }
  return { ...readProject(text), root, text };
}

/** The nearest folder above that holds a project; commands run in its root only. */
function projectAbove(folder: string): string | undefined {
  const above = dirname(folder);
  if (above === folder) return undefined;
  return existsSync(join(above, layout.projectFile)) ? above : projectAbove(above);
}

/** What `init` knows of a project. */
export interface NewProject {
  readonly domain: string;
  readonly repo?: string | undefined;
  readonly projectName: string;
  readonly cliVersion: string;
  /** For each scaffolded file the hash of what its template gave. */
  readonly templates: Readonly<Record<string, string>>;
}

/** The text of a new project's PROJECT file. */
export function newProjectFile(project: NewProject): string {
  const { templates, ...known } = project;
  return (
    header +
    toYaml({
      ...known,
      version: '3',
      layout: [LAYOUT_KEY],
      multigroup: true,
      plugins: { [LAYOUT_KEY]: { templates } },
    })
  );
}

/**
 * The text of PROJECT with one resource more.
 * @throws OpSdkError `project/cannot-edit` with what to add by hand
 */
export function addResource(text: string, resource: ProjectResource): string {
  const entry = {
    ...(resource.api === undefined ? {} : { api: resource.api }),
    ...(resource.controller ? { controller: true } : {}),
    domain: resource.domain,
    group: resource.group,
    kind: resource.kind,
    ...(resource.path === undefined ? {} : { path: resource.path }),
    ...(resource.plural === defaultPlural(resource.kind) ? {} : { plural: resource.plural }),
    version: resource.version,
  };
  return editYaml(layout.projectFile, toYaml({ resources: [entry] }), () =>
    addToYamlList(text, ['resources'], entry),
  );
}

/**
 * The text of PROJECT in which the resource at `index` has a controller, or no longer has one.
 * @throws OpSdkError `project/cannot-edit` with what to change by hand
 */
export function setController(text: string, index: number, has = true): string {
  const path = ['resources', index];
  const byHand = has
    ? `controller: true   # in resources[${index}]`
    : `# no controller in resources[${index}]`;
  return editYaml(layout.projectFile, byHand, () =>
    has ? setInYamlMap(text, path, { controller: true }) : removeFromYamlMap(text, path, 'controller'),
  );
}

/** The hashes of scaffolded files that PROJECT records, see {@link recordTemplates}; none where it records nothing. */
export function recordedTemplates(text: string): Readonly<Record<string, unknown>> {
  const { plugins } = (parseYaml(text, layout.projectFile).value ?? {}) as {
    readonly plugins?: Readonly<Record<string, { readonly templates?: Readonly<Record<string, unknown>> }>>;
  };
  return plugins?.[LAYOUT_KEY]?.templates ?? {};
}

/** The text of PROJECT with the hashes of more scaffolded files. */
export function recordTemplates(text: string, templates: Readonly<Record<string, string>>): string {
  const byHand = toYaml({ plugins: { [LAYOUT_KEY]: { templates } } });
  return editYaml(layout.projectFile, byHand, () =>
    setInYamlMap(text, ['plugins', LAYOUT_KEY, 'templates'], templates),
  );
}
