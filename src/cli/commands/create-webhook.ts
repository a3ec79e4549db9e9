import { defineCommand, type CliContext } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { FindingList, OpSdkError } from '../../base/errors/index.ts';
import {
  FileEdits,
  moveStorage,
  readVersionSources,
  storedVersion,
  versionsOfKind,
  type EditedFile,
  type VersionSources,
} from '../../compiler/manifests/index.ts';
import {
  addResource,
  commandRecord,
  detectPackageManager,
  fullGroup,
  layout,
  readFileOf,
  recordCommand,
  recordedTemplates,
  recordTemplates,
  setWebhooks,
  type LoadedProject,
  type ProjectResource,
  type ProjectWebhooks,
  type RecordedCommand,
} from '../../project/project/index.ts';
import {
  certProviderOf,
  contentHash,
  planFiles,
  webhookState,
  wiringEdits,
  wiringFiles,
  withoutIdleRecord,
  type CertProvider,
} from '../../project/scaffold/index.ts';
import { askChoice, reportOverwrites } from '../ui/prompts.ts';
import { carryOut, keepEdits } from '../actions/files/apply-plan.ts';
import { projectToScaffold } from '../actions/files/project-to-scaffold.ts';
import { recordedExternal } from '../actions/foreign/foreign-kind.ts';
import { plannedManifests } from '../actions/manifests/made-manifests.ts';
import { dependentCommands } from '../actions/manifests/dependent-commands.ts';
import { hashesOfEdited } from '../actions/versions/further-version.ts';
import {
  checkWebhookFlags,
  type WantedWebhooks,
  type WebhookFlags,
} from '../actions/webhooks/check-webhook-flags.ts';
import { decideWebhooks } from '../actions/webhooks/decide-webhooks.ts';
import {
  planAdmission,
  planConversion,
  type CodePlan,
  PendingFiles,
} from '../actions/webhooks/plan-webhook-code.ts';
import { webhookTarget, type WebhookTarget } from '../actions/webhooks/webhook-target.ts';

export const command = defineCommand({
  locksProject: 'project',
  flags: {
    group: flag.text('group', 'API group, without the domain of the project'),
    version: flag.text('version', 'API version, such as v1alpha1; of a conversion, the version to store'),
    kind: flag.text('Kind', 'kind, such as Memcached'),
    plural: flag.text('plural', "plural of the kind (default: the project's)"),
    defaulting: flag.boolean('fill in what users leave out', { unset: true }),
    'programmatic-validation': flag.boolean('refuse objects that your code finds wrong', { unset: true }),
    conversion: flag.boolean('convert other versions of the kind to this one and back', { unset: true }),
    spoke: flag.commas('versions', 'the versions to convert, separated by commas (default: all others)'),
    'defaulting-path': flag.text(
      'path',
      'where defaulting is served (default: /mutate-<group>-<version>-<kind>)',
    ),
    'validation-path': flag.text(
      'path',
      'where validation is served (default: /validate-<group>-<version>-<kind>)',
    ),
    'external-api-path': flag.text(
      'path',
      'a CRD (file, folder or https URL), or a module that exports a resource',
    ),
    'external-api-domain': flag.text('domain', "domain of the external kind's group, such as io"),
    'cert-provider': flag.choice(
      'provider',
      ['cert-manager', 'self-signed'],
      'who makes the certificate (default: cert-manager; later what the project has)',
    ),
    force: flag.boolean('overwrite what was scaffolded for these webhooks before'),
    ...dryRunFlag,
  },
  help: `
At least one of --defaulting, --programmatic-validation and --conversion is needed. The kind is one of the project, or one of Kubernetes:
--group core --version v1 --kind Pod. What is there is kept: a further function, version or kind is added to it.

  op-sdk create webhook --group cache --version v1 --kind Memcached --defaulting --programmatic-validation
  op-sdk create webhook --group cache --version v1 --kind Memcached --conversion --spoke v1alpha1
  op-sdk create webhook --group core --version v1 --kind Pod --defaulting --cert-provider self-signed

With cert-manager, the cluster needs cert-manager. With self-signed, the operator makes and rotates its certificate itself.`,
  async run(context, flags) {
    const force = flags.force === true;
    const dryRun = flags.dryRun === true;

    // Check that this folder is a project before the user is prompted.
    if (context.interactive) await projectToScaffold(context);
    const { named, wanted } = await checkWebhookFlags(context, flags);
    const project = await projectToScaffold(context);
    const { root } = project;
    const target = await webhookTarget(context, project, named, flags);
    const webhooks = decideWebhooks(project, target, wanted, force);
    const former = await certProviderOf((path) => readFileOf(root, path));
    const provider = await decideProvider(context, flags.certProvider, former);

    const findings = new FindingList();
    const pending = new PendingFiles(root);
    const sources = readVersionSources(root);
    const plan: CodePlan = {
      ...{ project, sources, target, wanted, webhooks, force, findings, pending },
      header: ((await readFileOf(root, layout.boilerplate)) ?? '').trimEnd(),
      fresh: [],
      again: [],
      notes: [],
    };
    if (wanted.defaulting || wanted.validation) await planAdmission(plan);
    if (wanted.conversion) await planConversion(plan);
    const storage = wanted.conversion ? storeInHub(findings, sources, target) : undefined;
    pending.set(...(storage?.edits.files ?? []));
    const run = webhookRecord(target, wanted, { ...flags, provider });
    const resources = withWebhooks(project, target, webhooks);
    const { created, edited } = await wire(plan, resources, provider);
    findings.throwIfAny();

    const fresh = [...plan.fresh, ...target.files];
    const scaffolded = [...plan.fresh, ...plan.again, ...created];
    const hashes = {
      ...Object.fromEntries(scaffolded.map(({ path, content }) => [path, contentHash(content)])),
      ...Object.fromEntries(target.files.map(({ path, content }) => [path, contentHash(String(content))])),
      ...hashesOfEdited([...(storage?.edits.files ?? []), ...edited], recordedTemplates(project.text)),
    };
    pending.set({
      path: layout.projectFile,
      content: recordTemplates(recordCommand(enter(project, target, webhooks), run), hashes),
    });
    const maintained = pending.files;
    // Report file conflicts before the manifests are generated, which is slower.
    await planFiles(root, { fresh, maintained, force });
    const manifests = await plannedManifests(root, [...fresh, ...maintained]);
    const planned = { fresh, maintained: [...maintained, ...manifests.files], force };
    const files = withoutIdleRecord(await planFiles(root, planned), run);
    if (force) await reportOverwrites(context, files);
    const result = await carryOut(
      context,
      await keepEdits(context, files, { fresh, recorded: recordedTemplates(project.text), dryRun }),
      {
        dryRun,
      },
    );
    if (!dryRun)
      reportNext(context, plan, { provider, isFirst: former === undefined, storage: storage?.from });
    const { group, domain, version, kind } = target.resource;
    const needsInstall = pending.files.some(({ path }) => path === layout.packageJson);
    return {
      result: { ...result, resource: { group, domain, version, kind, webhooks }, certProvider: provider },
      warnings: [...target.warnings, ...manifests.warnings],
      ...(dryRun
        ? {}
        : {
            next: [...nextSteps(context, needsInstall), ...(await dependentCommands(project))],
          }),
    };
  },
});

/**
 * Returns the certificate provider of the project's webhooks: the existing one, or the one that is chosen together with the first webhook.
 */
async function decideProvider(
  context: CliContext,
  given: CertProvider | undefined,
  former: CertProvider | undefined,
): Promise<CertProvider> {
  if (former !== undefined) {
    if (given === undefined || given === former) return former;
    const removed =
      former === 'cert-manager'
        ? `${layout.certManager}, config/default/manager_webhook_patch.yaml and manager_webhook_args_patch.yaml`
        : `config/default/manager_webhook_patch.yaml and config/rbac/webhook_*.yaml`;
    throw new OpSdkError({
      code: 'project/cert-provider',
      message: `--cert-provider: expected ${former}, which the project already uses for the certificate of its webhooks, got ${given}`,
      where: { flag: '--cert-provider' },
      fix: [
        'leave out --cert-provider',
        `to change the provider: delete ${removed}, remove the entries for these files and the replacements from the kustomizations of config/default and config/rbac, and run the command again`,
      ],
    });
  }
  return (
    given ??
    (await askChoice(context, 'Who makes the certificate of the webhooks', [
      { value: 'cert-manager', hint: 'the cluster has cert-manager' },
      { value: 'self-signed', hint: 'the operator itself; nothing to install' },
    ])) ??
    'cert-manager'
  );
}

/** Makes the hub version of the kind the storage version. */
function storeInHub(
  findings: FindingList,
  sources: VersionSources,
  { resource }: WebhookTarget,
): { readonly edits: FileEdits; readonly from: string | undefined } {
  const versions = versionsOfKind(sources, { group: fullGroup(resource), kind: resource.kind });
  const edits = new FileEdits();
  const stored = storedVersion(versions)?.version;
  moveStorage(findings, edits, versions, resource.version);
  return { edits, from: stored === resource.version ? undefined : stored };
}

/** Returns the resources of the project with the planned webhooks. */
function withWebhooks(
  { resources }: LoadedProject,
  { resource, index }: WebhookTarget,
  webhooks: ProjectWebhooks,
): readonly ProjectResource[] {
  const entry = { ...resource, webhooks };
  return index === -1 ? [...resources, entry] : resources.with(index, entry);
}

/** Plans the manifests below config/. Returns the new manifests of webhooks, and the existing manifests that are edited. */
async function wire(
  { project, pending, findings }: CodePlan,
  resources: readonly ProjectResource[],
  provider: CertProvider,
): Promise<{ readonly created: readonly RenderedText[]; readonly edited: readonly EditedFile[] }> {
  const { root } = project;
  const hasPolicies = (await readFileOf(root, layout.kustomization(layout.networkPolicy))) !== undefined;
  const files = (await wiringFiles(project, provider)).filter(
    ({ path }) => hasPolicies || !path.startsWith(`${layout.networkPolicy}/`),
  );
  const befores = await Promise.all(files.map(({ path }) => readFileOf(root, path)));
  pending.set(...files.filter((_file, index) => befores[index] === undefined));
  const former = webhookState(project.resources, provider);
  await findings.gather(async () =>
    pending.set(...(await wiringEdits(former, webhookState(resources, provider), pending.read))),
  );
  const created: RenderedText[] = [];
  const edited: EditedFile[] = [];
  for (const [index, { path, content: rendered }] of files.entries()) {
    const before = befores[index];
    const content = (await pending.read(path)) ?? rendered;
    // A new file is in `pending`, so `content` includes the edits that `wiringEdits` made in it.
    if (before === undefined) created.push({ path, content });
    else edited.push({ path, before, content });
  }
  return { created, edited };
}

interface RenderedText {
  readonly path: string;
  readonly content: string;
}

/** Returns the record of this run for PROJECT, with the answers to questions. */
function webhookRecord(
  target: WebhookTarget,
  wanted: WantedWebhooks,
  flags: Pick<WebhookFlags, 'plural' | 'externalApiPath' | 'force'> & { readonly provider: CertProvider },
): RecordedCommand {
  const { group, version, kind } = target.resource;
  const { defaulting, validation, conversion } = wanted;
  return commandRecord('create webhook', {
    ...{ group, version, kind, plural: flags.plural, force: flags.force },
    ...(defaulting ? { defaulting } : {}),
    ...(validation ? { 'programmatic-validation': validation } : {}),
    ...(conversion ? { conversion } : {}),
    spoke: wanted.spokes,
    'defaulting-path': wanted.defaultingPath,
    'validation-path': wanted.validationPath,
    'cert-provider': flags.provider,
    ...(flags.externalApiPath === undefined ? {} : recordedExternal(target)),
  });
}

function enter(project: LoadedProject, target: WebhookTarget, webhooks: ProjectWebhooks): string {
  const { resource, index } = target;
  return index === -1
    ? addResource(project.text, { ...resource, webhooks })
    : setWebhooks(project.text, resource, index, webhooks);
}

function reportNext(
  { report }: CliContext,
  { target, wanted, notes }: CodePlan,
  { provider, isFirst, storage }: { provider: CertProvider; isFirst: boolean; storage: string | undefined },
): void {
  const { resource } = target;
  const code = [
    ...(wanted.defaulting || wanted.validation ? [layout.webhook(resource)] : []),
    ...(wanted.conversion ? [layout.conversion(resource)] : []),
  ];
  report.info(`Edit ${code.join(' and ')}.`);
  for (const note of notes) report.info(note);
  if (storage !== undefined)
    report.info(
      `objects are stored in ${resource.version} from now on; those in ${storage} stay so until they are written again`,
    );
  if (isFirst && provider === 'cert-manager')
    report.info('config/default has a certificate of cert-manager: the cluster needs cert-manager');
}

function nextSteps(context: CliContext, needsInstall: boolean): readonly string[] {
  const manager = detectPackageManager(context.env);
  return [...(needsInstall ? [`${manager.name} install`] : []), `${manager.name} test`];
}
