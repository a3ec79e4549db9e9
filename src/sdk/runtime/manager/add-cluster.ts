import { FindingList } from '../../../base/errors/index.ts';
import { loadCluster, type Cluster } from '../../kube/index.ts';
import type { CachedKind } from '../cache/index.ts';
import type { Logger } from '../create-logger.ts';
import { checkNamespaces } from './check-namespaces.ts';
import { connectCluster, type ConnectedCluster } from './connect-cluster.ts';

/** Another cluster for `manager.addCluster`. */
export interface AddClusterOptions {
  /** In logs, metrics and checks: 1 to 63 lower-case letters, digits and `-`. */
  readonly name: string;
  /** A kubeconfig file. Give this or `cluster`. */
  readonly kubeconfig?: string | undefined;
  /** A context of the kubeconfig; not with `cluster`. Default: its current-context. */
  readonly context?: string | undefined;
  /** The cluster, as `loadCluster` gives it. */
  readonly cluster?: Cluster | undefined;
  /** Watch these namespaces of it only. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
  /** Selections of the kinds that are not cached whole: `[cached(Secret, { labelSelector })]`. Default: whole. */
  readonly cache?: readonly CachedKind[] | undefined;
}

export interface OtherClusterContext {
  /** The manager's name. */
  readonly manager: string;
  /** The names of the other clusters; gets this one's, unless it fails. */
  readonly names: Set<string>;
  readonly log: Logger;
  /** Called when the configuration is read, which takes time. @throws if the cluster comes too late */
  readonly checkTime: () => void;
}

/**
 * Checks the options and reads the configuration of the cluster; no request is made.
 *
 * @throws OpSdkError `runtime/invalid-cluster` and `runtime/invalid-manager` with everything that is wrong; `kube/…` as `loadCluster`;
 * what `checkTime` throws
 */
export async function connectOther(
  options: AddClusterOptions,
  { manager, names, log, checkTime }: OtherClusterContext,
): Promise<ConnectedCluster> {
  checkOptions(options, names);
  const { name, kubeconfig, context } = options;
  names.add(name);
  try {
    const cluster = options.cluster ?? (await loadCluster({ kubeconfig, context }));
    const access = await connectCluster({ kubeconfig: undefined, cluster, name: manager, log });
    try {
      checkTime();
    } catch (error) {
      await access.close();
      throw error;
    }
    return access;
  } catch (error) {
    names.delete(name);
    throw error;
  }
}

/** @throws OpSdkError */
function checkOptions(options: AddClusterOptions, taken: ReadonlySet<string>): void {
  const { name, kubeconfig, context, namespaces } = options;
  const findings = new FindingList();
  const refuse = (message: string, fix: string): void =>
    findings.add({
      code: 'runtime/invalid-cluster',
      message,
      where: { object: `cluster ${JSON.stringify(name)}` },
      fix: [fix],
    });
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name))
    refuse(`invalid cluster name ${JSON.stringify(name)}`, 'use 1 to 63 lower-case letters, digits and -');
  if (taken.has(name)) refuse(`duplicate cluster name ${name}`, 'give each cluster its own name');
  if ((kubeconfig === undefined) === (options.cluster === undefined))
    refuse(
      `expected either kubeconfig or cluster, got ${kubeconfig === undefined ? 'none' : 'both'}`,
      'name the kubeconfig file of the other cluster, or give what loadCluster returns',
    );
  if (context !== undefined && options.cluster !== undefined)
    refuse(
      `expected context only with kubeconfig, got context ${JSON.stringify(context)} with cluster`,
      'give the context to loadCluster, or name the kubeconfig file',
    );
  findings.add(...checkNamespaces(namespaces));
  findings.throwIfAny();
}
