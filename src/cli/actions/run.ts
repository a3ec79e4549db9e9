import { resolve } from 'node:path';
import { buildOperator } from '../../build/index.ts';
import { checkKinds, runOperator } from '../../cluster/run/index.ts';
import { FindingList, OpSdkError } from '../../errors/index.ts';
import { projectKinds, type ProjectKinds } from '../../manifests/index.ts';
import { loadProject } from '../../project/index.ts';
import { applyPlan } from '../../scaffold/writer.ts';
import type { Action, CliContext } from '../command.ts';
import type { ClusterOptions } from '../flags/cluster-flags.ts';
import { connect } from './cluster/connect.ts';
import { bundleChanges } from './files/bundle-changes.ts';
import { invalidFlag } from './input/flag-values.ts';

interface Options extends ClusterOptions {
  readonly dryRun?: boolean;
  readonly output?: string;
}

/** `op-sdk run`. */
export const run: Action = async (context, parsed, args) => {
  const options = parsed as Options;
  checkFlags(args);
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
};

/** Everything is known to be for the operator: a word in front would be lost, another kubeconfig would not be checked. */
function checkFlags(args: readonly string[]): void {
  const findings = new FindingList();
  const [first] = args;
  if (first !== undefined && !first.startsWith('-')) {
    findings.add({
      code: 'cli/unexpected-argument',
      message: `op-sdk run takes no argument ${JSON.stringify(first)}`,
      fix: ['leave it out', 'write flags for the operator after --: op-sdk run -- --namespace=default'],
    });
  }
  if (args.some((argument) => /^--kubeconfig(?:=|$)/.test(argument))) {
    findings.add(
      invalidFlag(
        '--kubeconfig',
        '--kubeconfig comes after --: op-sdk would check another cluster than the operator uses',
        'write it in front: op-sdk run --kubeconfig <file> -- …',
      ),
    );
  }
  findings.throwIfAny();
}

async function checkCluster(
  context: CliContext,
  options: Options,
  kinds: ProjectKinds,
): Promise<{ readonly server: string; readonly source: string }> {
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
  report.step('bundling the operator');
  const bundle = await buildOperator({ projectDir: cwd });
  await applyPlan({ root: cwd, changes: await bundleChanges(cwd, bundle) });
  return bundle.warnings;
}
