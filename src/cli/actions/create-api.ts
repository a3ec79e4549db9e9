import { FindingList } from '../../errors/index.ts';
import {
  addResource,
  checkKindName,
  checkPlural,
  checkSubdomain,
  checkVersion,
  detectPackageManager,
  layout,
  loadProject,
  readFileOf,
  recordedTemplates,
  recordTemplates,
  setController,
  type LoadedProject,
  type ProjectResource,
} from '../../project/index.ts';
import {
  apiEdits,
  apiFiles,
  contentHash,
  keepEdited,
  planFiles,
  reservedKinds,
  type ApiInput,
  type FilePlan,
  type WantedFile,
} from '../../scaffold/index.ts';
import type { Action, CliContext } from '../command.ts';
import { ask, askYesOrNo } from '../ui/prompts.ts';
import { Interrupted } from '../ui/interrupted.ts';
import { reportOverwrites } from '../ui/report-overwrites.ts';
import { carryOut } from './files/apply-plan.ts';
import { decideApi, type WantedApi } from './input/decide-api.ts';
import { checkFlag, invalidFlag, missingFlag } from './input/flag-values.ts';
import { plannedManifests } from './manifests/planned-manifests.ts';

interface Options {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly plural?: string;
  readonly resource?: boolean;
  readonly controller?: boolean;
  readonly namespaced?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** `op-sdk create api`. */
export const run: Action = async (context, parsed) => {
  const options = parsed as Options;
  const force = options.force === true;

  // Check that this is a project before prompting.
  if (context.interactive) await loadProject(context.cwd);
  const wanted = await checkFlags(context, options);
  const project = await loadProject(context.cwd);
  const input = await decideApi(project, wanted, {
    force,
    header: ((await readFileOf(project.root, layout.boilerplate)) ?? '').trimEnd(),
    askController: () => askYesOrNo(context, 'Create Controller'),
  });

  const fresh = await apiFiles(input, project.root);
  const edits = await apiEdits(input, (path) => readFileOf(project.root, path));
  const hashes = Object.fromEntries(fresh.map(({ path, content }) => [path, contentHash(content)]));
  const maintained: WantedFile[] = [
    ...edits,
    { path: layout.projectFile, content: recordTemplates(enterResource(project, input), hashes) },
  ];
  // Report conflicts before the slower part begins.
  await planFiles(project.root, { fresh, maintained, force });
  const manifests = await plannedManifests(project.root, [...fresh, ...maintained]);
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
    ...(input.withController ? [layout.controller(input.resource)] : []),
  ];
  if (!dryRun) context.report.info(`Edit ${made.join(' and ')}.`);
  return {
    result: { ...result, resource: input.resource },
    warnings: manifests.warnings,
    ...(dryRun ? {} : { next: [`${detectPackageManager(context.env).exec} op-sdk generate manifests`] }),
  };
};

/**
 * Sees to it that `--force` costs nobody an edit: what differs from what was scaffolded stays beside its file, and a person
 * is asked first.
 */
async function keepEdits(
  context: CliContext,
  plan: FilePlan,
  { fresh, project, dryRun }: { fresh: readonly WantedFile[]; project: LoadedProject; dryRun: boolean },
): Promise<FilePlan> {
  const paths = new Set(fresh.map(({ path }) => path));
  const kept = await keepEdited(plan, paths, recordedTemplates(project.text));
  if (kept.edited.length === 0) return plan;
  const message = `Overwrite ${kept.edited.join(', ')}? Your version is kept as ${kept.copies.join(', ')}.`;
  if (!dryRun && (await askYesOrNo(context, message, false)) === false) throw new Interrupted();
  for (const [index, path] of kept.edited.entries())
    context.report.info(`${path} was edited: that version is kept as ${kept.copies[index] ?? ''}`);
  return kept.plan;
}

/** The text of PROJECT with what is new. */
function enterResource(project: LoadedProject, input: ApiInput): string {
  const { resource } = input;
  const index = project.resources.findIndex((known) => isSame(known, resource));
  let { text } = project;
  if (input.withController) {
    // All versions of a kind share the file of its controller, which is now one of this version.
    for (const [other, known] of project.resources.entries())
      if (other !== index && known.controller && isSame({ ...known, version: resource.version }, resource))
        text = setController(text, other, false);
  }
  if (index === -1) return addResource(text, resource);
  return input.withController ? setController(text, index) : text;
}

function isSame(a: ProjectResource, b: ProjectResource): boolean {
  return a.group === b.group && a.domain === b.domain && a.version === b.version && a.kind === b.kind;
}

/** @throws OpSdkError with a finding for every flag that is missing or wrong */
async function checkFlags(context: CliContext, options: Options): Promise<WantedApi> {
  const checkUsableKind = (kind: string): string | undefined =>
    checkKindName(kind) ??
    (reservedKinds.includes(kind) ? 'the scaffolded code needs this name itself' : undefined);
  const findings = new FindingList();
  const required = [
    ['group', options.group, 'Group', checkSubdomain, 'cache'],
    ['version', options.version, 'Version', checkVersion, 'v1alpha1'],
    ['kind', options.kind, 'Kind', checkUsableKind, 'Memcached'],
  ] as const;
  const values: Record<string, string> = {};
  for (const [name, fromFlag, message, check, placeholder] of required) {
    const flag = `--${name}`;
    const value = fromFlag ?? (await ask(context, message, { check, placeholder }));
    if (value === undefined)
      findings.add(missingFlag(flag, `${flag} is missing`, `add ${flag}, such as ${flag} ${placeholder}`));
    checkFlag(findings, flag, value, check, [
      `give ${name === 'kind' ? 'a name' : 'a value'} such as ${placeholder}`,
    ]);
    values[name] = value ?? '';
  }
  checkFlag(findings, '--plural', options.plural, checkPlural, [
    'give lower-case letters, digits and "-", such as memcacheds',
  ]);
  const nothing = invalidFlag(
    '--resource',
    'with neither a resource nor a controller there is nothing to create',
    'leave out --resource=false or --controller=false',
  );
  if (options.resource === false && options.controller === false) findings.add(nothing);
  findings.throwIfAny();
  const { group = '', version = '', kind = '' } = values;
  const resource = options.resource ?? (await askYesOrNo(context, 'Create Resource')) ?? true;
  if (!resource && options.controller === false) findings.add(nothing);
  findings.throwIfAny();
  return {
    group,
    version,
    kind,
    resource,
    plural: options.plural,
    namespaced: options.namespaced,
    controller: options.controller,
  };
}
