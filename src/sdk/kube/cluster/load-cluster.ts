import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { OpSdkError } from '../../../base/errors/index.ts';
import type { Cluster } from './cluster.ts';
import { inCluster, isInCluster } from './in-cluster.ts';

/** Selects the cluster. Default: KUBECONFIG, then the pod's own cluster, then ~/.kube/config, as in controller-runtime. */
export interface LoadClusterOptions {
  /** A kubeconfig file, used instead of all other sources. */
  readonly kubeconfig?: string | undefined;
  /** A context of the kubeconfig. Default: its current-context. */
  readonly context?: string | undefined;
  /** True: use only the configuration that the kubelet mounts into pods. */
  readonly inCluster?: boolean | undefined;
  /** Default: process.env. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The home folder. Default: the user's. */
  readonly home?: string | undefined;
}

/**
 * Finds the API server and the credentials for it.
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
    // As in kubectl, missing files of the list are skipped, unless all are missing.
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

// Loaded only when needed: a bundled operator in a cluster never parses YAML.
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
        // Skips only missing files; a file without read permission is reported when it is read.
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
