import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineCommand, type CliContext, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { inspectFlags } from '../flags/project-flags.ts';
import { ObjectWatch, watchedTypes, type Inspection, type OperatorAccess } from '../../cluster/index.ts';
import { FindingList } from '../../base/errors/index.ts';
import { untilAborted } from '../../sdk/net/index.ts';
import { devOutfile } from '../../compiler/build/index.ts';
import { layout, loadProject } from '../../project/project/index.ts';
import { parseVersion } from '../../testing/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import {
  HostedWebhooks,
  leavesWebhooks,
  removeWebhookLeftovers,
  openAccount,
  type DevAccount,
} from '../actions/dev/hosted-webhooks.ts';
import { bringCrds, bringSamples } from '../actions/dev/bring-objects.ts';
import { checkInstalled, develop, openProject, type DevProject } from '../actions/dev/develop.ts';
import type { DevSummary } from '../actions/dev/dev-loop.ts';
import { ownProgram } from '../actions/dev/pod-programs.ts';
import { showPrograms } from '../actions/dev/show-programs.ts';
import { endedByItself, openCluster, startCluster, type DevTarget } from '../actions/dev/open-target.ts';
import type { LiveUi } from '../actions/dev/live-ui.ts';
import { accessFolder } from '../actions/input/manifests.ts';
import {
  exclusiveFlags,
  invalidFlag,
  nodeCountFlag,
  checkOperatorFlags,
  inspectionOf,
  checkWebhookHost,
} from '../actions/input/flag-values.ts';

const flags = {
  samples: flag.boolean('apply config/samples, and again when a sample changes'),
  'as-service-account': flag.negated(
    'run the operator as the user of the kubeconfig, not with its own roles',
    { unset: true },
  ),
  ui: flag.boolean('serve a page that shows what the operator does'),
  ...inspectFlags,
  'webhook-host': flag.text(
    'address',
    'the address by which the API server reaches this machine, for webhooks (default: it does not)',
  ),
  node: flag.negated('leave Pods pending: by default, a node pretends to run them', { unset: true }),
  nodes: flag.text('number', 'nodes that pretend to run Pods, for Pods that must not share one (default: 1)'),
  programs: flag.negated(
    'let all containers pretend to run: by default, those of images in test/programs.yaml run as processes',
    { unset: true },
  ),
  crds: flag.list(
    'path',
    'install the CRDs of this file or folder in the control plane; may be repeated (default: test/crds, if it exists)',
  ),
  'kubernetes-version': flag.text(
    'version',
    'Kubernetes version of the control plane (default: the one op-sdk is tested with)',
  ),
  kubeconfig: flag.text('file', 'use the cluster of this kubeconfig file, not a control plane of its own'),
  context: flag.text('name', 'use the cluster of this context of the kubeconfig'),
  'dry-run': flag.boolean('say what would be done, start nothing'),
};

export const command = defineCommand({
  arguments: [['[flags...]', 'flags for the operator, after --']],
  flags,
  help: `
Starts a control plane, installs the CRDs of the project there and runs the operator on this machine. When a
source changes, it generates the manifests and bundles the operator again, brings the CRDs up to date and starts the operator
again. Sources with errors are reported, and the last good operator keeps running. Changes of objects of the
project's kinds are printed as they happen.

The operator runs with the rights of its ServiceAccount: the roles of config/default are applied, and again when they
change, so that a missing rule shows here.

In the control plane, Pods become ready on a node that pretends to run them: no container is started, and their
statuses are those of a kubelet. --nodes starts more than one, --no-node leaves Pods pending. Containers of the images in test/programs.yaml run as processes
of this machine, and the addresses of their Services are printed: \`etcd: [etcd, etcdutl]\` lets containers of any image called etcd
run these programs.

CRDs of others, which the operator needs, are installed from test/crds, where op-sdk create api puts them, or from
--crds.

The control plane is empty at the start, and what it stores is lost at the end; KUBECONFIG is not looked at. With
--kubeconfig or --context, the CRDs, the ServiceAccount with its roles (and samples, if you ask for them) are applied
to that cluster and stay there.

Webhooks and conversions are served from this machine. Another cluster needs --webhook-host for that; without it, and with
ENABLE_WEBHOOKS=false, the operator runs without webhooks.

With --ui the address of a page is printed: objects and their conditions, the Pods below them and their logs, reconciles with what
led to them, queues, Events and refused requests, as they happen. It is served on this machine alone. In the control plane of
dev, it has buttons that make Pods and the node fail; another cluster is not changed by it.

Metrics are on :8080, probes on :8081. Flags for the operator follow --:
  op-sdk dev --samples -- --log-level=debug`,
  async run(context, options, args) {
    const inspect = checkFlags(options, args);
    const { cwd, report } = context;
    const { projectName } = await loadProject(cwd);
    checkInstalled(cwd);
    const isOwn = options.kubeconfig === undefined && options.context === undefined;
    const crds = isOwn ? crdsOfOthers(context, options) : [];
    if (options.dryRun === true) return wouldDevelop(context, options, projectName, isOwn);
    const asServiceAccount = await hasAccount(context, options);
    const webhooks = !leavesWebhooks(context.env, args);
    const project = openProject(context, { samples: options.samples === true, asServiceAccount, webhooks });
    try {
      report.step(`generating manifests, bundling ${projectName}`);
      // The control plane starts while the compiler works. Errors in the sources are reported after the control plane has started.
      const open = isOwn
        ? startCluster(context, {
            ...{ version: versionOf(options), nodes: nodesOf(options), crds },
            programs: programsOf(context, options),
          })
        : openCluster(context, options);
      const [target] = await Promise.allSettled([open, project.sources.run()]);
      if (target.status === 'rejected') throw target.reason;
      const summary = await developOn(context, target.value, {
        ...{ project, projectName, options, inspect, flags: args },
      });
      return { result: { server: target.value.server, ...summary } };
    } finally {
      await project.close();
    }
  },
});

/** Maximum time to list the existing objects of a cluster that this command did not start, in milliseconds. */
const listTimeout = 5_000;

type Options = ParsedOptions<typeof flags>;

function checkFlags(options: Options, args: readonly string[]): Inspection | undefined {
  const findings = new FindingList();
  checkOperatorFlags(findings, 'dev', args);
  const inspect = inspectionOf(findings, options);
  const { kubernetesVersion, kubeconfig, context, webhookHost } = options;
  checkWebhookHost(findings, webhookHost);
  if (webhookHost !== undefined && kubeconfig === undefined && context === undefined)
    findings.add(
      invalidFlag(
        '--webhook-host',
        '--webhook-host needs --kubeconfig or --context: the control plane of op-sdk dev itself reaches this machine without a host name',
        'leave it out',
      ),
    );
  const existing =
    kubeconfig !== undefined ? '--kubeconfig' : context !== undefined ? '--context' : undefined;
  const ofOwnCluster = {
    '--no-programs': options.programs === false,
    '--no-node': options.node === false,
    '--nodes': options.nodes !== undefined,
    '--crds': options.crds !== undefined,
    '--kubernetes-version': kubernetesVersion !== undefined,
  };
  for (const [flag, isGiven] of Object.entries(ofOwnCluster))
    if (isGiven && existing !== undefined) findings.add(exclusiveFlags(flag, existing));
  if (options.nodes !== undefined && options.node === false)
    findings.add(exclusiveFlags('--nodes', '--no-node'));
  findings.throwIfAny();
  nodesOf(options);
  versionOf(options);
  return inspect;
}

/** Returns the number of nodes of the command's own control plane. */
function nodesOf({ node, nodes = '1' }: Options): number {
  return node === false ? 0 : nodeCountFlag(nodes);
}

function versionOf({ kubernetesVersion }: Options): string | undefined {
  return kubernetesVersion === undefined
    ? undefined
    : parseVersion(kubernetesVersion, '--kubernetes-version');
}

/** Returns the files and folders with CustomResourceDefinitions of others, as absolute paths. */
function crdsOfOthers({ cwd }: CliContext, { crds }: Options): readonly string[] {
  const folder = resolve(cwd, layout.externalCrds);
  return crds?.map((path) => resolve(cwd, path)) ?? (existsSync(folder) ? [folder] : []);
}

/** Returns the file that names programs for images; undefined if all containers pretend to run. */
function programsOf({ cwd }: CliContext, { programs }: Options): string | undefined {
  return programs !== false && existsSync(resolve(cwd, layout.podPrograms)) ? layout.podPrograms : undefined;
}

/**
 * Returns true if the operator runs under its own ServiceAccount. Returns false, with a message, if the project has no kustomization with
 * roles and therefore no ServiceAccount.
 */
async function hasAccount(context: CliContext, { asServiceAccount }: Options): Promise<boolean> {
  if (asServiceAccount !== undefined) return asServiceAccount;
  if ((await accessFolder(context)) !== undefined) return true;
  context.report.info(
    `neither ${layout.defaultConfig} nor ${layout.rbac} has a kustomization: the operator runs as the user of the kubeconfig`,
  );
  return false;
}

async function wouldDevelop(context: CliContext, options: Options, projectName: string, isOwn: boolean) {
  if (isOwn) {
    const text = `would start a control plane, install the CRDs of ${projectName} there and run it`;
    return { result: { server: null, dryRun: true }, text };
  }
  await using target = await openCluster(context, options);
  const text = `would install the CRDs of ${projectName} on ${target.server} and run it`;
  return { result: { server: target.server, dryRun: true }, text };
}

interface Work {
  readonly project: DevProject;
  readonly projectName: string;
  readonly options: Options;
  readonly inspect: Inspection | undefined;
  readonly flags: readonly string[];
}

/**
 * Runs the operator on a cluster and rebuilds it after changes. @throws OpSdkError `testenv/not-running` if the control plane ends by
 * itself
 */
async function developOn(
  context: CliContext,
  opened: DevTarget,
  { project, projectName, options, inspect, flags }: Work,
): Promise<DevSummary> {
  // This function contains no `import()`, because TypeScript 5.9 does not rewrite the `.ts` of an `import()` in a function with a lowered
  // `using`.
  await using target = opened;
  const { client, isOwn } = target;
  const { report } = context;
  let reason: string | undefined;
  const ended = new AbortController();
  void target.ended.then((why) => {
    reason = why;
    ended.abort();
  });
  if (!isOwn) await removeWebhookLeftovers(context, client, projectName);
  await using account = project.access === undefined ? undefined : await openAccount(context, client);
  await using hosted =
    project.webhooks === undefined
      ? undefined
      : await HostedWebhooks.open(context, {
          ...{ client, cluster: options, project: projectName, isOwn, host: options.webhookHost },
        });
  await using live = options.ui === true ? await openUi(context, target, projectName) : undefined;
  await using _addresses = target.programs !== undefined ? showPrograms(context, target) : undefined;
  const watch = new ObjectWatch({
    connection: client.connection,
    reportExisting: isOwn,
    onChange: ({ kind, name, text }) =>
      report.info(`${report.paint('good', '●')} ${report.paint('strong', `${kind} ${name}`)}: ${text}`),
    onForbidden: (kind, { message }) =>
      report.warned(`changes of ${kind} objects cannot be shown: ${message}`),
  });
  try {
    const summary = await develop(context, {
      project,
      kubeconfig: account === undefined ? target.kubeconfig : account.kubeconfig,
      context: account === undefined ? target.context : undefined,
      env: account?.env ?? context.env,
      flags,
      hosted,
      settings: [live?.operatorSettings ?? [], target.workloads?.programSettings ?? []].flat(),
      inspect,
      // With -o json, standard output is reserved for the single JSON document, so the operator writes to stderr.
      stdout: options.output === 'json' ? 2 : 1,
      signal: AbortSignal.any([context.signal, ended.signal]),
      bringCrds: async (objects) => {
        const apply = (all: readonly PlacedObject[]): Promise<void> => bringCrds(context, client, all);
        await (hosted === undefined ? apply(objects) : hosted.bringDefinitions(objects, apply));
        const kinds = watchedTypes(objects);
        live?.follow(kinds);
        const known = watch.follow(kinds);
        // On an existing cluster, the live page must not show objects from before the start as the operator's work. So the existing objects
        // are listed first.
        if (!isOwn) await Promise.race([known, untilAborted(AbortSignal.timeout(listTimeout))]);
      },
      bringAccess: account && ((access) => bringOperator(context, target, account, access)),
      applySamples: (objects, crdsChanged) =>
        watch.during(() =>
          bringSamples(context, client, inNamespace(objects, account?.env['WATCH_NAMESPACE']), crdsChanged),
        ),
    });
    if (reason !== undefined) throw endedByItself(reason);
    report.step('stopping');
    return summary;
  } finally {
    await watch.close();
  }
}

/** Applies the operator's ServiceAccount, and lets containers of the operator's own image run its bundle. */
async function bringOperator(
  { cwd }: CliContext,
  { programs, workloads }: DevTarget,
  account: Pick<DevAccount, 'bring'>,
  access: OperatorAccess,
): Promise<void> {
  await account.bring(access);
  if (programs !== undefined && workloads !== undefined && access.image !== undefined)
    programs[access.image] ??= ownProgram(resolve(cwd, devOutfile), workloads);
}

/** Opens the live UI. This is a separate function because `developOn` must not contain `import()`. */
async function openUi(context: CliContext, target: DevTarget, projectName: string): Promise<LiveUi> {
  const { LiveUi: ui } = await import('../actions/dev/live-ui.ts');
  return ui.open(context, target, projectName);
}

/** Puts samples without a namespace into the namespace that the operator watches, if the operator watches exactly one. */
function inNamespace(
  objects: readonly PlacedObject[],
  namespace: string | undefined,
): readonly PlacedObject[] {
  if (namespace === undefined || namespace === '' || namespace.includes(',')) return objects;
  return objects.map(({ object, ...rest }) => ({
    ...rest,
    object: { ...object, metadata: { namespace, ...object.metadata } },
  }));
}
