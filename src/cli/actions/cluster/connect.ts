import { resolve } from 'node:path';
import { createClient, loadCluster, type KubeClient } from '../../../sdk/kube/index.ts';
import type { CliContext } from '../../command.ts';
import type { ClusterOptions } from '../../flags/cluster-flags.ts';
import { packageInfo } from '../../package-info.ts';

/** Field manager of op-sdk: the owner of the fields that its commands write. Documented as part of the commands. */
const fieldManager = 'op-sdk';

/**
 * A client of the cluster that the flags and the environment name. Nothing is sent yet. The caller closes it.
 * Warnings of the API server are reported as they come, each text once.
 *
 * @throws OpSdkError `kube/no-cluster`, `kube/kubeconfig-…`, `kube/unsupported-kubeconfig`
 */
export async function connect(context: CliContext, options: ClusterOptions): Promise<KubeClient> {
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
