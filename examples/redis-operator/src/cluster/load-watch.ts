import type { ReconcileContext, Stored } from 'opsdk';
import type { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import { detectAnomalies, noHistory, type Anomaly, type AnomalyHistory } from './anomalies.ts';
import { autoscale, type Scaling } from './autoscale.ts';
import type { Trend } from './autoscaler.ts';
import { forgetCluster, recordCluster } from './cluster-metrics.ts';
import type { Step } from './next-step.ts';
import { hasSlots, type Observed } from './observed.ts';
import type { Restoration } from './restore.ts';
import { shardLoads } from './shard-load.ts';

/** Memory of the process of a cluster. It is lost with the process, which only delays what follows from it. */
interface History {
  readonly uid: string;
  readonly trend: Trend | undefined;
  readonly anomalies: AnomalyHistory;
}

interface Sight {
  readonly observed: Observed;
  readonly step: Step;
  readonly restoration: Restoration | undefined;
  readonly isBackedUp: boolean;
}

type Key = ReconcileContext['key'];

/** Follows the load of all clusters: decides their numbers of masters, finds anomalies, and keeps the metrics. */
export class LoadWatch {
  readonly #histories = new Map<string, History>();

  look(
    cluster: Stored<DistributedRedisCluster>,
    { key, now: clock }: Pick<ReconcileContext, 'key' | 'now'>,
    { observed, step, restoration, isBackedUp }: Sight,
  ): { readonly scaling: Scaling | undefined; readonly anomalies: readonly Anomaly[] } {
    const { uid } = cluster.metadata;
    const { trend, anomalies: before } = this.#historyOf(key, uid);
    const now = clock();
    const loads = shardLoads(cluster.spec, observed);
    const wanted = observed.wanted.length;
    const scaling = autoscale(cluster, { wanted, step, loads, restoration, isBackedUp, trend, now });
    const { anomalies, history } = detectAnomalies(before, {
      ...{ observed, loads, now },
      isSettled: step.type === 'Done',
      hasRoomToGrow: cluster.spec.autoscaling?.targetMemoryUtilizationPercentage !== undefined,
    });
    this.#histories.set(nameOf(key), { uid, trend: scaling?.decision?.trend, anomalies: history });
    recordCluster(key, {
      ...{ loads, anomalies },
      masters: observed.members.filter(hasSlots).length,
      desiredMasters: scaling?.status.desiredMasters ?? wanted,
      isAtMaximum: scaling !== undefined && limitOf(cluster, scaling) === 'TooManyReplicas',
    });
    return { scaling, anomalies };
  }

  /** Drops all that is kept of a cluster that is gone. */
  forget(key: Key): void {
    this.#histories.delete(nameOf(key));
    forgetCluster(key);
  }

  /** Returns the history of a cluster: none of one that had its name before it. */
  #historyOf(key: Key, uid: string): History {
    const known = this.#histories.get(nameOf(key));
    return known?.uid === uid ? known : { uid, trend: undefined, anomalies: noHistory };
  }
}

const nameOf = ({ name, namespace }: Key): string => `${namespace}/${name}`;

/** Returns the reason why the number of masters is limited. While a cluster is not in order it is the one that was known before. */
function limitOf({ status }: DistributedRedisCluster, { decision }: Scaling): string | undefined {
  const before = status?.conditions?.find(({ type }) => type === 'ScalingLimited');
  return decision?.scalingLimited?.reason ?? before?.reason;
}
