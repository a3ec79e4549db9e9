import { setTimeout as sleep } from 'node:timers/promises';
import { OpSdkError } from '../../base/errors/index.ts';
import { Pod } from '../../sdk/k8s/generated/core/v1.ts';
import { isNotFound, type KubeClient } from '../../sdk/kube/index.ts';
import { toError } from '../../sdk/net/index.ts';
import { durationMs, type DurationLike } from '../../sdk/runtime/index.ts';

/** Settings of `drain`. */
export interface DrainOptions {
  /** Time limit: milliseconds, or text such as `30s`. Default: 1m. */
  readonly timeout?: DurationLike;
}

/** Milliseconds between two attempts to evict Pods. `kubectl drain` waits 5 s. */
const pause = 200;

/**
 * Evicts the Pods of a node one after the other, as `kubectl drain --ignore-daemonsets --force` does, until none is left. Waits while a
 * PodDisruptionBudget refuses an eviction.
 * @throws OpSdkError testenv/not-drained with the Pods that are left when the time is over
 */
export async function drainNode(
  client: KubeClient,
  node: string,
  { timeout = '1m' }: DrainOptions,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + durationMs(timeout);
  const refusals = new Map<string, string>();
  for (;;) {
    const pods = (await client.list(Pod)).items.filter((pod) => isToEvict(pod, node));
    if (pods.length === 0) return;
    for (const pod of pods) {
      if (pod.metadata.deletionTimestamp !== undefined) continue;
      const refusal = await evict(client, pod);
      if (refusal !== undefined) refusals.set(titleOf(pod), refusal);
    }
    if (performance.now() > end) throw notDrained(node, pods.map(titleOf), refusals);
    await sleep(pause, undefined, { signal });
  }
}

function isToEvict({ metadata, spec }: Pod, node: string): boolean {
  const ofDaemonSet = metadata.ownerReferences?.some(
    ({ kind, controller }) => kind === 'DaemonSet' && controller,
  );
  return spec?.nodeName === node && ofDaemonSet !== true;
}

/** @returns the message of the API server if it refuses the eviction */
async function evict(client: KubeClient, { metadata }: Pod): Promise<string | undefined> {
  try {
    await client.evict(metadata);
    return undefined;
  } catch (error) {
    return isNotFound(error) ? undefined : toError(error).message;
  }
}

function titleOf({ metadata: { name, namespace } }: Pod): string {
  return `Pod ${namespace}/${name}`;
}

function notDrained(
  node: string,
  pods: readonly string[],
  refusals: ReadonlyMap<string, string>,
): OpSdkError {
  const [first, ...rest] = pods.map((pod) => ({
    code: 'testenv/not-drained' as const,
    message: `the node ${node} is not drained: ${refusals.get(pod) ?? 'the Pod has not ended'}`,
    where: { object: pod },
    fix: ['give `drain` a longer timeout', 'look at the PodDisruptionBudgets: kubectl get pdb -A'],
  }));
  if (first === undefined) throw new TypeError('a drained node');
  return new OpSdkError([first, ...rest]);
}
