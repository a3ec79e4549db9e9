import { FindingList } from '../../errors/index.ts';
import type { Cluster } from '../../kube/index.ts';
import { durationMs, type DurationLike } from '../duration.ts';
import { parseListenAddress } from '../http/index.ts';
import { createLogger, type Logger, type LogLevel } from '../create-logger.ts';
import type { CachedKind } from '../cache/index.ts';
import { checkNamespaces } from './check-namespaces.ts';
import { connectCluster } from './connect-cluster.ts';
import { Manager } from './manager.ts';

/** What `createManager` takes; `operatorMain` gives most of it as `flags`. */
export interface ManagerOptions {
  /** The operator's name, usually the project's: the first part of the field manager of all writes. Keep it stable. */
  readonly name: string;
  /** A kubeconfig file. Default: KUBECONFIG, then the pod's ServiceAccount, then ~/.kube/config. */
  readonly kubeconfig?: string | undefined;
  /** The cluster, if it is known already; `kubeconfig` is not looked at then. */
  readonly cluster?: Cluster | undefined;
  /** Address of /healthz and /readyz; `0` for none. Default: `:8081`. */
  readonly health?: string | undefined;
  /** Address of /metrics, plain HTTP; `0` (the default) for none. */
  readonly metrics?: string | undefined;
  /** Watch these namespaces only. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
  /** How the cache holds kinds that it does not hold whole: `[cached(Secret, { labelSelector })]`. Default: whole. */
  readonly cache?: readonly CachedKind[] | undefined;
  /** Where the manager and its controllers log to. Default: JSON lines on stdout, by `createLogger`. */
  readonly log?: Logger | undefined;
  /** The level of the default logger. Default: info. */
  readonly logLevel?: LogLevel | undefined;
  /** How long running reconciles may take to end after the signal: milliseconds, or text such as `30s`. Default: 30s. */
  readonly gracefulShutdownTimeout?: DurationLike | undefined;
  /** How long the first lists may take: milliseconds, or text such as `2m`. Default: 2m. */
  readonly cacheSyncTimeout?: DurationLike | undefined;
}

/**
 * Makes a manager and reads the configuration of its cluster; the first request is made by `run`.
 *
 * @throws OpSdkError with everything that is wrong with the options; `kube/…` if no cluster can be found
 */
export async function createManager(options: ManagerOptions): Promise<Manager> {
  const findings = new FindingList();
  const { name, namespaces } = options;
  if (!/^[\w.-]{1,63}$/.test(name)) {
    findings.add({
      code: 'runtime/invalid-manager',
      message: `invalid manager name ${JSON.stringify(name)}`,
      fix: ['use 1 to 63 letters, digits, -, _ and ., such as the name of the project'],
    });
  }
  findings.add(...checkNamespaces(namespaces));
  const health = findings.gatherSync(() => parseListenAddress(options.health ?? ':8081', 'health'));
  const metrics = findings.gatherSync(() => parseListenAddress(options.metrics ?? '0', 'metrics'));
  const gracefulShutdownTimeout =
    findings.gatherSync(() => durationMs(options.gracefulShutdownTimeout ?? '30s')) ?? 0;
  const cacheSyncTimeout = findings.gatherSync(() => durationMs(options.cacheSyncTimeout ?? '2m')) ?? 0;
  findings.throwIfAny();

  const log = options.log ?? createLogger(options.logLevel === undefined ? {} : { level: options.logLevel });
  const cluster = await connectCluster({
    kubeconfig: options.kubeconfig,
    cluster: options.cluster,
    name,
    log,
  });
  return new Manager({
    name,
    log,
    cluster,
    namespaces,
    cache: options.cache,
    health,
    metrics,
    gracefulShutdownTimeout,
    cacheSyncTimeout,
  });
}
