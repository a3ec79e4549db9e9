import { FindingList, type Finding } from '../../../base/errors/index.ts';
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
  const known = knownResources(project, wanted);
  const resource = requestedResource(project, wanted, known);
  if (known.family.length === 0) checkDomainOnce(findings, resource);
  checkLengths(findings, resource);
  if (wanted.resource) checkNewResource(findings, resource, known, { wanted, force: options.force });
  else if (known.present === undefined) findings.add(nothingToControl(resource));
  const { kind, group, controllerName } = wanted;
  const ambiguousKind = project.resources.some((other) => other.kind === kind && other.group !== group);
  const choice = chooseController(wanted, known, options.force);
  if (choice.existing !== undefined) {
    findings.add(controllerExists(resource, choice.existing, wanted));
  } else if (choice.requested ?? choice.byDefault) {
    checkControllerNames(findings, project, {
      resource,
      controllerName,
      ambiguousKind,
      force: options.force,
    });
  }
  findings.throwIfAny();
  const withController = await isControllerWanted(choice, options);
  return {
    projectName: project.projectName,
    namespacedProject: project.namespaced,
    resource: {
      ...resource,
      controller: withController || known.present?.controller === true,
      ...(withController && controllerName !== undefined ? { controllers: [controllerName] } : {}),
    },
    withResource: wanted.resource,
    withController,
    pluralGiven: resource.plural !== defaultPlural(kind),
    firstVersion: known.versions.every(({ version }) => version === wanted.version),
    ambiguousKind,
    controllerName: withController ? controllerName : undefined,
    header: options.header,
  };
}

type ResourceIdentity = Omit<ProjectResource, 'controller'>;

/** Entries of PROJECT that are related to the requested API. */
interface Known {
  /** Resources of PROJECT that belong to the same API group. */
  readonly family: readonly ProjectResource[];
  /** Versions of the kind that PROJECT lists. */
  readonly versions: readonly ProjectResource[];
  /** Entry of PROJECT for exactly the requested group, version and kind, if it exists. */
  readonly present: ProjectResource | undefined;
}

function knownResources(project: LoadedProject, { group, version, kind }: WantedApi): Known {
  const family = project.resources.filter(
    (known) => known.group === group && known.domain === project.domain,
  );
  const versions = family.filter((known) => known.kind === kind);
  return { family, versions, present: versions.find((known) => known.version === version) };
}

/**
 * Returns the entry of PROJECT for the requested API. Values that the request leaves open are those of the existing entry, of another
 * version of the kind, or the defaults.
 */
function requestedResource(
  project: LoadedProject,
  wanted: WantedApi,
  { versions, present }: Known,
): ResourceIdentity & { readonly plural: string; readonly path: string } {
  const { group, version, kind } = wanted;
  const other = versions.find((known) => known.api !== undefined);
  return {
    group,
    domain: project.domain,
    version,
    kind,
    plural: wanted.plural ?? present?.plural ?? other?.plural ?? defaultPlural(kind),
    path: present?.path ?? layout.types({ group, version, kind }),
    api: {
      crdVersion: 'v1',
      namespaced: wanted.namespaced ?? present?.api?.namespaced ?? other?.api?.namespaced ?? true,
    },
  };
}

function nothingToControl(resource: ResourceIdentity): Finding {
  return {
    code: 'project/resource-missing',
    message: `the project has no ${fullGroup(resource)}/${resource.version}, Kind=${resource.kind}, so there is nothing to control`,
    where: { file: layout.projectFile },
    fix: ['leave out --resource=false to make the resource too'],
  };
}

/** Decision whether the command creates a controller. */
interface ControllerChoice {
  /** Decision of the flags; undefined if they leave it open. */
  readonly requested: boolean | undefined;
  /** Decision if the flags leave it open and the user cannot be asked. */
  readonly byDefault: boolean;
  /** Version whose existing controller the requested controller would overwrite without permission. */
  readonly existing: ProjectResource | undefined;
}

function chooseController(wanted: WantedApi, { versions }: Known, force: boolean): ControllerChoice {
  const { controllerName, version } = wanted;
  const controlled =
    controllerName === undefined ? versions.find((known) => hasController(known)) : undefined;
  // If no resource is requested, the command can only create a controller.
  const isNeeded = !wanted.resource || controllerName !== undefined;
  const requested = wanted.controller ?? (isNeeded ? true : undefined);
  return {
    requested,
    // A further version of a kind is reconciled by the kind's existing controllers, so no controller is created for that version by default.
    byDefault: versions.every((known) => !known.controller) || (force && controlled?.version === version),
    existing: requested === true && !force ? controlled : undefined,
  };
}

/** Asks the user if the flags leave the decision open, and if a controller would be created by default. */
async function isControllerWanted(
  { requested, byDefault }: ControllerChoice,
  options: DecideOptions,
): Promise<boolean> {
  if (requested !== undefined || !byDefault) return requested ?? false;
  return (await options.askController()) ?? true;
}

function controllerExists(
  resource: ResourceIdentity,
  controlled: ProjectResource,
  wanted: WantedApi,
): Finding {
  return {
    code: 'project/controller-exists',
    message: `${resource.kind} of the group ${fullGroup(resource)} has a controller already, for ${controlled.version}`,
    where: { file: layout.controller(resource) },
    fix: [
      ...(wanted.resource ? ['use --controller=false'] : []),
      'add another controller with --controller-name',
      controlled.version === resource.version
        ? 'overwrite the controller with --force'
        : `move the controller to ${resource.version} with --force`,
    ],
  };
}

/**
 * Adds a finding if the given group already ends with the project's domain, because the domain would then appear twice in the API group. A
 * project that already uses such a group keeps it.
 */
function checkDomainOnce(findings: FindingList, resource: ResourceIdentity): void {
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
function checkLengths(findings: FindingList, resource: ResourceIdentity): void {
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

function checkNewResource(
  findings: FindingList,
  resource: ResourceIdentity,
  { family, versions, present }: Known,
  { wanted, force }: { readonly wanted: WantedApi; readonly force: boolean },
): void {
  const group = fullGroup(resource);
  const where = { file: layout.projectFile };
  if (present !== undefined && !force) {
    findings.add({
      code: 'project/resource-exists',
      message: `the project has ${group}/${resource.version}, Kind=${resource.kind} already`,
      where,
      fix: [
        ...(wanted.controllerName === undefined
          ? []
          : ['add --resource=false to create a further controller of it']),
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
