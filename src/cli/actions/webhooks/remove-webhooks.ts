import type { Finding, FindingList } from '../../../base/errors/index.ts';
import type { EditedFile, VersionSources } from '../../../compiler/manifests/index.ts';
import {
  isSameKind,
  layout,
  readFileOf,
  setWebhooks,
  type LoadedProject,
  type ProjectResource,
  type ProjectWebhooks,
} from '../../../project/project/index.ts';
import { certProviderOf, webhookState, wiringEdits, wiringFiles } from '../../../project/scaffold/index.ts';
import { fileImports, leadsTo, removeSpoke } from '../../../compiler/source/index.ts';
import type { ChosenRemoval } from '../versions/choose-removal.ts';
import type { PendingFiles } from './plan-webhook-code.ts';

/** Changes that `delete api` makes to the webhooks of the removed versions. */
export interface WebhookRemoval {
  /** Paths of the webhook and conversion files whose kind is removed, and of their tests. The files need not exist. */
  readonly sources: readonly string[];
  /** Files of the webhooks and conversions that main no longer registers. */
  readonly unregistered: readonly string[];
  /** Conversion files from which a version is removed. */
  readonly edited: readonly EditedFile[];
  /** Scaffolded manifests that the remaining webhooks still need, and that are edited. */
  readonly rewired: readonly EditedFile[];
  /** Scaffolded manifests that no webhook needs any longer. The files need not exist. */
  readonly manifests: readonly string[];
  /** File with the generated webhook configurations, if the project has no admission webhook any more. */
  readonly generated: readonly string[];
  /** Returns the text of PROJECT without the webhooks of the removed versions. */
  editProject(text: string): string;
}

/**
 * Plans the changes to the webhooks of removed versions. Edits of manifests are added to `pending`. Adds a finding for each part that
 * op-sdk cannot remove, with the steps to do by hand.
 */
export async function planWebhookRemoval(
  findings: FindingList,
  project: LoadedProject,
  chosen: ChosenRemoval,
  sources: VersionSources,
  pending: PendingFiles,
): Promise<WebhookRemoval> {
  const { removed, rest } = chosen;
  const admission = removed.map((resource) => layout.webhook(resource));
  const conversion = await withoutSpokes(findings, project, chosen, sources);
  const staying = project.resources
    .filter((known) => !removed.includes(known))
    .map((known) => (known === conversion.hub?.resource ? withHooks(known, conversion.hub.webhooks) : known));
  const gone = conversion.isGone || rest.every(({ api }) => api === undefined);
  const [first] = removed;
  const conversions = gone && first !== undefined ? [layout.conversion(first)] : [];
  const provider = await certProviderOf((path) => readFileOf(project.root, path));
  const former = provider && webhookState(project.resources, provider);
  const state = provider && webhookState(staying, provider);
  // Undefined means that op-sdk did not connect the webhooks in the manifests, so the manifests need no edits.
  if (former !== undefined)
    await findings.gather(async () => pending.set(...(await wiringEdits(former, state, pending.read))));
  const files = provider === undefined ? [] : (await wiringFiles(project, provider)).map(({ path }) => path);
  const manifests = former !== undefined && state === undefined ? files : [];
  const rewired: EditedFile[] = [];
  for (const { path, content } of pending.files) {
    const before = await readFileOf(project.root, path);
    if (files.includes(path) && state !== undefined && before !== undefined)
      rewired.push({ path, before, content });
  }
  const hasAdmission = state?.defaulting === true || state?.validation === true;
  return {
    sources: [
      ...removed.flatMap((resource) => [layout.webhook(resource), layout.webhookTest(resource)]),
      ...(gone && first !== undefined ? [layout.conversion(first), layout.conversionTest(first)] : []),
    ],
    unregistered: [...admission, ...conversions],
    edited: conversion.edited,
    rewired,
    manifests,
    generated:
      former === undefined || hasAdmission ? [] : [`${layout.webhookConfig}/${layout.webhookManifests}`],
    editProject: (text) =>
      conversion.hub === undefined
        ? text
        : setWebhooks(
            text,
            conversion.hub.resource,
            project.resources.indexOf(conversion.hub.resource),
            conversion.hub.webhooks,
          ),
  };
}

function withHooks(resource: ProjectResource, webhooks: ProjectWebhooks | undefined): ProjectResource {
  const { webhooks: _former, ...others } = resource;
  return webhooks === undefined ? others : { ...others, webhooks };
}

interface ConversionRest {
  readonly edited: readonly EditedFile[];
  /** True if no spoke version remains, so that the conversion is deleted. */
  readonly isGone: boolean;
  /** Hub version, and the webhooks that this version keeps. */
  readonly hub?: { readonly resource: ProjectResource; readonly webhooks: ProjectWebhooks | undefined };
}

/** Removes versions from the conversion of a kind of which other versions remain. */
async function withoutSpokes(
  findings: FindingList,
  project: LoadedProject,
  { removed, rest }: ChosenRemoval,
  { program }: VersionSources,
): Promise<ConversionRest> {
  const [first] = removed;
  const nothing = { edited: [], isGone: false };
  if (first === undefined) return nothing;
  const versions = rest.filter((known) => known.api !== undefined && isSameKind(known, first));
  const removedHub = removed.find(({ webhooks }) => webhooks?.conversion === true);
  if (removedHub !== undefined && versions.length > 0) findings.add(hubInUse(removedHub, versions));
  const hub = versions.find(({ webhooks }) => webhooks?.conversion === true);
  const spokes = removed.filter(({ version }) => hub?.webhooks?.spoke.includes(version) === true);
  if (hub?.webhooks === undefined || spokes.length === 0) return nothing;
  const path = layout.conversion(hub);
  const before = await readFileOf(project.root, path);
  let content = before ?? '';
  for (const spoke of before === undefined ? [] : spokes) {
    const types = spoke.path ?? layout.types(spoke);
    const leading = fileImports(program, path, content).filter(({ target }) => leadsTo(target, types));
    const spliced = removeSpoke(program.ts, path, content, (start) =>
      leading.some((each) => each.start === start),
    );
    if (spliced === undefined) continue;
    if ('content' in spliced) content = spliced.content;
    else
      findings.add({
        code: 'project/cannot-splice',
        message: `the version ${spoke.version} cannot be removed from ${path}: the file ${spliced.problem}`,
        where: { file: path },
        fix: [`remove the .spoke of ${spoke.version} and the import of ${types}, and run the command again`],
      });
  }
  const left = hub.webhooks.spoke.filter((version) => spokes.every((spoke) => spoke.version !== version));
  const isGone = left.length === 0;
  const { defaulting, validation } = hub.webhooks;
  const webhooks = { ...hub.webhooks, conversion: !isGone, spoke: left };
  return {
    // If no spoke version is left to convert, the conversion file is deleted and not edited.
    edited: before === undefined || isGone || content === before ? [] : [{ path, before, content }],
    isGone,
    hub: { resource: hub, webhooks: isGone && !defaulting && !validation ? undefined : webhooks },
  };
}

function hubInUse(hub: ProjectResource, versions: readonly ProjectResource[]): Finding {
  const { group, kind, version } = hub;
  const next = versions.at(-1)?.version ?? version;
  return {
    code: 'project/version-in-use',
    message: `version ${version} of ${kind} is still in use: objects of ${versions.map((known) => known.version).join(', ')} are converted to this version`,
    where: { file: layout.conversion(hub) },
    fix: [
      `convert to another version first: delete ${layout.conversion(hub)} and its lines in ${layout.main}, remove the fields \`conversion\` and \`spoke\` of ${version} from ${layout.projectFile}, then op-sdk create webhook --group ${group} --version ${next} --kind ${kind} --conversion`,
    ],
  };
}
