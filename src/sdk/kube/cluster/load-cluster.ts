import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { OpSdkError } from '../../../base/errors/index.ts';
import type { Cluster } from './cluster.ts';
import { inCluster, isInCluster } from './in-cluster.ts';

/**
 * Options that select the cluster. Default: the kubeconfig files in the variable KUBECONFIG, otherwise the pod's own cluster, otherwise
 * ~/.kube/config, as in controller-runtime.
 */
export interface LoadClusterOptions {
  /** A kubeconfig file, used instead of KUBECONFIG, the pod's own cluster and ~/.kube/config. */
  readonly kubeconfig?: string | undefined;
  /** Name of a context in the kubeconfig. Default: the current-context of the kubeconfig. */
  readonly context?: string | undefined;
  /** True to use only the configuration that the kubelet mounts into pods. */
  readonly inCluster?: boolean | undefined;
  /** Environment variables. Default: process.env. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Home folder. Default: the home folder of the user. */
  readonly home?: string | undefined;
}

/**
 * Finds the API server, and the credentials for this server.
 *
 * @throws OpSdkError `kube/no-cluster`, `kube/kubeconfig-unreadable`, `kube/kubeconfig-invalid`, `kube/unsupported-kubeconfig`,
 * `kube/in-cluster-incomplete`
 */
export async function loadCluster(options: LoadClusterOptions = {}): Promise<Cluster> {
  const env = options.env ?? process.env;
  if (options.inCluster === true) return inCluster(env);
  if (options.kubeconfig !== undefined) return fromKubeconfig([options.kubeconfig], options, env);

  const fromEnvironment = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (fromEnvironment.length > 0) {
    // As in kubectl, missing files in KUBECONFIG are skipped, unless all files are missing.
    const present = await keepExisting(fromEnvironment);
    if (present.length > 0) return fromKubeconfig(present, options, env);
    throw noCluster(`KUBECONFIG names no file that exists: ${fromEnvironment.join(', ')}`);
  }
  if (isInCluster(env) && options.context === undefined) return inCluster(env);

  const home = join(options.home ?? homedir(), '.kube', 'config');
  if ((await keepExisting([home])).length > 0) return fromKubeconfig([home], options, env);
  throw noCluster(
    `no cluster is configured: KUBECONFIG is not set, ${home} does not exist, and this process does not run in a pod`,
  );
}

// The kubeconfig module is loaded only when needed, because a bundled operator in a cluster never parses YAML.
async function fromKubeconfig(
  paths: readonly string[],
  options: LoadClusterOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Cluster> {
  const { loadKubeconfig } = await import('./kubeconfig.ts');
  return loadKubeconfig(paths, { context: options.context, env });
}

async function keepExisting(paths: readonly string[]): Promise<readonly string[]> {
  const checks = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        // Skips only missing files. A file without read permission is kept, so that reading it reports the error.
        (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
      ),
    ),
  );
  return paths.filter((_, index) => checks[index]);
}

function noCluster(message: string): OpSdkError {
  return new OpSdkError({
    code: 'kube/no-cluster',
    message,
    fix: [
      'set KUBECONFIG to a kubeconfig file: export KUBECONFIG=/path/to/kubeconfig',
      'or put one at ~/.kube/config (kind, minikube and cloud CLIs do that)',
      'or pass --kubeconfig /path/to/kubeconfig',
      'or run it in a pod, where the ServiceAccount is used',
    ],
  });
}
