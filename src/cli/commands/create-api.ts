import { defineCommand, type CliContext, type CommandOutcome, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { FindingList, OpSdkError } from '../../base/errors/index.ts';
import {
  checkKindName,
  checkPlural,
  checkSubdomain,
  checkVersion,
  commandRecord,
  layout,
  readFileOf,
  recordCommand,
  recordedTemplates,
  recordTemplates,
  fullGroup,
  type ProjectResource,
  hasController,
  type LoadedProject,
  enterResource,
} from '../../project/project/index.ts';
import {
  apiEdits,
  apiFiles,
  contentHash,
  planFiles,
  reservedKinds,
  type WantedFile,
  foreignEdits,
  foreignFiles,
  type ForeignInput,
  withoutIdleRecord,
} from '../../project/scaffold/index.ts';
import { askYesOrNo, reportOverwrites } from '../ui/prompts.ts';
import { readDefinitions, storageLosses } from '../../kubernetes/crd/index.ts';
import type { ManifestFile } from '../../compiler/manifests/index.ts';
import { carryOut, keepEdits } from '../actions/files/apply-plan.ts';
import { projectToScaffold } from '../actions/files/project-to-scaffold.ts';
import { decideApi, type WantedApi } from '../actions/input/decide-api.ts';
import {
  checkControllerName,
  nameWithoutController,
  checkControllerNames,
} from '../actions/input/check-controller-names.ts';
import { checkExternalFlags, externalKind } from '../actions/foreign/external-kind.ts';
import { checkFlag, invalidFlag, requiredNames } from '../actions/input/flag-values.ts';
import { foreignKind, recordedExternal, type ForeignKind } from '../actions/foreign/foreign-kind.ts';
import { plannedManifests } from '../actions/manifests/made-manifests.ts';
import { dependentCommands } from '../actions/manifests/dependent-commands.ts';
import {
  hashesOfEdited,
  isAboutFreshCopy,
  onlyStorage,
  planVersion,
  withCopies,
} from '../actions/versions/further-version.ts';

const flags = {
  group: flag.text('group', 'API group, without the domain of the project'),
  version: flag.text('version', 'API version, such as v1alpha1'),
  kind: flag.text('Kind', 'kind, such as Memcached'),
  plural: flag.text('plural', "plural of the kind (default: the kind's English plural)"),
  'controller-name': flag.text('name', 'name of a further controller of the kind, such as memcached-backup'),
  'external-api-path': flag.text(
    'path',
    'a CRD (file, folder or https URL), or a module that exports a resource',
  ),
  'external-api-domain': flag.text('domain', "domain of the external kind's group, such as io"),
  resource: flag.negated('create no types, sample or roles', { unset: true }),
  controller: flag.negated('create no controller or test', { unset: true }),
  namespaced: flag.negated('the kind is cluster-scoped', { unset: true }),
  storage: flag.boolean('store objects in this version; of one that exists, change nothing else'),
  force: flag.boolean(
    'overwrite what was scaffolded for this API before, move the controller, accept the loss of fields',
  ),
  ...dryRunFlag,
};

export const command = defineCommand({
  locksProject: 'project',
  flags,
  help: `
A further version of a kind begins as a copy of the newest one: its types, its sample. Objects stay stored in the version
that they are stored in; --storage changes that. The kind keeps its controller; --controller --force moves it.

  op-sdk create api --group cache --version v1 --kind Memcached
  op-sdk create api --group cache --version v2 --kind Memcached
  op-sdk create api --group cache --version v2 --kind Memcached --storage

With --resource=false, the kind is one of the project, or one of Kubernetes: --group apps --version v1 --kind Deployment. With
--external-api-path, it is one of others: --group, --version and --kind then select one of those that are there.`,
  async run(context, options) {
    const force = options.force === true;

    // Check that this folder is a project before the user is prompted.
    if (context.interactive) await projectToScaffold(context);
    if (options.externalApiPath !== undefined || options.externalApiDomain !== undefined)
      return createExternal(context, options);
    const wanted = await checkFlags(context, options);
    const project = await projectToScaffold(context);
    const foreign = await foreignKind(project, wanted);
    if (foreign !== undefined) return createForeign(context, project, options, foreign);
    const storage = options.storage === true;
    const input = await decideApi(project, storage ? onlyStorage(project, wanted) : wanted, {
      force,
      header: ((await readFileOf(project.root, layout.boilerplate)) ?? '').trimEnd(),
      askController: () => askYesOrNo(context, 'Create Controller'),
    });

    const version = await planVersion(project, input, { storage });
    const scaffolded = version.movesController ? { ...input, withController: false } : input;
    const fresh = withCopies(await apiFiles(scaffolded, project.root), version.copied);
    const edits = await apiEdits(scaffolded, (path) => readFileOf(project.root, path));
    const hashes = {
      ...Object.fromEntries(fresh.map(({ path, content }) => [path, contentHash(content)])),
      ...hashesOfEdited(version.edited, recordedTemplates(project.text)),
    };
    const controller = input.withController ? { name: input.controllerName } : undefined;
    const run = commandRecord('create api', {
      ...{ group: wanted.group, version: wanted.version, kind: wanted.kind },
      ...{ plural: options.plural, 'controller-name': options.controllerName, force },
      // With --storage, flags that are left out have another meaning than their defaults.
      resource: storage ? options.resource : input.withResource,
      controller: storage ? options.controller : input.withController,
      namespaced: options.namespaced,
      ...(storage ? { storage } : {}),
    });
    const entered = recordCommand(version.enter(enterResource(project, input.resource, controller)), run);
    const maintained: WantedFile[] = [
      ...edits,
      ...version.edited,
      { path: layout.projectFile, content: recordTemplates(entered, hashes) },
    ];
    // Report file conflicts before the manifests are generated, which is slower.
    await planFiles(project.root, { fresh, maintained, force });
    const manifests = await plannedManifests(project.root, [...fresh, ...maintained]);
    if (version.storageFrom !== undefined && !force)
      checkStorageLoss(manifests.documents, input.resource, version.storageFrom);
    const files = { fresh, maintained: [...maintained, ...manifests.files], force };
    const plan = withoutIdleRecord(await planFiles(project.root, files), run);
    if (force) await reportOverwrites(context, plan);
    const dryRun = options.dryRun === true;
    const result = await carryOut(
      context,
      await keepEdits(context, plan, { fresh, recorded: recordedTemplates(project.text), dryRun }),
      {
        dryRun,
      },
    );
    const made = [
      ...(input.withResource ? [input.resource.path] : []),
      ...(input.withController
        ? [layout.controller({ ...input.resource, controllerName: input.controllerName })]
        : []),
    ];
    if (!dryRun && made.length > 0) context.report.info(`Edit ${made.join(' and ')}.`);
    for (const note of version.notes) context.report.info(note);
    return {
      result: { ...result, resource: input.resource },
      warnings: manifests.warnings.filter((each) => version.copied === undefined || !isAboutFreshCopy(each)),
      ...(dryRun ? {} : { next: [...(await dependentCommands(project)), 'op-sdk dev --samples'] }),
    };
  },
});

/** Options for a controller of a kind that the project does not define. */
export interface ForeignOptions {
  readonly plural: string | undefined;
  readonly namespaced: boolean | undefined;
  readonly controllerName: string | undefined;
  /** CRD or module that defines the kind; undefined for a kind of PROJECT or of Kubernetes. */
  readonly externalApiPath?: string | undefined;
  readonly force: boolean | undefined;
  readonly dryRun: boolean | undefined;
}

/**
 * Runs `op-sdk create api` for a kind that the project does not define. Creates a controller with its tests, but no manifests except the
 * role.
 */
export async function createForeign(
  context: CliContext,
  project: LoadedProject,
  options: ForeignOptions,
  foreign: ForeignKind,
): Promise<CommandOutcome> {
  const { force = false, dryRun = false, controllerName } = options;
  const { root } = project;
  const input = await decide(project, options, foreign);
  const fresh = [...foreign.files, ...(await foreignFiles(input, root))];
  const edits = await foreignEdits(input, (path) => readFileOf(root, path));
  const hashes = Object.fromEntries(fresh.map(({ path, content }) => [path, contentHash(String(content))]));
  const named = controllerName === undefined ? {} : { controllers: [controllerName] };
  const resource = { ...foreign.resource, controller: true, ...named };
  const { group, version, kind } = foreign.resource;
  const isNamed = options.externalApiPath !== undefined;
  const run = commandRecord('create api', {
    ...{ group, version, kind, 'controller-name': controllerName, force },
    ...(isNamed ? recordedExternal(foreign) : { resource: false }),
  });
  const entered = recordCommand(enterResource(project, resource, { name: controllerName }), run);
  const maintained: WantedFile[] = [
    ...edits,
    { path: layout.projectFile, content: recordTemplates(entered, hashes) },
  ];
  // Report file conflicts before the manifests are generated, which is slower.
  await planFiles(root, { fresh, maintained, force });
  const manifests = await plannedManifests(root, [...fresh, ...maintained]);
  const files = { fresh, maintained: [...maintained, ...manifests.files], force };
  const plan = withoutIdleRecord(await planFiles(root, files), run);
  if (force) await reportOverwrites(context, plan);
  const result = await carryOut(
    context,
    await keepEdits(context, plan, { fresh, recorded: recordedTemplates(project.text), dryRun }),
    {
      dryRun,
    },
  );
  if (!dryRun) context.report.info(`Edit ${layout.controller(input.controller)}.`);
  // The control plane that `op-sdk dev` starts does not have external kinds.
  const start = foreign.resource.core === true ? 'op-sdk dev' : 'op-sdk run';
  return {
    result: { ...result, resource: foreign.resource },
    warnings: [...foreign.warnings, ...manifests.warnings],
    ...(dryRun ? {} : { next: [...(await dependentCommands(project)), start] }),
  };
}

/** Decides what to create. @throws OpSdkError with a finding for each contradiction between the request, the kind and the project */
async function decide(
  project: LoadedProject,
  { plural, namespaced, controllerName, force = false }: ForeignOptions,
  foreign: ForeignKind,
): Promise<ForeignInput> {
  const findings = new FindingList();
  const { resource } = foreign;
  const { group, kind, version } = resource;
  const full = fullGroup(resource);
  for (const [flag, value] of [
    ['--plural', plural],
    ['--namespaced', namespaced],
  ] as const)
    if (value !== undefined)
      findings.add(
        invalidFlag(
          flag,
          `${flag} is only for kinds that the project defines, and ${kind} is defined outside of the project`,
          `leave ${flag} out`,
        ),
      );
  const versions = project.resources.filter((known) => known.kind === kind && fullGroup(known) === full);
  const own = versions.find((known) => known.api !== undefined);
  if (own !== undefined)
    findings.add({
      code: 'project/resource-exists',
      message: `the project defines ${full}/${own.version}, Kind=${kind} itself`,
      where: { file: layout.projectFile },
      fix: ['leave out --external-api-path to create a controller for it'],
    });
  const controlled = versions.find((known) => hasController(known));
  const ambiguousKind = project.resources.some((known) => known.kind === kind && fullGroup(known) !== full);
  const controller = { group, kind, controllerName };
  // If the project defines the kind, a finding already refuses the command, so the names of controllers are not checked.
  if (own === undefined && controllerName === undefined && controlled !== undefined && !force)
    findings.add({
      code: 'project/controller-exists',
      message: `${kind} of the group ${full === '' ? group : full} has a controller already, for ${controlled.version}`,
      where: { file: layout.controller(controller) },
      fix: ['add another controller with --controller-name', 'overwrite the controller with --force'],
    });
  else if (own === undefined)
    checkControllerNames(findings, project, {
      resource: { ...resource, version },
      controllerName,
      ambiguousKind,
      force,
    });
  findings.throwIfAny();
  return {
    projectName: project.projectName,
    domain: project.domain,
    controller,
    ambiguousKind,
    source: foreign.source,
    exportName: foreign.exportName,
    crd: foreign.crd,
    testable: foreign.testable,
    header: ((await readFileOf(project.root, layout.boilerplate)) ?? '').trimEnd(),
  };
}

/**
 * Refuses a new storage version that lacks fields which stored objects may have, unless a webhook converts between the versions.
 * @param documents manifests after the change
 * @param from version in which objects are stored now
 * @throws OpSdkError `project/storage-loses-fields`
 */
export function checkStorageLoss(
  documents: readonly ManifestFile[],
  resource: ProjectResource & { readonly path: string },
  from: string,
): void {
  const name = `${resource.plural}.${fullGroup(resource)}`;
  const placed = documents
    .filter(({ template }) => template === 'crd')
    .map(({ document, path }) => ({ value: document, locate: () => ({ file: path }) }));
  const definition = readDefinitions(placed, 'old').definitions.find((each) => each.name === name);
  const lost = definition === undefined ? [] : storageLosses(definition, from, resource.version);
  if (lost.length === 0) return;
  throw new OpSdkError({
    code: 'project/storage-loses-fields',
    message: `stored objects of ${resource.kind} would lose ${lost.join(', ')}: ${from} has these fields, ${resource.version} does not, and no conversion is declared`,
    where: { file: resource.path },
    fix: [
      `add the fields to ${resource.version}`,
      'or move the storage version with --force, and lose the values of these fields in stored objects',
    ],
  });
}

type Options = ParsedOptions<typeof flags>;

/** Creates a controller for an external kind, whose module is given by flags. */
async function createExternal(context: CliContext, options: Options): Promise<CommandOutcome> {
  const findings = new FindingList();
  findings.gatherSync(() => checkExternalFlags(options));
  checkFlag(findings, '--controller-name', options.controllerName, checkControllerName, [
    'give lower-case letters, digits and "-", such as certificate-renewal',
  ]);
  findings.throwIfAny();
  const project = await projectToScaffold(context);
  const header = ((await readFileOf(project.root, layout.boilerplate)) ?? '').trimEnd();
  return createForeign(context, project, options, await externalKind(context, project, options, header));
}

/** Checks the flags of `create api`. @throws OpSdkError with a finding for every flag that is missing or wrong */
async function checkFlags(context: CliContext, options: Options): Promise<WantedApi> {
  const checkUsableKind = (kind: string): string | undefined =>
    checkKindName(kind) ??
    (reservedKinds.includes(kind) ? 'the name is reserved: the scaffolded code uses it itself' : undefined);
  const findings = new FindingList();
  const { group, version, kind } = await requiredNames(context, findings, [
    {
      name: 'group',
      given: options.group,
      question: 'Group',
      check: checkSubdomain,
      placeholder: 'cache',
    },
    {
      name: 'version',
      given: options.version,
      question: 'Version',
      check: checkVersion,
      placeholder: 'v1alpha1',
    },
    {
      name: 'kind',
      given: options.kind,
      question: 'Kind',
      check: checkUsableKind,
      placeholder: 'Memcached',
      what: 'a name',
    },
  ]);
  checkFlag(findings, '--plural', options.plural, checkPlural, [
    'give lower-case letters, digits and "-", such as memcacheds',
  ]);
  checkFlag(findings, '--controller-name', options.controllerName, checkControllerName, [
    'give lower-case letters, digits and "-", such as memcached-backup',
  ]);
  if (options.controller === false) nameWithoutController(findings, options.controllerName);
  const nothing = invalidFlag(
    '--resource',
    'nothing would be created: --resource=false and --controller=false were both given',
    'leave out --resource=false or --controller=false',
  );
  if (options.resource === false && options.controller === false && options.storage !== true)
    findings.add(nothing);
  findings.throwIfAny();
  const asks = options.resource === undefined && options.storage !== true;
  const resource = options.resource ?? (asks ? await askYesOrNo(context, 'Create Resource') : true) ?? true;
  if (!resource && options.controller === false && options.storage !== true) findings.add(nothing);
  findings.throwIfAny();
  return {
    group,
    version,
    kind,
    resource,
    plural: options.plural,
    namespaced: options.namespaced,
    controller: options.controller,
    controllerName: options.controllerName,
  };
}
