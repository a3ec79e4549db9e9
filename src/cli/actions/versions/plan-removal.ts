import { FindingList, type Finding } from '../../../base/errors/index.ts';
import {
  readVersionSources,
  storedVersion,
  versionsOfKind,
  type VersionSources,
} from '../../../compiler/manifests/index.ts';
import {
  commandRecord,
  controllerNames,
  defaultControllerName,
  forgetTemplates,
  fullGroup,
  layout,
  readFileOf,
  recordCommand,
  recordedTemplates,
  recordTemplates,
  removeResource,
  type LoadedProject,
} from '../../../project/project/index.ts';
import { manifestsOf, planFiles, removalEdits, type FileChange } from '../../../project/scaffold/index.ts';
import { manifestsFolder } from '../../flags/words.ts';
import { plannedManifests } from '../manifests/made-manifests.ts';
import { PendingFiles } from '../webhooks/plan-webhook-code.ts';
import { planWebhookRemoval, type WebhookRemoval } from '../webhooks/remove-webhooks.ts';
import type { ChosenRemoval, WantedRemoval } from './choose-removal.ts';
import { hashesOfEdited, sourcesOfProject } from './further-version.ts';
import {
  controllerFilesOf,
  controllersThatGo,
  deletionsOf,
  editedFiles,
  sourcesOf,
  stillImported,
  unregister,
  type Deletion,
} from './removed-files.ts';

interface RemovalOptions extends WantedRemoval {
  /** True to delete the sources, too. */
  readonly sources: boolean | undefined;
  /** True to delete files that were edited. */
  readonly force: boolean | undefined;
}

/** Changes to the files of a project that remove a kind, or versions of it. */
interface RemovalPlan {
  /** Changes to all files, sorted by path. */
  readonly changes: readonly FileChange[];
  /** Paths of the sources of the removed versions. The files need not exist, and are deleted only on request. */
  readonly sources: readonly string[];
  /** Warnings about the remaining sources. */
  readonly warnings: readonly Finding[];
}

/**
 * Plans the removal of a kind, or of versions of it, from a project.
 * @param options the request, with the group of the removed entries
 * @throws OpSdkError with a finding for each reason why the removal is not possible
 */
export async function planRemoval(
  project: LoadedProject,
  chosen: ChosenRemoval,
  options: RemovalOptions,
): Promise<RemovalPlan> {
  const { root } = project;
  const findings = new FindingList();
  const files = await planFilesToRemove(findings, project, chosen, options);
  findings.throwIfAny();

  const gone = files.deletions.map(({ path }) => path);
  const content = recordedProject(project, chosen, files, options);
  const maintained = [...files.edited, { path: layout.projectFile, content }];
  const manifests = await plannedManifests(root, maintained, gone);
  const crds = chosen.removed.map((resource) => `${layout.crd}/${layout.crdFile(resource)}`);
  const orphans = await deletionsOf(
    root,
    [...new Set([...crds, ...files.webhooks.generated])].filter((path) =>
      manifests.files.every((file) => file.path !== path),
    ),
  );
  if (options.force !== true) findings.add(...(await editedFiles(orphans, recordedTemplates(project.text))));
  findings.throwIfAny();
  const plan = await planFiles(root, { fresh: [], maintained: [...maintained, ...manifests.files] });
  return {
    changes: [...plan.changes, ...files.deletions, ...orphans].sort((a, b) => (a.path < b.path ? -1 : 1)),
    sources: files.sources,
    warnings: manifests.warnings,
  };
}

/** Files that a removal edits or deletes, without PROJECT and generated manifests. */
interface FilesToRemove {
  readonly edited: readonly { readonly path: string; readonly content: string }[];
  readonly deletions: readonly Deletion[];
  /** Paths of the sources of the removed versions, whether they are deleted or not. */
  readonly sources: readonly string[];
  readonly webhooks: WebhookRemoval;
}

/** Plans the edits and deletions of sources and scaffolded manifests. Adds a finding for each reason why the removal is not possible. */
async function planFilesToRemove(
  findings: FindingList,
  project: LoadedProject,
  chosen: ChosenRemoval,
  options: RemovalOptions,
): Promise<FilesToRemove> {
  const { root } = project;
  const { removed, rest } = chosen;
  const isWhole = rest.every(({ api, controller }) => api === undefined && !controller);
  const removal = { resources: removed, isWhole, bundleFolder: manifestsFolder };
  const edits = await removalEdits(removal, (path) => readFileOf(root, path));
  const versions = readVersionSources(root);
  findings.add(...versionsInUse(chosen, versions));
  const texts = await sourcesOfProject(root);
  const pending = new PendingFiles(root);
  pending.set(...edits.edited);
  const webhooks = await planWebhookRemoval(findings, project, chosen, versions, pending);
  const controllers = controllersThatGo(chosen).map((id) => layout.controller(id));
  const main = unregister(findings, versions, texts.get(layout.main), [
    ...controllers,
    ...webhooks.unregistered,
  ]);
  pending.set(...webhooks.edited, ...(main === undefined ? [] : [main]));

  const recorded = recordedTemplates(project.text);
  const sources = [...sourcesOf(chosen, recorded), ...webhooks.sources];
  // Edits of a file that is to be deleted are left out.
  const edited = pending.files.filter(({ path }) => !webhooks.manifests.includes(path));
  if (options.sources === true) {
    const after = new Map([...texts, ...edited.map(({ path, content }) => [path, content] as const)]);
    findings.add(...importsOfDeleted(chosen, versions, after, sources));
    findings.add(...sharedFiles(chosen, versions.versions));
  }
  const deletions = await deletionsOf(root, [
    ...manifestsOf(removal),
    ...edits.emptied,
    ...webhooks.manifests,
    ...(options.sources === true ? sources : []),
  ]);
  if (options.force !== true) findings.add(...(await editedFiles(deletions, recorded)));
  return { edited, deletions, sources, webhooks };
}

/**
 * Returns a finding for each remaining file that imports a deleted one. A controller that must first move to another version still imports
 * the files to delete, so the imports in its sources are ignored.
 */
function importsOfDeleted(
  { removed }: ChosenRemoval,
  versions: VersionSources,
  texts: ReadonlyMap<string, string>,
  deleted: readonly string[],
): readonly Finding[] {
  const staying = new Map(texts);
  for (const { group, kind, ...known } of removed)
    for (const controllerName of controllerNames({ kind, ...known }))
      for (const path of controllerFilesOf({ group, kind, controllerName })) staying.delete(path);
  return stillImported(versions, staying, deleted);
}

/** Returns the text of PROJECT after the removal, with the record of the command. */
function recordedProject(
  project: LoadedProject,
  chosen: ChosenRemoval,
  { deletions, webhooks }: FilesToRemove,
  { group, kind, version, sources, force }: RemovalOptions,
): string {
  const gone = deletions.map(({ path }) => path);
  const text = projectWithout({ ...project, text: webhooks.editProject(project.text) }, chosen, gone);
  return recordTemplates(
    recordCommand(
      text,
      commandRecord('delete api', {
        ...{ group, kind, version },
        ...(sources === true ? { sources: true } : {}),
        force,
      }),
    ),
    hashesOfEdited([...webhooks.edited, ...webhooks.rewired], recordedTemplates(project.text)),
  );
}

/** Returns a finding for each file that is to be deleted but also declares other kinds or versions. */
function sharedFiles({ removed }: ChosenRemoval, versions: VersionSources['versions']): readonly Finding[] {
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
