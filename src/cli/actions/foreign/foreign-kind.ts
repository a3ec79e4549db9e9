import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import {
  CORE_GROUP,
  fullGroup,
  layout,
  readFileOf,
  type GivenFlags,
  type LoadedProject,
  type ProjectResource,
} from '../../../project/project/index.ts';
import type { WantedFile } from '../../../project/scaffold/index.ts';
import { moduleTokens } from '../../../compiler/source/index.ts';
import { kindsInTables, type BuiltInKind } from '../../../kubernetes/tables/index.ts';
import { closestName } from '../../../base/util/terminal-words.ts';
import type { WantedApi } from '../input/decide-api.ts';

/** Kind that the project does not define but that its controllers can reconcile. */
export interface ForeignKind {
  /** Entry of the kind in the PROJECT file, without the controllers. */
  readonly resource: Omit<ProjectResource, 'controller' | 'controllers'> & { readonly path: string };
  /** Module that exports the token (the constant that represents the kind): a file of the project, or a module of a package. */
  readonly source: { readonly file: string } | { readonly module: string };
  readonly exportName: string;
  /** File of the project that contains the CustomResourceDefinition of the kind. Only tests use it. */
  readonly crd?: string;
  /** True if a test control plane can serve the kind. */
  readonly testable: boolean;
  /** Files to write for the types and the CustomResourceDefinition of the kind; empty if no files are needed. */
  readonly files: readonly WantedFile[];
  readonly warnings: readonly Finding[];
}

/**
 * Returns the flags that name an external kind for the record of a command. A CustomResourceDefinition is named by its copy in the project,
 * so that the command can be repeated without the file or address from which it came.
 */
export function recordedExternal({ resource, source }: Pick<ForeignKind, 'resource' | 'source'>): GivenFlags {
  const { domain, plural } = resource;
  return {
    'external-api-path': 'module' in source ? source.module : layout.externalCrd(fullGroup(resource), plural),
    'external-api-domain': domain === '' ? undefined : domain,
  };
}

/**
 * Kinds that cannot be watched, because the API server does not store their objects but only answers requests. ComponentStatus objects can
 * be listed, but not watched.
 */
const unwatched: ReadonlySet<string> = new Set([
  ...['Binding', 'ComponentStatus', 'LocalSubjectAccessReview', 'SelfSubjectAccessReview'],
  ...['SelfSubjectReview', 'SelfSubjectRulesReview', 'SubjectAccessReview', 'TokenReview'],
]);

/**
 * Finds the built-in or external kind that a command names.
 * @param what noun phrase for the thing that the command creates for the kind, such as `a webhook`
 * @returns undefined for a kind of the project, which may exist or is yet to be created
 * @throws OpSdkError `project/built-in-kind` if the command would create a built-in kind, `project/unknown-built-in-kind`,
 * `project/not-watchable`
 */
export async function foreignKind(
  project: LoadedProject,
  wanted: WantedApi,
  what: 'a controller' | 'a webhook' = 'a controller',
): Promise<ForeignKind | undefined> {
  const { group, version, kind, resource } = wanted;
  const family = project.resources.filter((known) => [known.group, fullGroup(known)].includes(group));
  if (family.some((known) => known.api !== undefined && known.kind === kind)) return undefined;
  const known = family.find((each) => each.version === version && each.kind === kind);
  if (known?.external === true && !resource) return knownExternal(project, known);
  const builtIn = kindsInTables().filter((each) => namesOf(each.group).includes(group));
  const [first] = builtIn;
  if (first === undefined) return undefined;
  const isFullName = group === first.group && group.includes('.');
  if (resource) {
    if (!isFullName && !builtIn.some((each) => each.kind === kind)) return undefined;
    throw builtInRefusal(group, kind, isFullName);
  }
  return coreKind(project, { group, version, kind }, builtIn, what);
}

/**
 * Returns the names that people use for a built-in group: the short form of kubebuilder, the full name, and the name of the folder with the
 * types of the group.
 */
function namesOf(group: string): readonly string[] {
  return [shortGroup(group), group, group.split('.')[0] ?? ''].filter((name) => name !== '');
}

/**
 * Returns the short name of a group as PROJECT records it, such as `networking` for `networking.k8s.io`. Source: kubebuilder `coreGroups`.
 */
function shortGroup(group: string): string {
  return group === '' ? CORE_GROUP : group.replace(/\.k8s\.io$/, '');
}

function builtInRefusal(group: string, kind: string, isFullName: boolean): OpSdkError {
  return new OpSdkError({
    code: 'project/built-in-kind',
    message: isFullName
      ? `the group ${group} is built into Kubernetes, so the project cannot define kinds in it`
      : `${kind} of the group ${group} is built into Kubernetes, so the project does not define it`,
    where: { flag: '--resource' },
    fix: [
      'add --resource=false to create a controller for the built-in kind',
      'for a kind of your own, give another --group or --kind',
    ],
  });
}

async function coreKind(
  project: LoadedProject,
  { group, version, kind }: Pick<BuiltInKind, 'group' | 'version' | 'kind'>,
  builtIn: readonly BuiltInKind[],
  what: string,
): Promise<ForeignKind> {
  const versions = [...new Set(builtIn.map((each) => each.version))];
  const ofVersion = builtIn.filter((each) => each.version === version);
  const unknown = (flag: string, message: string, fix: string): OpSdkError =>
    new OpSdkError({ code: 'project/unknown-built-in-kind', message, where: { flag }, fix: [fix] });
  const [first] = ofVersion;
  if (first === undefined)
    throw unknown(
      '--version',
      `the built-in group ${group}: expected the version ${versions.join(' or ')}, got ${version}`,
      `give --version ${versions.at(-1) ?? ''}`,
    );
  const found = ofVersion.find((each) => each.kind === kind);
  if (found === undefined) {
    const names = ofVersion.map((each) => each.kind);
    const closest = closestName(kind, names);
    throw unknown(
      '--kind',
      `${group}/${version} of Kubernetes: unknown kind ${kind}`,
      closest === undefined ? `its kinds are ${names.join(', ')}` : `did you mean --kind ${closest}?`,
    );
  }
  if (unwatched.has(kind))
    throw new OpSdkError({
      code: 'project/not-watchable',
      message: `${kind} of the group ${group} is never stored, so it cannot have ${what}`,
      where: { flag: '--kind' },
      fix: [
        'choose a kind whose objects the API server stores',
        'read and write it with the client, in the reconcile of another controller',
      ],
    });
  const short = shortGroup(found.group);
  const module = `opsdk/k8s/${found.file}`;
  const token = (moduleTokens(project.root, module) ?? []).find(({ name }) => name === kind)?.token;
  if (token === undefined) throw new Error(`${module} does not export ${kind}`);
  return {
    resource: {
      group: short,
      domain: found.group === short || found.group === '' ? '' : 'k8s.io',
      version,
      kind,
      plural: token.plural,
      // Go package of the types, because kubebuilder records this path. The TypeScript types come from `opsdk/k8s`.
      path: `k8s.io/api/${short}/${version}`,
      core: true,
    },
    source: { module },
    exportName: kind,
    testable: true,
    files: [],
    warnings: [],
  };
}

/** Returns an external kind that is already listed in PROJECT. */
async function knownExternal(project: LoadedProject, known: ProjectResource): Promise<ForeignKind> {
  const { path = '', kind, version } = known;
  const isFile = /\.[mc]?ts$/.test(path);
  const group = fullGroup(known);
  const found = (moduleTokens(project.root, isFile ? `./${path}` : path) ?? []).find(
    ({ token }) => token.group === group && token.version === version && token.kind === kind,
  );
  if (found === undefined)
    throw new OpSdkError({
      code: 'project/external-module',
      message: `${path} does not export the resource ${group}/${version}, Kind=${kind}`,
      where: { file: layout.projectFile },
      fix: [
        'name the module that exports it with --external-api-path',
        `correct the field \`path\` in ${layout.projectFile}`,
      ],
    });
  const crd = layout.externalCrd(group, found.token.plural);
  const hasCrd = (await readFileOf(project.root, crd)) !== undefined;
  return {
    resource: { ...known, path },
    source: isFile ? { file: path } : { module: path },
    exportName: found.name,
    ...(hasCrd ? { crd } : {}),
    testable: hasCrd,
    files: [],
    warnings: [],
  };
}
