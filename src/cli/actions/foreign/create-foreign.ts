import { FindingList } from '../../../base/errors/index.ts';
import {
  fullGroup,
  hasController,
  layout,
  readFileOf,
  recordTemplates,
  type LoadedProject,
} from '../../../project/project/index.ts';
import {
  contentHash,
  foreignEdits,
  foreignFiles,
  planFiles,
  type ForeignInput,
  type WantedFile,
} from '../../../project/scaffold/index.ts';
import type { CliContext, CommandOutcome } from '../../command.ts';
import { reportOverwrites } from '../../ui/report-overwrites.ts';
import { carryOut } from '../files/apply-plan.ts';
import { keepEdits } from '../files/keep-edits.ts';
import { checkControllerNames } from '../input/check-controller-names.ts';
import { invalidFlag } from '../input/flag-values.ts';
import type { ForeignKind } from './foreign-kind.ts';
import { plannedManifests } from '../manifests/planned-manifests.ts';
import { enterResource } from '../versions/enter-resource.ts';

/** Options for a controller of a foreign kind. */
export interface ForeignOptions {
  readonly plural?: string;
  readonly namespaced?: boolean;
  readonly controllerName?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/**
 * The part of `op-sdk create api` that is about kinds which the project does not define: it makes a controller with its tests, and no
 * manifests beside the role.
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
  const entered = enterResource(project, resource, { name: controllerName });
  const maintained: WantedFile[] = [
    ...edits,
    { path: layout.projectFile, content: recordTemplates(entered, hashes) },
  ];
  // Report conflicts before the slower part begins.
  await planFiles(root, { fresh, maintained, force });
  const manifests = await plannedManifests(root, [...fresh, ...maintained]);
  const plan = await planFiles(root, { fresh, maintained: [...maintained, ...manifests.files], force });
  if (force) reportOverwrites(context, plan);
  const result = await carryOut(context, await keepEdits(context, plan, { fresh, project, dryRun }), {
    dryRun,
  });
  if (!dryRun) context.report.info(`Edit ${layout.controller(input.controller)}.`);
  return {
    result: { ...result, resource: foreign.resource },
    warnings: [...foreign.warnings, ...manifests.warnings],
    // A control plane of its own has no external kinds.
    ...(dryRun ? {} : { next: [`op-sdk ${foreign.resource.core === true ? 'dev' : 'run'}`] }),
  };
}

/** @throws OpSdkError with everything in which the request, the kind and the project disagree */
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
          `${flag} is about a kind of the project; ${kind} is defined elsewhere`,
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
  // What the project defines itself has other controllers, which are not of concern here.
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
