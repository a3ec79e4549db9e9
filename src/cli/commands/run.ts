import { defineCommand, type CliContext, type CommandOutcome, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { inspectFlags } from '../flags/project-flags.ts';
import { resolve } from 'node:path';
import { buildOperator, DevBuilder, devOutfile } from '../../compiler/build/index.ts';
import {
  accountUser,
  applyObjects,
  checkDefinitions,
  checkKinds,
  runOperator,
  type Inspection,
} from '../../cluster/index.ts';
import { FindingList, OpSdkError } from '../../base/errors/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { projectKinds } from '../../compiler/manifests/index.ts';
import { loadProject } from '../../project/project/index.ts';
import { diskView } from '../../base/util/observe-files.ts';
import { connect } from '../actions/cluster/connect.ts';
import {
  HostedWebhooks,
  leavesWebhooks,
  removeWebhookLeftovers,
  openAccount,
  type DevAccount,
} from '../actions/dev/hosted-webhooks.ts';
import { checkInstalled, develop, openProject } from '../actions/dev/develop.ts';
import { writeBundle } from '../actions/files/apply-plan.ts';
import { crdInput, accessInput, webhookInput } from '../actions/input/manifests.ts';
import { checkOperatorFlags, inspectionOf, checkWebhookHost } from '../actions/input/flag-values.ts';

const flags = {
  watch: flag.boolean('bundle and start the operator again when a source changes'),
  'as-service-account': flag.boolean(
    "run with the rights of the operator's ServiceAccount, which is applied with its roles first",
  ),
  ...inspectFlags,
  'webhook-host': flag.text(
    'address',
    'the address by which the API server reaches this machine, for webhooks (default: it does not)',
  ),
  ...clusterFlags,
  'dry-run': flag.boolean('check everything, build nothing, run nothing'),
};

export const command = defineCommand({
  arguments: [['[flags...]', 'flags for the operator, after --']],
  flags,
  help: `
Bundles the operator and runs it on this machine, against the cluster of your kubeconfig, until it exits
or you press Ctrl-C; op-sdk exits with its exit code. Metrics are on :8080, probes on :8081. Flags for the operator follow --:
  op-sdk run -- --metrics-bind-address=:9090 --namespace=default

The cluster must have the CRDs of the project:
  op-sdk install

With --as-service-account the Namespace, the ServiceAccount, the roles and the bindings of config/default are applied,
and the operator gets a token of that account: what its roles forbid fails here as it would in the cluster.

With --webhook-host, the API server asks this machine for the webhooks of config/webhook and the conversions of CRDs; in the
end they are as before. Without it, and with ENABLE_WEBHOOKS=false, the operator runs without webhooks.

With --watch, manifests are generated too, and CRDs on the cluster that no longer fit are reported; op-sdk dev
also installs them.`,
  async run(context, options, args) {
    const inspect = checkFlags(options, args);
    const { cwd, report } = context;
    const { projectName } = await loadProject(cwd);
    const access =
      options.asServiceAccount === true ? await accessInput(context, { isOptional: true }) : undefined;
    const client = await connect(context, options);
    try {
      const { server, source } = await checkCluster(context, client);
      const user = access === undefined ? {} : { user: accountUser(access.account) };
      const result = { server, source, ...user };
      const where = `against ${server} (${source})${access === undefined ? '' : ` as ${accountUser(access.account)}`}`;
      if (options.dryRun === true) {
        if (access !== undefined)
          await applyObjects({ client, objects: access.objects, dryRun: true, signal: context.signal });
        return { result: { ...result, dryRun: true }, text: `would run ${projectName} ${where}` };
      }
      await removeWebhookLeftovers(context, client, projectName);
      await using account = access === undefined ? undefined : await openAccount(context, client);
      await using hosted = leavesWebhooks(context.env, args)
        ? undefined
        : await HostedWebhooks.open(context, {
            ...{ client, cluster: options, project: projectName, isOwn: false, host: options.webhookHost },
          });
      const request: RunRequest = {
        flags: args,
        inspect,
        kubeconfig: options.kubeconfig === undefined ? undefined : resolve(cwd, options.kubeconfig),
        context: options.context,
        ...(account === undefined ? {} : { kubeconfig: account.kubeconfig, context: undefined }),
        // With -o json, standard output is reserved for the single JSON document, so the operator writes to stderr.
        stdout: options.output === 'json' ? 2 : 1,
      };
      const sayWhere = (): void =>
        report.info(`${projectName} runs against ${report.paint('strong', server)} (${source})`);
      if (options.watch === true) {
        sayWhere();
        const { starts } = await runAgain(context, client, request, { account, hosted });
        return { result: { ...result, starts } };
      }
      const { bundle, warnings } = await bundleFor(context, inspect);
      sayWhere();
      if (access !== undefined) await account?.bring(access);
      if (hosted !== undefined) await bringWebhooks(context, hosted);
      // After this point, the client is needed only for the account's token and to undo the changes for the webhooks. Without an account
      // and webhooks, the client is closed.
      if (account === undefined && hosted?.isReached !== true) await client.close();
      const more = hosted?.settings();
      const exitCode = await runOperator({
        ...request,
        flags: [...(more?.flags ?? []), ...args],
        report: (message) => report.info(message),
        bundle,
        projectDir: cwd,
        env: { ...(account?.env ?? context.env), ...more?.env },
        stop: context.signal,
      });
      return { result: { ...result, exitCode }, warnings, exitCode };
    } finally {
      await client.close();
    }
  },
});

type Options = ParsedOptions<typeof flags>;

interface RunRequest {
  readonly flags: readonly string[];
  readonly inspect: Inspection | undefined;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** File descriptor to which the operator's standard output goes. */
  readonly stdout: number;
}

function checkFlags(options: Options, args: readonly string[]): Inspection | undefined {
  const findings = new FindingList();
  checkOperatorFlags(findings, 'run', args);
  checkWebhookHost(findings, options.webhookHost);
  const inspect = inspectionOf(findings, options);
  findings.throwIfAny();
  return inspect;
}

/**
 * Applies the manifests that webhooks need, if the API server can call webhooks on this machine. @throws OpSdkError for manifests that
 * cannot be read or applied
 */
async function bringWebhooks(context: CliContext, hosted: HostedWebhooks): Promise<void> {
  const findings = new FindingList();
  const definitions = await findings.gather(() => crdInput(context, {}, 'install'));
  const configurations = await findings.gather(() => webhookInput(context));
  if (hosted.isReached) findings.throwIfAny();
  await hosted.takeConversions(definitions ?? []);
  await hosted.bringConfigurations(configurations ?? []);
}

async function checkCluster(
  context: CliContext,
  client: KubeClient,
): Promise<{ readonly server: string; readonly source: string }> {
  const { server, source } = client.connection.cluster;
  const findings = await checkKinds(client, projectKinds(context.cwd), context.signal);
  if (findings.length > 0) throw new OpSdkError(findings);
  return { server: server.href.replace(/\/$/, ''), source };
}

/** Bundles the operator as `op-sdk build` does. With a debugger, the code is bundled so that people can read it. */
async function bundleFor(
  context: CliContext,
  inspect: Inspection | undefined,
): Promise<{ readonly bundle: string; readonly warnings: NonNullable<CommandOutcome['warnings']> }> {
  const { cwd, report } = context;
  report.step('bundling the operator');
  if (inspect === undefined) {
    const built = await buildOperator({ projectDir: cwd });
    await writeBundle(context, built);
    return { bundle: 'dist/main.mjs', warnings: built.warnings };
  }
  checkInstalled(cwd);
  const builder = new DevBuilder(cwd);
  try {
    const built = await builder.build(diskView);
    await writeBundle(context, built);
    return { bundle: devOutfile, warnings: built.warnings };
  } finally {
    await builder.close();
  }
}

/**
 * Runs the operator with `--watch`. CRDs are not installed; while the cluster lacks a required CRD, the new version of the operator is not
 * started.
 */
async function runAgain(
  context: CliContext,
  client: KubeClient,
  request: RunRequest,
  {
    account,
    hosted,
  }: { readonly account: DevAccount | undefined; readonly hosted: HostedWebhooks | undefined },
) {
  const { cwd, report, signal } = context;
  checkInstalled(cwd);
  const project = openProject(context, {
    samples: false,
    asServiceAccount: account !== undefined,
    webhooks: hosted !== undefined,
  });
  try {
    return await develop(context, {
      ...request,
      env: account?.env ?? context.env,
      project,
      hosted,
      settings: [],
      signal,
      bringAccess: account?.bring,
      bringCrds: async (objects) => {
        await checkCluster(context, client);
        const wanted = (await hosted?.takeConversions(objects)) ?? objects;
        for (const warning of await checkDefinitions(client, wanted, signal)) report.warn(warning);
      },
    });
  } finally {
    await project.close();
  }
}
