import path from 'node:path';
import type { Finding } from '../../base/errors/index.ts';
import {
  fullGroup,
  layout,
  readProject,
  relativeImport,
  type Project,
  type ProjectResource,
} from '../../project/project/index.ts';
import { unusedDeclarations, type ProjectDeclarations, type SourceProgram } from '../schema/index.ts';
import { parseYaml } from '../../kubernetes/yaml/index.ts';

/** Declaration of a version of a kind in the sources of the project. */
export interface DeclaredApi {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** True if the API server serves this version. */
  readonly served: boolean;
  /** Source position of the declaration. The path is relative to the project, with forward slashes. */
  readonly place: { readonly file: string; readonly line: number; readonly column: number };
}

export interface Registration {
  readonly source: SourceProgram;
  readonly declarations: ProjectDeclarations;
  readonly apis: readonly DeclaredApi[];
  /** Parsed content of the file PROJECT; undefined if the file is missing or cannot be read. */
  readonly project: Project | undefined;
  /** Returns the text of a file of the project; undefined if the file does not exist. */
  readonly read: (file: string) => string | undefined;
}

/**
 * Checks that the files in which a project lists its kinds, controllers, webhooks and conversions are complete. These files are PROJECT,
 * the kustomizations and main. An edit or a merge may lose an entry that `create api` or `create webhook` has added. A kind is then not
 * installed, or a controller does not run, without any error.
 *
 * Skips kinds of other domains, because they may be imported, and lines that people have commented out.
 *
 * @returns warnings; an empty list if PROJECT is missing or cannot be read
 */
export function checkRegistration(registration: Registration): readonly Finding[] {
  const { source, declarations, apis, project, read } = registration;
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
    ...(declarations.webhooks.length === 0 ? [] : unlistedWebhooks(read)),
    ...resources
      .filter(({ api }) => api !== undefined)
      .filter((resource) => !apis.some((api) => isSame(resource, api)))
      .map(withoutSource),
    ...unusedFindings(source, declarations, read(layout.main)),
  ];
}

/** Reads PROJECT; undefined if it is missing or cannot be read. */
export function projectOf(read: Registration['read']): Project | undefined {
  const text = read(layout.projectFile);
  if (text === undefined) return undefined;
  try {
    return readProject(text);
  } catch {
    // Ignore the fault: every command that needs PROJECT reports it.
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

/** Returns a finding for each kind whose CRD is generated, but not listed in the kustomization that `install` and `deploy` render. */
function unlistedCrds(apis: readonly DeclaredApi[], read: Registration['read']): readonly Finding[] {
  const file = layout.kustomization(layout.crd);
  const text = read(file);
  // If the project does not have kustomizations, it installs its CRDs in another way.
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

/**
 * Returns the files that a kustomization lists. Returns undefined if it also lists folders or URLs, because these may contain any objects.
 */
function listedIn(text: string, file: string): readonly string[] | undefined {
  const entries = kustomizationEntries(text, file);
  return entries?.every((entry) => /^[^:]*\.ya?ml$/.test(entry)) === true ? entries : undefined;
}

/** Finding code, and consequence in the message, for each sort of declaration that is not added to the operator. */
const unused = {
  controllers: { code: 'manifests/controller-not-added', so: 'it does not run' },
  webhooks: { code: 'manifests/webhook-not-added', so: 'the operator does not answer it' },
  conversions: { code: 'manifests/conversion-not-added', so: 'the operator converts nothing' },
} as const;

function unusedFindings(
  source: SourceProgram,
  declarations: ProjectDeclarations,
  main: string | undefined,
): readonly Finding[] {
  if (main === undefined) return [];
  const all = [...declarations.controllers, ...declarations.webhooks, ...declarations.conversions];
  const found = unusedDeclarations(source, all).filter(({ name }) => !isCommentedOut(main, '//', name));
  return (['controllers', 'webhooks', 'conversions'] as const).flatMap((sort) => {
    const ofSort: readonly unknown[] = declarations[sort];
    return found
      .filter(({ declaration }) => ofSort.includes(declaration))
      .map(({ declaration: { place }, name }) => ({
        code: unused[sort].code,
        message: `${name} is never added to the manager, so ${unused[sort].so}`,
        where: place,
        fix: [
          `add to ${layout.main}: import { ${name} } from '${relativeImport(layout.main, place.file)}';`,
          `and before manager.run: manager.add(${name});`,
        ],
      }));
  });
}

/**
 * Checks that the kustomizations that `deploy` and bundles render include the webhook configurations.
 * @param read returns the text of a file of the project; undefined if the file does not exist
 */
function unlistedWebhooks(read: (file: string) => string | undefined): readonly Finding[] {
  const { defaultConfig, webhookConfig, webhookManifests, kustomization } = layout;
  const text = read(kustomization(defaultConfig));
  // If the project does not have kustomizations, it installs its webhooks in another way.
  if (text === undefined) return [];
  return [
    ...unlisted(kustomization(webhookConfig), read(kustomization(webhookConfig)) ?? '', webhookManifests),
    ...unlisted(kustomization(defaultConfig), text, path.posix.relative(defaultConfig, webhookConfig)),
  ];
}

function unlisted(file: string, text: string, entry: string): readonly Finding[] {
  const entries = kustomizationEntries(text, file);
  // The kustomization lists the entry, or components and remote resources may contain it.
  if (entries === undefined || entries.some((each) => each === entry || each.includes(':'))) return [];
  if (isCommentedOut(text, '#', entry)) return [];
  return [
    {
      code: 'manifests/webhook-not-listed',
      message: `${entry} is not in ${file}, so the webhook configurations are not installed`,
      where: { file },
      fix: [
        `add to resources in ${file}: - ${entry}`,
        'op-sdk create webhook wires everything that webhooks need',
      ],
    },
  ];
}

/**
 * Returns the normalized entries of `resources` in a kustomization. Returns undefined if the entries are unknown, because the file cannot
 * be read or has components.
 */
function kustomizationEntries(text: string, file: string): readonly string[] | undefined {
  let value: unknown;
  try {
    ({ value } = parseYaml(text, file));
  } catch {
    // Rendering the kustomization reports the error.
    return undefined;
  }
  const { resources = [], components } = (value ?? {}) as {
    readonly resources?: unknown;
    readonly components?: unknown;
  };
  if (!Array.isArray(resources) || components !== undefined) return undefined;
  return resources.map((each) => path.posix.normalize(String(each)));
}

/**
 * Returns true if a text occurs in a comment, which means that somebody has disabled the entry on purpose. @param comment characters with
 * which a comment begins
 */
function isCommentedOut(text: string, comment: string, wanted: string): boolean {
  return text.split('\n').some((line) => {
    const at = line.indexOf(comment);
    return at >= 0 && line.includes(wanted, at);
  });
}
