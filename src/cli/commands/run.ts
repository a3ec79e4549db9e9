import { resolve } from 'node:path';
import { FindingList, OpSdkError } from '../../errors/index.ts';
import type { ProjectKinds } from '../../manifests/index.ts';
import type { CliContext, CommandModule } from '../command.ts';
import { booleanFlag } from '../flags.ts';
import { clusterFlags, connect, type ClusterOptions } from './shared/cluster-flags.ts';

interface Options extends ClusterOptions {
  readonly dryRun?: boolean;
  readonly output?: string;
}

/** `op-sdk run`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('[flags...]', 'flags of the operator, behind --');
    clusterFlags(command);
    booleanFlag(command, 'dry-run', 'check everything, build nothing, run nothing', false);
    command.addHelpText(
      'after',
      `
Bundles the operator and runs it on this machine, against the cluster of your kubeconfig, until it ends
or Ctrl-C ends it; its exit code is that of op-sdk. Metrics are on :8080, probes on :8081; say it otherwise
with flags of the operator: op-sdk run -- --metrics-bind-address=:9090 --namespace=default
Before it starts, the cluster must have the CRDs of the project: op-sdk install`,
    );
  },
  async run(context, given, args) {
    const options = given as Options;
    checkFlags(args);
    const { loadProject } = await import('../../project/index.ts');
    const { projectKinds } = await import('../../manifests/index.ts');
    const { runOperator } = await import('../../cluster/run/index.ts');
    const { cwd, env, report, signal } = context;
    const { projectName } = await loadProject(cwd);
    const { server, source } = await checkCluster(context, options, projectKinds(cwd));
    if (options.dryRun === true) {
      const text = `would run ${projectName} against ${server} (${source})`;
      return { result: { server, source, dryRun: true }, text };
    }
    const warnings = await bundle(context);
    report.info(`${projectName} runs against ${report.paint('strong', server)} (${source})`);
    const exitCode = await runOperator({
      projectDir: cwd,
      flags: args,
      kubeconfig: options.kubeconfig === undefined ? undefined : resolve(cwd, options.kubeconfig),
      context: options.context,
      env,
      stop: signal,
      // With -o json standard output is for the one document.
      stdout: options.output === 'json' ? 2 : 1,
    });
    return { result: { server, source, exitCode }, warnings, exitCode };
  },
};

/** Everything is known to be for the operator: a word in front would be lost, another kubeconfig would not be checked. */
function checkFlags(args: readonly string[]): void {
  const findings = new FindingList();
  const [first] = args;
  if (first !== undefined && !first.startsWith('-')) {
    findings.add({
      code: 'cli/unexpected-argument',
      message: `op-sdk run takes no argument ${JSON.stringify(first)}`,
      fix: ['leave it out', 'write flags of the operator behind --: op-sdk run -- --namespace=default'],
    });
  }
  if (args.some((argument) => /^--kubeconfig(?:=|$)/.test(argument))) {
    findings.add({
      code: 'cli/invalid-value',
      message:
        '--kubeconfig stands behind --, so that op-sdk would check another cluster than the operator uses',
      where: { flag: '--kubeconfig' },
      fix: ['write it in front: op-sdk run --kubeconfig <file> -- …'],
    });
  }
  findings.throwIfAny();
}

async function checkCluster(
  context: CliContext,
  options: Options,
  kinds: ProjectKinds,
): Promise<{ readonly server: string; readonly source: string }> {
  const { checkKinds } = await import('../../cluster/run/index.ts');
  const client = await connect(context, options);
  try {
    const { server, source } = client.connection.cluster;
    const findings = await checkKinds(client, kinds, context.signal);
    if (findings.length > 0) throw new OpSdkError(findings);
    return { server: server.href.replace(/\/$/, ''), source };
  } finally {
    await client.close();
  }
}

async function bundle({ cwd, report }: CliContext) {
  const { buildOperator } = await import('../../build/index.ts');
  const { bundleChanges } = await import('./shared/bundle-changes.ts');
  const { applyPlan } = await import('../../scaffold/writer.ts');
  report.step('bundling the operator');
  const bundle = await buildOperator({ projectDir: cwd });
  await applyPlan({ root: cwd, changes: await bundleChanges(cwd, bundle) });
  return bundle.warnings;
}
