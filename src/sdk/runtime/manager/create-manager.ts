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

/** Options of `createManager`. The `flags` of `operatorMain` provide most of them. */
export interface ManagerOptions {
  /** The operator's name, usually the name of the project. It is the first part of the field manager of all writes, so keep it stable. */
  readonly name: string;
  /** A kubeconfig file. Default: KUBECONFIG, then the pod's ServiceAccount, then ~/.kube/config. */
  readonly kubeconfig?: string | undefined;
  /** A cluster that is already loaded; if it is set, `kubeconfig` is ignored. */
  readonly cluster?: Cluster | undefined;
  /** Address of /healthz and /readyz; `0` to disable. Default: `:8081`. */
  readonly health?: string | undefined;
  /** Address of /metrics, which is served over HTTPS to authorized users; or {@link MetricsOptions}. `0` (the default) disables it. */
  readonly metrics?: string | MetricsOptions | undefined;
  /** Options for serving the webhooks and conversions that are added to the manager. Default: port 9443 of all interfaces. */
  readonly webhooks?: WebhooksOptions | undefined;
  /**
   * Offer HTTP/2 in addition to HTTP/1.1 on HTTPS servers. Default: false, because HTTP/2 allows clients to cause much work for the server
   * at little cost to themselves.
   */
  readonly http2?: boolean | undefined;
  /** Watch only these namespaces. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * Permissions that the operator needs, usually those of src/generated/rbac.ts, which `op-sdk generate manifests` writes. `run` checks
   * them at the start: a missing list or watch permission ends `run` with `runtime/missing-permission`; any other missing permission is
   * logged as a warning. Default: no check.
   */
  readonly permissions?: readonly RbacRule[] | undefined;
  /**
   * Kinds that are not cached completely, each with the selection of its cached objects: `[cached(Secret, { labelSelector })]`. Default:
   * all objects of all kinds are cached.
   */
  readonly cache?: readonly CachedKind[] | undefined;
  /**
   * Called when a reconcile has ended, with the trigger and duration of that reconcile and the time of the next one, for traces and
   * statistics. Keep the function short; an error that it throws is logged. Default: none; reconciles are then not observed, which costs
   * nothing.
   */
  readonly onReconcile?: ReconcileObserver | undefined;
  /**
   * False: controllers record no Events about failures (see `failureEvents` of `defineController`). Write the value as a literal, because
   * `op-sdk generate manifests` reads it from the source code. Default: true.
   */
  readonly failureEvents?: boolean | undefined;
  /** Logger of the manager and its controllers. Default: a logger to stdout, created by `createLogger`. */
  readonly log?: Logger | undefined;
  /** The level of the default logger. Default: info. */
  readonly logLevel?: LogLevel | undefined;
  /**
   * Options of leader election: only one of several replicas, the leader, works; the other replicas keep their caches synced and wait. If
   * it is false or omitted, this process works immediately. A scaffolded operator enables it with the flag `--leader-elect`.
   */
  readonly leaderElection?: LeaderElectionOptions | false | undefined;
  /** Value of `--leader-elect`, from the `flags` of `operatorMain`. True is refused unless `leaderElection` is set. */
  readonly leaderElect?: boolean | undefined;
  /** The format of the default logger: `json` or `text`. Default: `text` on a terminal, otherwise `json`. */
  readonly logFormat?: LogFormat | undefined;
  /** Time that running reconciles have to end after the signal aborts: milliseconds, or text such as `30s`. Default: 30s. */
  readonly gracefulShutdownTimeout?: DurationLike | undefined;
  /** Time limit for the first lists of all caches: milliseconds, or text such as `2m`. Default: 2m. */
  readonly cacheSyncTimeout?: DurationLike | undefined;
}

/**
 * Creates a manager and reads the configuration of its cluster. Sends no request; the first one is sent by `run`.
 *
 * @throws OpSdkError with all findings for the options; `kube/…` if a cluster is not found
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
      fix: [
        "pass an id to createManager: leaderElection: flags.leaderElect && { id: '1a9f0645.example.com' }",
      ],
    });
  }
  const connectElection = leaderElection
    ? await findings.gather(async () => {
        // Imported on demand, so that an operator without leader election does not load it.
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
    failureEvents: options.failureEvents,
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
    node = true,
    certificate,
  } = typeof metrics === 'string' ? { address: metrics } : metrics;
  const address = parseListenAddress(text, 'metrics');
  return address === undefined ? undefined : { address, secure, node, certificate, http2 };
}

/**
 * Returns the location of the Secret that contains the key for signing conversion data: the configured Secret, or, in a Pod, the default
 * Secret of the manager.
 *
 * @returns undefined outside of a Pod if no name is configured; the process then creates its own key
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
