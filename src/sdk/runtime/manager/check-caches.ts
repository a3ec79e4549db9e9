import type { Resource } from '../../api/index.ts';
import type { HealthReport } from '../http/index.ts';
import type { ManagedCluster } from './managed-cluster.ts';

/**
 * Checks that the caches of a manager are complete, for `/readyz`. Before the start, what is missing keeps the pod from being ready, but for
 * kinds that this pod has to convert. Afterwards the rest of the operator works: it must not be stopped for one kind.
 */
export function checkCaches(
  clusters: readonly ManagedCluster[],
  state: {
    readonly isRunning: boolean;
    readonly hasStarted: boolean;
    /** Kinds that may need this pod to be ready: the API server asks ready pods for conversions. */
    readonly converts: (resource: Resource) => boolean;
  },
): HealthReport | undefined {
  const { isRunning, hasStarted, converts } = state;
  const reasons = clusters.flatMap((cluster) => cluster.missing());
  if (isRunning && clusters.every(({ cache }) => cache.started) && reasons.length === 0) return undefined;
  const needsMore = clusters.some(
    (cluster) => !cluster.cache.started || cluster.missing(converts).length > 0,
  );
  if ((hasStarted || !needsMore) && isRunning)
    return { degraded: reasons.length === 0 ? 'not started' : `not synced: ${reasons.join('; ')}` };
  throw new Error(reasons.length === 0 ? 'not started' : `not synced: ${reasons.join('; ')}`);
}
