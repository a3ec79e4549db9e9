import type { RbacRule } from '../../api/index.ts';
import { FindingList } from '../../../base/errors/index.ts';
import { type Cluster, inClusterSource, podNamespace } from '../../kube/index.ts';
import { durationMs, type DurationLike } from '../duration.ts';
import { parseListenAddress } from '../../net/index.ts';
import type { MetricsOptions, MetricsSettings } from '../metrics/index.ts';
import { createLogger, type LogFormat, type Logger, type LogLevel } from '../create-logger.ts';
import type { ReconcileObserver } from '../controller/index.ts';
import type { CachedKind } from '../cache/index.ts';
import type { LeaderElectionOptions } from '../election/index.ts';
import type { ConversionKeySettings } from '../webhook/conversion-key/conversion-keys.ts';
import { connectCluster, type ConnectedCluster, checkNamespaces } from './clusters.ts';
import { Manager } from './manager.ts';
import type { WebhooksOptions } from './manager-settings.ts';

/** Options of `createManager`; `operatorMain` gives most of it as `flags`. */
export interface ManagerOptions {
  /** The operator's name, usually the project's: the first part of the field manager of all writes. Keep it stable. */
  readonly name: string;
  /** A kubeconfig file. Default: KUBECONFIG, then the pod's ServiceAccount, then ~/.kube/config. */
  readonly kubeconfig?: string | undefined;
  /** The cluster, if it is known already; `kubeconfig` is not looked at then. */
  readonly cluster?: Cluster | undefined;
  /** Address of /healthz and /readyz; `0` for none. Default: `:8081`. */
  readonly health?: string | undefined;
  /** Where and how /metrics is served: an address, over HTTPS to those who may read it, or {@link MetricsOptions}; `0` (the default) for none. */
  readonly metrics?: string | MetricsOptions | undefined;
  /** Where and how webhooks and conversions are served that are added to the manager. Default: at port 9443 of all interfaces. */
  readonly webhooks?: WebhooksOptions | undefined;
  /** Offer HTTP/2 beside HTTP/1.1 on HTTPS servers. Default: false, as HTTP/2 lets a client ask for much at little cost. */
  readonly http2?: boolean | undefined;
  /** Watch these namespaces only. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * Permissions that the operator needs, usually those of src/generated/rbac.ts, which `op-sdk generate manifests` writes. `run` asks the
   * API server at the start: a missing list or watch ends it (`runtime/missing-permission`), others are a warning each. Default: nothing is asked.
   */
  readonly permissions?: readonly RbacRule[] | undefined;
  /** Selections of the kinds that are not cached whole: `[cached(Secret, { labelSelector })]`. Default: whole. */
  readonly cache?: readonly CachedKind[] | undefined;
  /**
   * Is called when a reconcile has ended, with what started it, how long it took and when the next one comes: for traces and statistics.
   * Keep it short; what it throws is logged. Default: nobody observes, and it costs nothing.
   */
  readonly onReconcile?: ReconcileObserver | undefined;
  /** Where the manager and its controllers log to. Default: stdout, by `createLogger`. */
  readonly log?: Logger | undefined;
  /** The level of the default logger. Default: info. */
  readonly logLevel?: LogLevel | undefined;
  /**
   * Let one of several replicas work, the leader; the others hold synced caches and wait. False or left out: this process works at once. A scaffolded
   * operator has it behind its flag `--leader-elect`.
   */
  readonly leaderElection?: LeaderElectionOptions | false | undefined;
  /** Value of `--leader-elect`, as one of the `flags` of `operatorMain`: true without `leaderElection` is refused. */
  readonly leaderElect?: boolean | undefined;
  /** The format of the default logger: `json` or `text`. Default: `text` on a terminal, else `json`. */
  readonly logFormat?: LogFormat | undefined;
  /** Time for running reconciles to end after the signal: milliseconds, or text such as `30s`. Default: 30s. */
  readonly gracefulShutdownTimeout?: DurationLike | undefined;
  /** Time limit of the first lists: milliseconds, or text such as `2m`. Default: 2m. */
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
  const metrics = findings.gatherSync(() => metricsSettings(options));
  const gracefulShutdownTimeout =
    findings.gatherSync(() => durationMs(options.gracefulShutdownTimeout ?? '30s')) ?? 0;
  const cacheSyncTimeout = findings.gatherSync(() => durationMs(options.cacheSyncTimeout ?? '2m')) ?? 0;
  const shutdownDelay = findings.gatherSync(() => durationMs(options.webhooks?.shutdownDelay ?? '5s')) ?? 0;
  const { leaderElection } = options;
  if (options.leaderElect === true && !leaderElection) {
    findings.add({
      code: 'runtime/invalid-leader-election',
      message: '--leader-elect was given, but this operator has no id for its Lease',
      where: { flag: '--leader-elect' },
      fix: ["pass it to createManager: leaderElection: flags.leaderElect && { id: '1a9f0645.example.com' }"],
    });
  }
  const connectElection = leaderElection
    ? await findings.gather(async () => {
        // An operator that runs without election does not load it.
        const election = await import('../election/index.ts');
        const settings = await election.resolveElection(leaderElection);
        return (access: ConnectedCluster) => election.connectElection({ ...access, settings, name, log });
      })
    : undefined;
  findings.throwIfAny();

  const { logLevel: level = 'info', logFormat: format } = options;
  const log = options.log ?? createLogger({ level, format });
  const access = await connectCluster({
    kubeconfig: options.kubeconfig,
    cluster: options.cluster,
    name,
    log,
  });
  return new Manager({
    name,
    log,
    cluster: access,
    election: connectElection?.(access),
    namespaces,
    cache: options.cache,
    permissions: options.permissions,
    onReconcile: options.onReconcile,
    health,
    metrics,
    webhooks: options.webhooks,
    conversionKey: await conversionKeySettings(name, options.webhooks ?? {}, access.cluster),
    http2: options.http2 ?? false,
    shutdownDelay,
    gracefulShutdownTimeout,
    cacheSyncTimeout,
  });
}

function metricsSettings({ metrics = '0', http2 = false }: ManagerOptions): MetricsSettings | undefined {
  const {
    address: text,
    secure = true,
    certificate,
  } = typeof metrics === 'string' ? { address: metrics } : metrics;
  const address = parseListenAddress(text, 'metrics');
  return address === undefined ? undefined : { address, secure, certificate, http2 };
}

/**
 * The Secret of the key that signs the data of conversions: the one that is named, or in a Pod the manager's own.
 *
 * @returns undefined: a key of the process, as outside of a Pod without a name
 * @throws OpSdkError `runtime/invalid-duration`
 */
async function conversionKeySettings(
  manager: string,
  { conversionKey = {} }: WebhooksOptions,
  { source, namespace: ofCluster }: Pick<Cluster, 'source' | 'namespace'>,
): Promise<ConversionKeySettings | undefined> {
  const { secret, namespace, rotateAfter = '90d' } = conversionKey;
  if (secret === undefined && namespace === undefined && source !== inClusterSource) return undefined;
  return {
    name: secret ?? `${manager.toLowerCase().replaceAll('_', '-')}-conversion-key`,
    namespace: namespace ?? (await podNamespace(process.env)) ?? ofCluster,
    rotateAfter: durationMs(rotateAfter),
  };
}
