import { FindingList } from '../../errors/index.ts';
import {
  addResource,
  checkKind,
  checkPlural,
  checkSubdomain,
  checkVersion,
  detectPackageManager,
  layout,
  loadProject,
  readFileOf,
  recordTemplates,
  setController,
  type LoadedProject,
  type ProjectResource,
} from '../../project/index.ts';
import {
  apiEdits,
  apiFiles,
  contentHash,
  planFiles,
  reservedKinds,
  type ApiInput,
  type WantedFile,
} from '../../scaffold/index.ts';
import type { Action, CliContext } from '../command.ts';
import { ask, askYesOrNo } from '../ui/prompts.ts';
import { reportOverwrites } from '../ui/report-overwrites.ts';
import { carryOut } from './files/apply-plan.ts';
import { decideApi, type WantedApi } from './input/decide-api.ts';
import { checkFlag, missingFlag } from './input/flag-values.ts';
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
export const run: Action = async (context, given) => {
  const options = given as Options;
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
  const result = await carryOut(context, plan, { dryRun });
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

/** The text of PROJECT with what is new. */
function enterResource(project: LoadedProject, input: ApiInput): string {
  const { resource } = input;
  const index = project.resources.findIndex((known) => isSame(known, resource));
  if (index === -1) return addResource(project.text, resource);
  return input.withController ? setController(project.text, index) : project.text;
}

function isSame(a: ProjectResource, b: ProjectResource): boolean {
  return a.group === b.group && a.domain === b.domain && a.version === b.version && a.kind === b.kind;
}

/** @throws OpSdkError with a finding for every flag that is missing or wrong */
async function checkFlags(context: CliContext, options: Options): Promise<WantedApi> {
  const checkUsableKind = (kind: string): string | undefined =>
    checkKind(kind) ??
    (reservedKinds.includes(kind) ? 'the scaffolded code needs this name itself' : undefined);
  const findings = new FindingList();
  const required = [
    ['group', options.group, 'Group', checkSubdomain, 'cache'],
    ['version', options.version, 'Version', checkVersion, 'v1alpha1'],
    ['kind', options.kind, 'Kind', checkUsableKind, 'Memcached'],
  ] as const;
  const values: Record<string, string> = {};
  for (const [name, given, message, check, placeholder] of required) {
    const flag = `--${name}`;
    const value = given ?? (await ask(context, message, { check, placeholder }));
    if (value === undefined)
      findings.add(missingFlag(flag, `${flag} is missing`, [`add ${flag}, such as ${flag} ${placeholder}`]));
    checkFlag(findings, flag, value, check, [
      `give ${name === 'kind' ? 'a name' : 'a value'} such as ${placeholder}`,
    ]);
    values[name] = value ?? '';
  }
  checkFlag(findings, '--plural', options.plural, checkPlural, [
    'give lower-case letters, digits and "-", such as memcacheds',
  ]);
  const nothing = (): void =>
    findings.add({
      code: 'cli/invalid-value',
      message: 'with neither a resource nor a controller there is nothing to make',
      where: { flag: '--resource' },
      fix: ['leave out --resource=false or --controller=false'],
    });
  if (options.resource === false && options.controller === false) nothing();
  findings.throwIfAny();
  const { group = '', version = '', kind = '' } = values;
  const resource = options.resource ?? (await askYesOrNo(context, 'Create Resource')) ?? true;
  if (!resource && options.controller === false) nothing();
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
