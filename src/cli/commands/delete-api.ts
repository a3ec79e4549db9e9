import { defineCommand, type CliContext, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { FindingList, OpSdkError, type Finding } from '../../base/errors/index.ts';
import {
  readVersionSources,
  type VersionSources,
  storedVersion,
  versionsOfKind,
} from '../../compiler/manifests/index.ts';
import {
  checkKindName,
  checkSubdomain,
  checkVersion,
  commandRecord,
  controllerNames,
  defaultControllerName,
  forgetTemplates,
  layout,
  readFileOf,
  recordCommand,
  recordedTemplates,
  recordTemplates,
  removeResource,
  shownCommand,
  type LoadedProject,
  type ProjectResource,
  fullGroup,
  kebabCase,
  defaultPlural,
} from '../../project/project/index.ts';
import { manifestsOf, planFiles, removalEdits } from '../../project/scaffold/index.ts';
import { manifestsFolder } from '../flags/words.ts';
import { carryOut } from '../actions/files/apply-plan.ts';
import { projectToScaffold } from '../actions/files/project-to-scaffold.ts';
import { checkFlag, requiredNames } from '../actions/input/flag-values.ts';
import { dependentCommands } from '../actions/manifests/dependent-commands.ts';
import { plannedManifests } from '../actions/manifests/made-manifests.ts';
import type { ChosenRemoval, WantedRemoval } from '../actions/versions/choose-removal.ts';
import { hashesOfEdited, sourcesOfProject } from '../actions/versions/further-version.ts';
import {
  controllerFilesOf,
  controllersThatGo,
  deletionsOf,
  editedFiles,
  sourcesOf,
  stillImported,
  unregister,
} from '../actions/versions/removed-files.ts';
import { PendingFiles } from '../actions/webhooks/plan-webhook-code.ts';
import { planWebhookRemoval } from '../actions/webhooks/remove-webhooks.ts';
import { closestName } from '../../base/util/terminal-words.ts';

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
    const isWhole = rest.every(({ api, controller }) => api === undefined && !controller);
    const removal = { resources: removed, isWhole, bundleFolder: manifestsFolder };
    const edits = await removalEdits(removal, (path) => readFileOf(root, path));

    const findings = new FindingList();
    const sources = readVersionSources(root);
    findings.add(...versionsInUse(chosen, sources));
    const texts = await sourcesOfProject(root);
    const pending = new PendingFiles(root);
    pending.set(...edits.edited);
    const webhooks = await planWebhookRemoval(findings, project, chosen, sources, pending);
    const controllers = controllersThatGo(chosen).map((id) => layout.controller(id));
    const going = [...controllers, ...webhooks.unregistered];
    const main = unregister(findings, sources, texts.get(layout.main), going);
    pending.set(...webhooks.edited, ...(main === undefined ? [] : [main]));
    const recorded = recordedTemplates(project.text);
    const own = [...sourcesOf(chosen, recorded), ...webhooks.sources];
    const deletedSources = options.sources === true ? own : [];
    const paths = [...manifestsOf(removal), ...edits.emptied, ...webhooks.manifests, ...deletedSources];
    // Edits of a file that is to be deleted are left out.
    const planned = pending.files.filter(({ path }) => !webhooks.manifests.includes(path));
    if (options.sources === true) {
      const after = new Map([...texts, ...planned.map(({ path, content }) => [path, content] as const)]);
      // A controller that must first move to another version still imports the files to delete. So the imports in its sources are ignored.
      for (const { group, kind, ...known } of removed)
        for (const controllerName of controllerNames({ kind, ...known }))
          for (const path of controllerFilesOf({ group, kind, controllerName })) after.delete(path);
      findings.add(...stillImported(sources, after, own), ...sharedFiles(chosen, sources.versions));
    }
    const deletions = await deletionsOf(root, paths);
    if (options.force !== true) findings.add(...(await editedFiles(deletions, recorded)));
    findings.throwIfAny();

    const gone = deletions.map(({ path }) => path);
    const maintained = [
      ...planned,
      {
        path: layout.projectFile,
        content: recordTemplates(
          recordCommand(
            projectWithout({ ...project, text: webhooks.editProject(project.text) }, chosen, gone),
            commandRecord('delete api', {
              ...{ group: removed[0]?.group ?? wanted.group, kind: wanted.kind, version: wanted.version },
              ...(options.sources === true ? { sources: true } : {}),
              force: options.force,
            }),
          ),
          hashesOfEdited([...webhooks.edited, ...webhooks.rewired], recorded),
        ),
      },
    ];
    const manifests = await plannedManifests(root, maintained, gone);
    const crds = [...new Set(removed.map((resource) => `${layout.crd}/${layout.crdFile(resource)}`))];
    const orphans = await deletionsOf(
      root,
      [...crds, ...webhooks.generated].filter((path) => manifests.files.every((file) => file.path !== path)),
    );
    if (options.force !== true) findings.add(...(await editedFiles(orphans, recorded)));
    findings.throwIfAny();
    const plan = await planFiles(root, { fresh: [], maintained: [...maintained, ...manifests.files] });
    const changes = [...plan.changes, ...deletions, ...orphans].sort((a, b) => (a.path < b.path ? -1 : 1));
    const dryRun = options.dryRun === true;
    const result = await carryOut(context, { root, changes, removesEmptyFolders: true }, { dryRun });
    const kept = options.sources === true ? [] : (await deletionsOf(root, own)).map(({ path }) => path);
    const group = removed[0]?.group ?? wanted.group;
    reportKept(context, { ...wanted, group }, kept, removed.every(isFoundAgain));
    if (wanted.version !== undefined && rest.some(({ api }) => api !== undefined))
      reportStored(context, { ...wanted, version: wanted.version });
    const deleted = removed.map(({ group, domain, version, kind }) => ({ group, domain, version, kind }));
    return {
      result: { ...result, deleted, kept },
      // The user has asked to keep sources that are no longer registered, so warnings about missing registrations are left out.
      warnings: manifests.warnings.filter(({ code }) => !aboutRegistration.has(code)),
      ...(options.dryRun === true ? {} : { next: await dependentCommands(project) }),
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

/** Returns a finding for each file that is to be deleted but also declares other kinds or versions. */
function sharedFiles(
  { removed }: ChosenRemoval,
  versions: ReturnType<typeof readVersionSources>['versions'],
): readonly Finding[] {
  const isRemoved = (version: string, kind: string): boolean =>
    removed.some((resource) => resource.version === version && resource.kind === kind);
  return versions
    .filter(
      ({ file, version, kind }) => removed.some(({ path }) => path === file) && !isRemoved(version, kind),
    )
    .map(({ file, version, kind, declaration }) => ({
      code: 'project/version-in-use',
      message: `${file} would be deleted, but also declares ${kind} ${version}, which is not to be deleted`,
      where: declaration.place,
      fix: [`move the declaration of ${kind} ${version} into a file of its own, and run the command again`],
    }));
}

/** Returns the text of PROJECT without the removed resources. */
function projectWithout(project: LoadedProject, { removed }: ChosenRemoval, gone: readonly string[]): string {
  let { text } = project;
  for (const [index, known] of [...project.resources.entries()].toReversed())
    if (removed.includes(known)) text = removeResource(text, index);
  const recorded = recordedTemplates(text);
  return forgetTemplates(
    text,
    gone.filter((path) => Object.hasOwn(recorded, path)),
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

/**
 * Returns the requested resources: entries of PROJECT or, if an earlier `delete api` has removed the entries, the sources that were left
 * behind.
 * @returns a finding if the project has no such resource
 */
function chooseRemoval(project: LoadedProject, wanted: WantedRemoval): ChosenRemoval | Finding {
  const { group, kind, version } = wanted;
  const family = project.resources.filter(
    (known) => known.kind === kind && (known.group === group || fullGroup(known) === group),
  );
  const isMeant = (known: ProjectResource): boolean => version === undefined || known.version === version;
  const listed = family.filter(isMeant);
  if (listed.length > 0) return { removed: listed, rest: family.filter((known) => !isMeant(known)) };
  const left = leftSources(project, wanted).filter(isMeant);
  if (left.length > 0) return { removed: left, rest: family };
  return missing(project, wanted, family);
}

/** Returns the kinds whose scaffolded sources still exist although PROJECT no longer lists the kinds. */
function leftSources(project: LoadedProject, { group, kind }: WantedRemoval): readonly ProjectResource[] {
  const [head, tail] = [`${layout.apis}/${group}/`, `/${kebabCase(kind)}.ts`];
  const { domain } = project;
  return Object.keys(recordedTemplates(project.text)).flatMap((path) => {
    const version = path.slice(head.length, -tail.length);
    if (!path.startsWith(head) || !path.endsWith(tail) || version === '' || version.includes('/')) return [];
    const api = { crdVersion: 'v1', namespaced: true };
    return [{ group, domain, version, kind, plural: defaultPlural(kind), path, api, controller: false }];
  });
}

function missing(
  project: LoadedProject,
  { group, kind, version }: WantedRemoval,
  family: readonly ProjectResource[],
): Finding {
  const named = `${group}${version === undefined ? '' : `/${version}`}, Kind=${kind}`;
  const kinds = [...new Set(project.resources.map((known) => known.kind))];
  const closest = closestName(kind, kinds);
  const flags = (known: ProjectResource): string =>
    `--group ${known.group} --version ${known.version} --kind ${known.kind}`;
  const near = family.length > 0 ? family : project.resources.filter((known) => known.kind === closest);
  const shown = near.length > 0 ? near : project.resources;
  return {
    code: 'project/resource-missing',
    message: `${layout.projectFile} does not list ${named}`,
    where: { file: layout.projectFile },
    fix:
      shown.length === 0
        ? ['there is nothing to delete']
        : [`the project has ${shown.map(flags).join('; ')}`],
  };
}

/**
 * Returns the reasons why a version cannot be removed while other versions of the kind remain: objects are stored in the version, or the
 * controller uses it.
 * @returns a finding for each reason, with the command that resolves it
 */
function versionsInUse({ removed, rest }: ChosenRemoval, sources: VersionSources): readonly Finding[] {
  const [successor] = rest.filter(({ api }) => api !== undefined).toReversed();
  if (successor === undefined) return [];
  const { group, kind, version: next } = successor;
  const move = `op-sdk create api --group ${group} --version ${next} --kind ${kind}`;
  const stored = storedVersion(versionsOfKind(sources, { group: fullGroup(successor), kind }));
  return removed.flatMap((resource): readonly Finding[] => {
    const { version } = resource;
    const isStored = stored?.version === version;
    return [
      ...(isStored
        ? [
            {
              code: 'project/version-in-use',
              message: `version ${version} of ${kind} is still in use: it is the storage version, in which the cluster stores the objects`,
              where: stored.declaration.storage?.place ?? stored.declaration.place,
              fix: [`store them in another version first: ${move} --storage`],
            } as const,
          ]
        : []),
      ...controllerNames(resource).map((name): Finding => {
        const isDefault = name === defaultControllerName(kind);
        const flag = isDefault ? '--controller' : `--controller-name ${name}`;
        return {
          code: 'project/version-in-use',
          message: `the controller ${isDefault ? '' : `${JSON.stringify(name)} `}of ${kind} still reconciles ${version}`,
          where: { file: layout.controller({ group, kind, controllerName: name }) },
          fix: [`move it to another version first: ${move} --resource=false ${flag} --force`],
        };
      }),
    ];
  });
}
