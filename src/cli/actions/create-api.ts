import { FindingList } from '../../base/errors/index.ts';
import {
  checkKindName,
  checkPlural,
  checkSubdomain,
  checkVersion,
  layout,
  loadProject,
  readFileOf,
  recordedTemplates,
  recordTemplates,
} from '../../project/project/index.ts';
import {
  apiEdits,
  apiFiles,
  contentHash,
  planFiles,
  reservedKinds,
  type WantedFile,
} from '../../project/scaffold/index.ts';
import type { Action, CliContext, CommandOutcome } from '../command.ts';
import { askYesOrNo } from '../ui/prompts.ts';
import { reportOverwrites } from '../ui/report-overwrites.ts';
import { createForeign, type ForeignOptions } from './foreign/create-foreign.ts';
import { carryOut } from './files/apply-plan.ts';
import { keepEdits } from './files/keep-edits.ts';
import { decideApi, type WantedApi } from './input/decide-api.ts';
import { checkControllerName, nameWithoutController } from './input/check-controller-names.ts';
import { checkExternalFlags, externalKind, type ExternalFlags } from './foreign/external-kind.ts';
import { checkFlag, invalidFlag } from './input/flag-values.ts';
import { requiredNames } from './input/required-names.ts';
import { foreignKind } from './foreign/foreign-kind.ts';
import { plannedManifests } from './manifests/planned-manifests.ts';
import { checkStorageLoss } from './versions/check-storage-loss.ts';
import { enterResource } from './versions/enter-resource.ts';
import {
  hashesOfEdited,
  isAboutFreshCopy,
  onlyStorage,
  planVersion,
  withCopies,
} from './versions/further-version.ts';

interface Options extends ExternalFlags, ForeignOptions {
  readonly storage?: boolean;
}

/** `op-sdk create api`. */
export const run: Action = async (context, parsed) => {
  const options = parsed as Options;
  const force = options.force === true;

  // Check that this is a project before prompting.
  if (context.interactive) await loadProject(context.cwd);
  if (options.externalApiPath !== undefined || options.externalApiDomain !== undefined)
    return createExternal(context, options);
  const wanted = await checkFlags(context, options);
  const project = await loadProject(context.cwd);
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
  const entered = version.enter(enterResource(project, input.resource, controller));
  const maintained: WantedFile[] = [
    ...edits,
    ...version.edited,
    { path: layout.projectFile, content: recordTemplates(entered, hashes) },
  ];
  // Report conflicts before the slower part begins.
  await planFiles(project.root, { fresh, maintained, force });
  const manifests = await plannedManifests(project.root, [...fresh, ...maintained]);
  if (version.storageFrom !== undefined && !force)
    checkStorageLoss(manifests.documents, input.resource, version.storageFrom);
  const plan = await planFiles(project.root, {
    fresh,
    maintained: [...maintained, ...manifests.files],
    force,
  });
  if (force) reportOverwrites(context, plan);
  const dryRun = options.dryRun === true;
  const result = await carryOut(context, await keepEdits(context, plan, { fresh, project, dryRun }), {
    dryRun,
  });
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
    ...(dryRun ? {} : { next: ['op-sdk dev --samples'] }),
  };
};

/** A controller of a kind that the flags say where to find. */
async function createExternal(context: CliContext, options: Options): Promise<CommandOutcome> {
  const findings = new FindingList();
  findings.gatherSync(() => checkExternalFlags(options));
  checkFlag(findings, '--controller-name', options.controllerName, checkControllerName, [
    'give lower-case letters, digits and "-", such as certificate-renewal',
  ]);
  findings.throwIfAny();
  const project = await loadProject(context.cwd);
  const header = ((await readFileOf(project.root, layout.boilerplate)) ?? '').trimEnd();
  return createForeign(context, project, options, await externalKind(context, project, options, header));
}

/** @throws OpSdkError with a finding for every flag that is missing or wrong */
async function checkFlags(context: CliContext, options: Options): Promise<WantedApi> {
  const checkUsableKind = (kind: string): string | undefined =>
    checkKindName(kind) ??
    (reservedKinds.includes(kind) ? 'the scaffolded code needs this name itself' : undefined);
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
    'with neither a resource nor a controller there is nothing to create',
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
