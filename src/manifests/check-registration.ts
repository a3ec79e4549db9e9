import path from 'node:path';
import type { Finding } from '../errors/index.ts';
import { fullGroup, layout, readProject, relativeImport, type ProjectResource } from '../project/index.ts';
import { unusedControllers, type ProjectDeclarations, type SourceProgram } from '../schema/index.ts';
import { parseYaml } from '../yaml/read-yaml.ts';

/** A version of a kind that the sources declare. */
export interface DeclaredApi {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Of the declaration: relative to the project, with forward slashes. */
  readonly place: { readonly file: string; readonly line: number; readonly column: number };
}

export interface Registration {
  readonly source: SourceProgram;
  readonly declarations: ProjectDeclarations;
  readonly apis: readonly DeclaredApi[];
  /** The text of a file of the project; undefined if there is none. */
  readonly read: (file: string) => string | undefined;
}

/**
 * Whether the files of a project that list its kinds and controllers have all of them: PROJECT, the kustomization of the CRDs
 * and main. What `create api` enters there may get lost, by an edit or a merge, and then a kind is not installed, or a controller
 * does not run, without a word.
 *
 * Says nothing of kinds of other domains, which may be imported, nor of lines that people have commented out.
 *
 * @returns warnings; none if PROJECT is missing or cannot be read
 */
export function checkRegistration({ source, declarations, apis, read }: Registration): readonly Finding[] {
  const project = projectOf(read(layout.projectFile));
  if (project === undefined) return [];
  const { domain, resources } = project;
  const isOwn = ({ group }: DeclaredApi): boolean =>
    group === domain ||
    group.endsWith(`.${domain}`) ||
    resources.some((resource) => resource.api !== undefined && fullGroup(resource) === group);
  const own = apis.filter(isOwn);
  return [
    ...own
      .filter((api) => !resources.some((each) => isSame(each, api)))
      .map((api) => notInProject(api, domain)),
    ...unlistedCrds(own, read),
    ...resources
      .filter(({ api }) => api !== undefined)
      .filter((resource) => !apis.some((api) => isSame(resource, api)))
      .map(withoutSource),
    ...unusedControllerFindings(source, declarations, read(layout.main)),
  ];
}

function projectOf(text: string | undefined): ReturnType<typeof readProject> | undefined {
  if (text === undefined) return undefined;
  try {
    return readProject(text);
  } catch {
    // Every command that needs PROJECT says what is wrong with it.
    return undefined;
  }
}

function isSame(resource: ProjectResource, { group, version, kind }: DeclaredApi): boolean {
  return fullGroup(resource) === group && resource.version === version && resource.kind === kind;
}

function titleOf({ group, version, kind }: Pick<DeclaredApi, 'group' | 'version' | 'kind'>): string {
  return `${group}/${version}, Kind=${kind}`;
}

function notInProject(api: DeclaredApi, domain: string): Finding {
  const group = api.group === domain ? '' : api.group.slice(0, -domain.length - 1);
  const short = api.group.endsWith(`.${domain}`) || api.group === domain;
  const entry = [
    `api: {crdVersion: v1, namespaced: ${api.namespaced}}`,
    `domain: ${short ? domain : '""'}`,
    `group: ${short ? group : api.group}`,
    `kind: ${api.kind}`,
    `path: ${api.place.file}`,
    `plural: ${api.plural}`,
    `version: ${api.version}`,
  ];
  return {
    code: 'manifests/not-in-project',
    message: `${titleOf(api)} is declared, but not listed in ${layout.projectFile}`,
    where: api.place,
    fix: [`add to resources in ${layout.projectFile}: - {${entry.join(', ')}}`],
  };
}

function withoutSource(resource: ProjectResource): Finding {
  const { version, kind, path: file } = resource;
  return {
    code: 'manifests/no-source',
    message: `${layout.projectFile} lists ${titleOf({ group: fullGroup(resource), version, kind })}, but no source declares it`,
    where: { file: layout.projectFile },
    fix: [
      `restore its declaration${file === undefined ? '' : ` in ${file}`}`,
      `or remove its entry from resources in ${layout.projectFile}`,
    ],
  };
}

/** Kinds whose CRD is generated, but is not in the kustomization that `install` and `deploy` render. */
function unlistedCrds(apis: readonly DeclaredApi[], read: Registration['read']): readonly Finding[] {
  const file = layout.kustomization(layout.crd);
  const text = read(file);
  // A project without kustomizations installs its CRDs in another way.
  if (text === undefined && read(layout.kustomization(layout.defaultConfig)) === undefined) return [];
  const listed = text === undefined ? [] : listedIn(text, file);
  if (listed === undefined) return [];
  const crds = new Map(apis.map((api) => [`bases/${api.group}_${api.plural}.yaml`, api]));
  return [...crds]
    .filter(([crd]) => !listed.includes(crd) && !isCommentedOut(text ?? '', '#', crd))
    .map(([crd, api]) => ({
      code: 'manifests/crd-not-listed',
      message: `the CustomResourceDefinition of ${api.kind} is not in ${file}, so it is not installed`,
      where: { file },
      fix: [`add to resources in ${file}: - ${crd}`],
    }));
}

/** The files that a kustomization lists; undefined if it lists folders or addresses too, which may hold anything. */
function listedIn(text: string, file: string): readonly string[] | undefined {
  let value: unknown;
  try {
    ({ value } = parseYaml(text, file));
  } catch {
    // Rendering it says what is wrong.
    return undefined;
  }
  const { resources = [], components } = (value ?? {}) as {
    readonly resources?: unknown;
    readonly components?: unknown;
  };
  if (!Array.isArray(resources) || components !== undefined) return undefined;
  const entries = resources.map((each) => path.posix.normalize(String(each)));
  return entries.every((entry) => /^[^:]*\.ya?ml$/.test(entry)) ? entries : undefined;
}

/** Whether a comment that begins with these characters holds a text: somebody has switched it off. */
function isCommentedOut(text: string, comment: string, wanted: string): boolean {
  return text.split('\n').some((line) => {
    const at = line.indexOf(comment);
    return at >= 0 && line.includes(wanted, at);
  });
}

function unusedControllerFindings(
  source: SourceProgram,
  { controllers }: ProjectDeclarations,
  main: string | undefined,
): readonly Finding[] {
  if (main === undefined) return [];
  return unusedControllers(source, controllers)
    .filter(({ name }) => !isCommentedOut(main, '//', name))
    .map(({ declaration: { place }, name }) => ({
      code: 'manifests/controller-not-added',
      message: `${name} is never added to the manager, so it does not run`,
      where: place,
      fix: [
        `add to ${layout.main}: import { ${name} } from '${relativeImport(layout.main, place.file)}';`,
        `and before manager.run: manager.add(${name});`,
      ],
    }));
}
