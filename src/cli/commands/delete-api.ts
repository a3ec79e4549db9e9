import { defineCommand, type CliContext, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { FindingList, OpSdkError } from '../../base/errors/index.ts';
import {
  checkKindName,
  checkSubdomain,
  checkVersion,
  controllerNames,
  defaultControllerName,
  layout,
  shownCommand,
  type ProjectResource,
} from '../../project/project/index.ts';
import { carryOut } from '../actions/files/apply-plan.ts';
import { projectToScaffold } from '../actions/files/project-to-scaffold.ts';
import { checkFlag, requiredNames } from '../actions/input/flag-values.ts';
import { dependentCommands } from '../actions/manifests/dependent-commands.ts';
import { chooseRemoval, type WantedRemoval } from '../actions/versions/choose-removal.ts';
import { planRemoval } from '../actions/versions/plan-removal.ts';
import { deletionsOf } from '../actions/versions/removed-files.ts';

const flags = {
  group: flag.text('group', 'API group, without the domain of the project'),
  version: flag.text('version', 'delete this version only (default: all versions of the kind)'),
  kind: flag.text('Kind', 'kind, such as Memcached'),
  sources: flag.boolean('delete the types, the controller and its tests, too'),
  force: flag.boolean('delete files that were edited'),
  ...dryRunFlag,
};

export const command = defineCommand({
  locksProject: 'project',
  flags,
  help: `
Takes a kind, or one version of it, back out of the project: its entry in PROJECT, its samples and roles, its entries in
the kustomizations, and the controller's registration in src/main.ts. Without --sources the TypeScript files stay; the
CRD and the permissions are generated from them as before, but nothing installs or runs them.

Nothing is deleted from a cluster: op-sdk uninstall does that, before the kind leaves the project.`,
  async run(context, options) {
    // Check that this folder is a project before the user is prompted.
    if (context.interactive) await projectToScaffold(context);
    const wanted = await checkFlags(context, options);
    const project = await projectToScaffold(context);
    const { root } = project;
    const chosen = chooseRemoval(project, wanted);
    if ('code' in chosen) throw new OpSdkError(chosen);
    const { removed, rest } = chosen;
    const group = removed[0]?.group ?? wanted.group;
    const { sources, force } = options;
    const plan = await planRemoval(project, chosen, { ...wanted, group, sources, force });
    const changes = { root, changes: plan.changes, removesEmptyFolders: true };
    const dryRun = options.dryRun === true;
    const result = await carryOut(context, changes, { dryRun });
    const kept = sources === true ? [] : (await deletionsOf(root, plan.sources)).map(({ path }) => path);
    reportKept(context, { ...wanted, group }, kept, removed.every(isFoundAgain));
    if (wanted.version !== undefined && rest.some(({ api }) => api !== undefined))
      reportStored(context, { ...wanted, version: wanted.version });
    const deleted = removed.map(({ group, domain, version, kind }) => ({ group, domain, version, kind }));
    return {
      result: { ...result, deleted, kept },
      // The user has asked to keep sources that are no longer registered, so warnings about missing registrations are left out.
      warnings: plan.warnings.filter(({ code }) => !aboutRegistration.has(code)),
      ...(dryRun ? {} : { next: await dependentCommands(project) }),
    };
  },
});

type Options = ParsedOptions<typeof flags>;

const aboutRegistration: ReadonlySet<string> = new Set([
  'manifests/not-in-project',
  'manifests/crd-not-listed',
  'manifests/controller-not-added',
]);

/** Returns true if a second `delete api` can still find the sources of a resource after PROJECT no longer lists it. */
function isFoundAgain(resource: ProjectResource): boolean {
  const { api, kind } = resource;
  return (
    api !== undefined &&
    resource.path === layout.types(resource) &&
    controllerNames(resource).every((name) => name === defaultControllerName(kind))
  );
}

function reportKept(
  context: CliContext,
  { group, kind, version }: WantedRemoval,
  kept: readonly string[],
  areFoundAgain: boolean,
): void {
  if (kept.length === 0) return;
  const { report, cwd, env } = context;
  const flags = `--group ${group}${version === undefined ? '' : ` --version ${version}`} --kind ${kind}`;
  report.info(`These files stay, and nothing registers them any longer: ${kept.join(', ')}.`);
  const further = areFoundAgain
    ? `To delete them: ${shownCommand(`op-sdk delete api ${flags} --sources`, cwd, env)}`
    : 'Delete them by hand, or move them out of the project.';
  report.info(`op-sdk generate manifests still generates from them, and warns. ${further}`);
}

/** Reminds the user that a cluster may still store objects in the removed version. */
function reportStored({ report, cwd, env }: CliContext, { kind, version }: Required<WantedRemoval>): void {
  const migrate = shownCommand('op-sdk storage migrate', cwd, env);
  report.info(
    `Clusters may hold ${kind} objects that are stored as ${version}, and clients may still use it. Before you deploy without ${version}: ${migrate}. The API server refuses a definition without a version that its status.storedVersions names.`,
  );
}

/** Checks the flags of `delete api`. @throws OpSdkError with a finding for every flag that is missing or wrong */
async function checkFlags(context: CliContext, options: Options): Promise<WantedRemoval> {
  const findings = new FindingList();
  const { group, kind } = await requiredNames(context, findings, [
    {
      name: 'group',
      given: options.group,
      question: 'Group',
      check: checkSubdomain,
      placeholder: 'cache',
    },
    {
      name: 'kind',
      given: options.kind,
      question: 'Kind',
      check: checkKindName,
      placeholder: 'Memcached',
    },
  ]);
  checkFlag(findings, '--version', options.version, checkVersion, ['give a version such as v1']);
  findings.throwIfAny();
  return { group, kind, version: options.version };
}
