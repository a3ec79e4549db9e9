import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { KubeClient } from '../../../kube/index.ts';
import type { CliContext } from '../../command.ts';
import { packageInfo } from '../../package-info.ts';

/** What {@link clusterFlags} parses. */
export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Who op-sdk is to server-side apply: the owner of the fields that its commands write. Documented as part of the commands. */
export const fieldManager = 'op-sdk';

/** Declares the flags that say which cluster: `--kubeconfig` and `--context`. */
export function clusterFlags(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'the kubeconfig file (default: KUBECONFIG, else ~/.kube/config)')
    .option('--context <name>', 'a context of the kubeconfig (default: its current-context)');
}

/**
 * A client of the cluster that the flags and the environment name. Nothing is sent yet. The caller closes it.
 * Warnings of the API server are reported as they come, each text once.
 *
 * @throws OpSdkError `kube/no-cluster`, `kube/kubeconfig-…`, `kube/unsupported-kubeconfig`
 */
export async function connect(context: CliContext, options: ClusterOptions): Promise<KubeClient> {
  const { createClient, loadCluster } = await import('../../../kube/index.ts');
  const { kubeconfig } = options;
  const cluster = await loadCluster({
    kubeconfig: kubeconfig === undefined ? undefined : resolve(context.cwd, kubeconfig),
    context: options.context,
    env: context.env,
    home: context.env['HOME'],
  });
  return createClient({
    cluster,
    fieldManager,
    userAgent: `op-sdk/${packageInfo().version}`,
    onWarning: (message) => context.report.warn({ code: 'cluster/server-warning', message }),
  });
}
