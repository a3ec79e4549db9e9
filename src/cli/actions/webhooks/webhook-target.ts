import { OpSdkError } from '../../../base/errors/index.ts';
import {
  fullGroup,
  groupWithoutDomain,
  layout,
  readFileOf,
  type LoadedProject,
  type ProjectResource,
} from '../../../project/project/index.ts';
import type { CliContext } from '../../command.ts';
import { externalKind } from '../foreign/external-kind.ts';
import { foreignKind, type ForeignKind } from '../foreign/foreign-kind.ts';
import { invalidFlag } from '../input/flag-values.ts';
import type { NamedKind, WebhookFlags } from './check-webhook-flags.ts';

/** Kind for which webhooks are created. */
export interface WebhookTarget extends Pick<ForeignKind, 'source' | 'exportName' | 'files' | 'warnings'> {
  /** Entry of PROJECT, which exists already or will be added. */
  readonly resource: ProjectResource & { readonly path: string };
  /** True if the project defines the kind. */
  readonly isOwn: boolean;
  /** Index of the entry among the resources of PROJECT; -1 if PROJECT has no such entry yet. */
  readonly index: number;
}

/** Kinds for which the API server never calls webhooks. Source: apiserver `rules.IsExemptAdmissionConfigurationResource`. */
const exempt: ReadonlySet<string> = new Set([
  ...['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  ...['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
  ...['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
]);

/**
 * Returns the kind that the flags name. The kind may be defined by the project, built into Kubernetes, or external.
 * @throws OpSdkError `project/resource-missing`, `project/not-admitted`, and the errors of an external or built-in kind
 */
export async function webhookTarget(
  context: CliContext,
  project: LoadedProject,
  named: NamedKind,
  flags: WebhookFlags,
): Promise<WebhookTarget> {
  if (flags.externalApiPath === undefined) {
    const own = ownResource(project, named);
    if (own !== undefined) return ownTarget(project, own, flags);
  }
  return foreignTarget(project, await foreignKindOf(context, project, named, flags), flags);
}

/** Returns the resource of PROJECT that the flags name, if the project defines its kind. */
function ownResource(
  project: LoadedProject,
  { group, version, kind }: NamedKind,
): ProjectResource | undefined {
  return project.resources.find(
    (known) =>
      known.api !== undefined &&
      [known.group, fullGroup(known)].includes(group) &&
      known.version === version &&
      known.kind === kind,
  );
}

function ownTarget(project: LoadedProject, own: ProjectResource, { plural }: WebhookFlags): WebhookTarget {
  if (plural !== undefined && plural !== own.plural)
    throw new OpSdkError(
      invalidFlag(
        '--plural',
        `--plural: expected ${own.plural}, the plural of the project's kind ${own.kind}, got ${plural}`,
        'leave --plural out',
      ),
    );
  const path = own.path ?? layout.types(own);
  return {
    resource: { ...own, path },
    isOwn: true,
    index: project.resources.indexOf(own),
    source: { file: path },
    exportName: own.kind,
    files: [],
    warnings: [],
  };
}

/** Returns the kind that the flags name, which is built into Kubernetes, or defined by another project. */
async function foreignKindOf(
  context: CliContext,
  project: LoadedProject,
  named: NamedKind,
  flags: WebhookFlags,
): Promise<ForeignKind> {
  if (flags.externalApiPath !== undefined) {
    const header = ((await readFileOf(project.root, layout.boilerplate)) ?? '').trimEnd();
    return externalKind(context, project, flags, header);
  }
  const foreign = await foreignKind(
    project,
    { ...named, plural: undefined, namespaced: undefined, resource: false, controller: true },
    'a webhook',
  );
  if (foreign === undefined) throw missing(project, named);
  return foreign;
}

function foreignTarget(
  project: LoadedProject,
  foreign: ForeignKind,
  { plural }: WebhookFlags,
): WebhookTarget {
  const { kind, version } = foreign.resource;
  const full = fullGroup(foreign.resource);
  if (full === 'admissionregistration.k8s.io' && exempt.has(kind))
    throw new OpSdkError({
      code: 'project/not-admitted',
      message: `the API server does not call webhooks for ${kind} of ${full}`,
      where: { flag: '--kind' },
      fix: ['choose another kind'],
    });
  if (plural !== undefined)
    throw new OpSdkError(
      invalidFlag(
        '--plural',
        `--plural is only for kinds that the project defines, and ${kind} is defined outside of the project`,
        'leave --plural out',
      ),
    );
  const index = project.resources.findIndex(
    (known) => fullGroup(known) === full && known.kind === kind && known.version === version,
  );
  const present = project.resources[index];
  if (present?.api !== undefined)
    throw new OpSdkError({
      code: 'project/resource-exists',
      message: `the project defines ${full}/${version}, Kind=${kind} itself`,
      where: { file: layout.projectFile },
      fix: ['leave out --external-api-path'],
    });
  return {
    ...foreign,
    resource: { controller: false, ...present, ...foreign.resource },
    isOwn: false,
    index,
  };
}

function missing(project: LoadedProject, { group, version, kind }: NamedKind): OpSdkError {
  const versions = project.resources.filter(
    (known) => known.kind === kind && [known.group, fullGroup(known)].includes(group),
  );
  return new OpSdkError({
    code: 'project/resource-missing',
    message: `the project has no ${group}/${version}, Kind=${kind}, so there is nothing to create a webhook for`,
    where: { file: layout.projectFile },
    fix: [
      ...(versions.length === 0
        ? []
        : [`give a version that it has: ${versions.map((known) => known.version).join(', ')}`]),
      `create it: op-sdk create api --group ${groupWithoutDomain(group, project.domain) || group} --version ${version} --kind ${kind}`,
      'for a kind that another project defines, use --external-api-path to name where it is defined',
    ],
  });
}
