import {
  conditionsOf,
  defineController,
  programHost,
  requeueAfter,
  resourceVersionChanged,
  watch,
} from 'opsdk';
import { PersistentVolumeClaim, Pod, Service } from 'opsdk/k8s/core/v1';
import { PodDisruptionBudget } from 'opsdk/k8s/policy/v1';
import { EtcdCluster } from '../../api/etcd/v1beta2/etcd-cluster.ts';
import { EtcdRestore } from '../../api/etcd/v1beta2/etcd-restore.ts';
import { restoreSourceOf } from '../../backup/restore-source-of.ts';
import { nextStep } from '../../cluster/next-step.ts';
import { observe } from '../../cluster/observe.ts';
import { activeRestore, recoveryOf } from '../../cluster/recovery.ts';
import { reportedStatus } from '../../cluster/report-status.ts';
import { desiredBudget, desiredServices } from '../../cluster/services.ts';
import type { WaitReason } from '../../cluster/step.ts';
import { takeStep } from '../../cluster/take-step.ts';
import type { EtcdApi } from '../../etcd/etcd-api.ts';
import { httpEtcd } from '../../etcd/http-etcd.ts';
import { clusterTLS } from '../../tls/cluster-tls.ts';
import { ensureCertificates } from '../../tls/self-signed.ts';

interface EtcdClusterControllerOptions {
  /**
   * Returns the host that etcd knows a member by. Default: its name, and its address under `op-sdk dev`, where members cannot look up names.
   */
  readonly addressOf?: (host: string) => string | Promise<string>;
  /** Calls etcd. Default: by HTTP. */
  readonly etcd?: EtcdApi;
  readonly restoreSourceOf?: typeof restoreSourceOf;
}

/** Nothing is expected to change soon but what sends no event: alarms, and Secrets, which are read one by one and not watched. */
const isAtRest = (reason: WaitReason): boolean =>
  ['Ready', 'UpgradeRefused', 'QuorumLost', 'RecoveryFailed'].includes(reason);

/** Returns a controller that keeps the members of EtcdClusters, one Pod each. */
export function createEtcdClusterController(options: EtcdClusterControllerOptions = {}) {
  const { addressOf = programHost, etcd = httpEtcd } = options;
  const sourceOf = options.restoreSourceOf ?? restoreSourceOf;
  return defineController({
    for: EtcdCluster,
    owns: [Pod, PersistentVolumeClaim, Service, PodDisruptionBudget],
    watches: [
      watch(EtcdRestore, {
        predicates: [resourceVersionChanged],
        map: ({ metadata, spec }) => [{ namespace: metadata.namespace, name: spec.etcdCluster.name }],
      }),
    ],
    concurrency: 4,
    reconcileTimeout: '1m',
    backoff: { base: '500ms', cap: '30s' },
    async reconcile(cluster, context) {
      const { client, key } = context;
      // What it owns is deleted with it, or left to whoever has asked for that.
      if (cluster.metadata.deletionTimestamp !== undefined) return;
      if (cluster.spec.paused === true) {
        await client.mergeStatus(EtcdCluster, key, { controlPaused: true });
        return;
      }
      await ensureCertificates(cluster, context);
      const tls = await clusterTLS(cluster, context);
      const { items: restores } = await client.list(EtcdRestore, { namespace: key.namespace });
      const restore = activeRestore(restores, cluster);
      const observation = await observe(cluster, context, {
        etcd,
        addressOf,
        tls,
        restore: restore && sourceOf(restore),
        recovery: recoveryOf(restores, cluster),
      });
      const { observed } = observation;
      for (const service of desiredServices(cluster, observed.hasFormed))
        await client.apply(Service, service);
      await client.apply(PodDisruptionBudget, desiredBudget(cluster));
      const step = nextStep(observed);
      const refusal = await takeStep(step, observation, tls, context);
      await client.applyStatus(EtcdCluster, key, reportedStatus(observation, step, refusal));
      // Changes of Pods are seen by themselves; etcd has to be asked.
      return requeueAfter(step.type === 'Wait' && isAtRest(step.reason) ? '30s' : '1s');
    },
    async onError(cluster, error, { client, key }) {
      const conditions = conditionsOf(cluster, ['Degraded']).true('Degraded', 'StepFailed', error.message);
      await client.mergeStatus(EtcdCluster, key, { conditions: conditions.toJSON() });
    },
  });
}

export const etcdClusterController = createEtcdClusterController();
