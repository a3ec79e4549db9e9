import { resolve } from 'node:path';
import { createClient, loadCluster, type KubeClient } from '../../../sdk/kube/index.ts';
import type { CliContext } from '../../command.ts';
import type { ClusterOptions } from '../../flags/cluster-flags.ts';
import { packageInfo } from '../../package-info.ts';

/**
 * Field manager under which the commands of op-sdk write. The API server records this name as the owner of the written fields. The name is
 * part of the documented behaviour of the commands.
 */
const fieldManager = 'op-sdk';

/**
 * Returns a client of the cluster that the flags and the environment name. The client has not sent a request yet. The caller must close the
 * client. Warnings of the API server are reported as they arrive; a warning with the same text is reported only once.
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
