import type { HealthReport } from '../http/index.ts';
import type { ManagedCluster } from './managed-cluster.ts';

/**
 * Whether the caches of a manager are complete, for `/readyz`. Before the start, what is missing keeps the pod from being ready. Afterwards the rest
 * of the operator works: it must not be stopped for one kind.
 */
export function checkCaches(
  clusters: readonly ManagedCluster[],
  state: {
    readonly isRunning: boolean;
    readonly hasStarted: boolean;
    /** What is missing may need this pod to be ready: the API server asks ready pods for conversions. */
    readonly converts: boolean;
  },
): HealthReport | undefined {
  const { isRunning, hasStarted, converts } = state;
  const reasons = clusters.flatMap(({ missing }) => missing);
  if (isRunning && clusters.every(({ cache }) => cache.started) && reasons.length === 0) return undefined;
  if ((hasStarted || converts) && isRunning)
    return { degraded: reasons.length === 0 ? 'not started' : `not synced: ${reasons.join('; ')}` };
  throw new Error(reasons.length === 0 ? 'not started' : `not synced: ${reasons.join('; ')}`);
}
