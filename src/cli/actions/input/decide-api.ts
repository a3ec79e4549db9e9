import { FindingList } from '../../../base/errors/index.ts';
import {
  checkSubdomain,
  defaultPlural,
  fullGroup,
  groupWithoutDomain,
  hasController,
  layout,
  type LoadedProject,
  type ProjectResource,
} from '../../../project/project/index.ts';
import type { ApiInput } from '../../../project/scaffold/index.ts';
import { checkControllerNames } from './check-controller-names.ts';
import { invalidFlag } from './flag-values.ts';

/** Request to scaffold an API. Each value is already valid on its own; the combination has not been checked. */
export interface WantedApi {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string | undefined;
  readonly namespaced: boolean | undefined;
  readonly resource: boolean;
  readonly controller: boolean | undefined;
  readonly controllerName?: string | undefined;
}

interface DecideOptions {
  readonly force: boolean;
  /** Header of new source files. */
  readonly header: string;
  /** Asks whether to create a controller; returns undefined if the user cannot be asked. */
  askController(): Promise<boolean | undefined>;
}

/**
 * Decides what to scaffold, based on the request and the project.
 * @throws OpSdkError with one finding for each contradiction between the request and the project
 */
export async function decideApi(
  project: LoadedProject,
  wanted: WantedApi,
  options: DecideOptions,
): Promise<ApiInput> {
  const findings = new FindingList();
  const { group, version, kind } = wanted;
  const family = project.resources.filter(
    (known) => known.group === group && known.domain === project.domain,
  );
  const versions = family.filter((known) => known.kind === kind);
  const [other] = versions.filter((known) => known.api !== undefined);
  const present = versions.find((known) => known.version === version);

  const plural = wanted.plural ?? present?.plural ?? other?.plural ?? defaultPlural(kind);
  const namespaced = wanted.namespaced ?? present?.api?.namespaced ?? other?.api?.namespaced ?? true;
  const resource = {
    group,
    domain: project.domain,
    version,
    kind,
    plural,
    path: present?.path ?? layout.types({ group, version, kind }),
    api: { crdVersion: 'v1', namespaced },
  };
  if (family.length === 0) checkDomainOnce(findings, resource);
  checkLengths(findings, resource);
  if (wanted.resource)
    checkNewResource(findings, resource, {
      family,
      versions,
      present,
      force: options.force,
      named: wanted.controllerName !== undefined,
    });
  else if (present === undefined) {
    findings.add({
      code: 'project/resource-missing',
      message: `the project has no ${fullGroup(resource)}/${version}, Kind=${kind}, so there is nothing to control`,
      where: { file: layout.projectFile },
      fix: ['leave out --resource=false to make the resource too'],
    });
  }
  const { controllerName } = wanted;
  const controlled =
    controllerName === undefined ? versions.find((known) => hasController(known)) : undefined;
  // If no resource is requested, the command can only create a controller.
  const isNeeded = !wanted.resource || controllerName !== undefined;
  const controller = wanted.controller ?? (isNeeded ? true : undefined);
  const ambiguousKind = project.resources.some((known) => known.kind === kind && known.group !== group);
  // A further version of a kind is reconciled by the kind's existing controllers, so no controller is created for that version by default.
  const fallback =
    versions.every((known) => !known.controller) || (options.force && controlled?.version === version);
  if (controller === true && controlled !== undefined && !options.force) {
    findings.add({
      code: 'project/controller-exists',
      message: `${kind} of the group ${fullGroup(resource)} has a controller already, for ${controlled.version}`,
      where: { file: layout.controller(resource) },
      fix: [
        ...(wanted.resource ? ['use --controller=false'] : []),
        'add another controller with --controller-name',
        controlled.version === version
          ? 'overwrite the controller with --force'
          : `move the controller to ${version} with --force`,
      ],
    });
  } else if (controller ?? fallback) {
    checkControllerNames(findings, project, {
      resource,
      controllerName,
      ambiguousKind,
      force: options.force,
    });
  }
  findings.throwIfAny();
  const answer = controller ?? (fallback ? await options.askController() : false);
  const withController = answer ?? fallback;
  return {
    projectName: project.projectName,
    namespacedProject: project.namespaced,
    resource: {
      ...resource,
      controller: withController || present?.controller === true,
      ...(withController && controllerName !== undefined ? { controllers: [controllerName] } : {}),
    },
    withResource: wanted.resource,
    withController,
    pluralGiven: plural !== defaultPlural(kind),
    firstVersion: versions.every((known) => known.version === version),
    ambiguousKind,
    controllerName: withController ? controllerName : undefined,
    header: options.header,
  };
}

/**
 * Adds a finding if the given group already ends with the project's domain, because the domain would then appear twice in the API group. A
 * project that already uses such a group keeps it.
 */
function checkDomainOnce(findings: FindingList, resource: Omit<ProjectResource, 'controller'>): void {
  const { group, domain } = resource;
  const meant = groupWithoutDomain(group, domain);
  if (meant === undefined) return;
  findings.add(
    invalidFlag(
      '--group',
      `--group: expected the group without the project's domain ${domain}, got ${JSON.stringify(group)}; with the domain appended, the API group would be ${JSON.stringify(fullGroup(resource))}`,
      meant === ''
        ? `give the part in front of the domain: --group cache is ${JSON.stringify(`cache.${domain}`)}`
        : `give --group ${meant}, which is ${JSON.stringify(group)}`,
    ),
  );
}

/** Checks the length of names that are composed of the values of several flags. */
function checkLengths(findings: FindingList, resource: Omit<ProjectResource, 'controller'>): void {
  for (const [what, name] of [
    ['the API group', fullGroup(resource)],
    ['the name of the CustomResourceDefinition', `${resource.plural}.${fullGroup(resource)}`],
  ] as const) {
    const problem = checkSubdomain(name);
    if (problem === undefined) continue;
    findings.add(
      invalidFlag('--group', `${what} would be ${JSON.stringify(name)}: ${problem}`, 'give a shorter group'),
    );
  }
}

interface Known {
  /** Resources of PROJECT that belong to the same API group. */
  readonly family: readonly ProjectResource[];
  /** Versions of the kind that PROJECT lists. */
  readonly versions: readonly ProjectResource[];
  /** Entry of PROJECT for exactly the requested group, version and kind, if it exists. */
  readonly present: ProjectResource | undefined;
  readonly force: boolean;
  /** True if `--controller-name` was given. In that case the kind may exist already. */
  readonly named: boolean;
}

function checkNewResource(
  findings: FindingList,
  resource: Omit<ProjectResource, 'controller'>,
  { family, versions, present, force, named }: Known,
): void {
  const group = fullGroup(resource);
  const where = { file: layout.projectFile };
  if (present !== undefined && !force) {
    findings.add({
      code: 'project/resource-exists',
      message: `the project has ${group}/${resource.version}, Kind=${resource.kind} already`,
      where,
      fix: [
        ...(named ? ['add --resource=false to create a further controller of it'] : []),
        'give another --version or --kind',
        'pass --force to overwrite what was scaffolded',
      ],
    });
  }
  const taken = family.find((known) => known.plural === resource.plural && known.kind !== resource.kind);
  if (taken !== undefined) {
    findings.add({
      code: 'project/plural-taken',
      message: `the plural ${JSON.stringify(resource.plural)} is taken: the kind ${taken.kind} of the group ${group} has it already`,
      where,
      fix: [`give ${resource.kind} another plural with --plural`],
    });
  }
  const clash = versions.find((known) => known !== present && known.plural !== resource.plural);
  if (clash !== undefined) {
    findings.add({
      code: 'project/inconsistent-versions',
      message: `--plural: expected ${JSON.stringify(clash.plural)}, the plural of version ${clash.version} of ${resource.kind}, got ${JSON.stringify(resource.plural)}`,
      where,
      fix: ['leave --plural out'],
    });
  }
  const scoped = versions.find(
    (known) =>
      known !== present && known.api !== undefined && known.api.namespaced !== resource.api?.namespaced,
  );
  if (scoped !== undefined) {
    findings.add({
      code: 'project/inconsistent-versions',
      message: `--namespaced: version ${scoped.version} of ${resource.kind} is ${scoped.api?.namespaced === true ? 'namespaced' : 'cluster-scoped'}, and all versions of a kind must have the same scope`,
      where,
      fix: ['leave --namespaced out'],
    });
  }
}
