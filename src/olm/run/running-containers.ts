import type { KubeObject } from '../../sdk/api/index.ts';
import { fieldAt, listOf, textOf } from '../bundle/validate/fields.ts';
import type { PodLike } from '../../cluster/index.ts';
import { newestPods } from './judge-deployments.ts';
import { waitingFor, type Judgement } from './judgement.ts';
import type { Observed } from './observed.ts';
import { operatorPods, podCause } from './workload-causes.ts';

/** Milliseconds for which a container has to run that no readiness probe looks at, or that was restarted. */
const minimumReadyTime = 10_000;

/** The longest time to wait for a container that was restarted. */
const mostReadyTime = 60_000;

/**
 * Judges whether the containers of rolled out Deployments keep running. Kubernetes counts a container without a readiness probe as ready as
 * soon as it runs, also between two crashes.
 *
 * @param now the clock of the cluster
 * @returns what has to be waited for: a container that has ended, one without a readiness probe that has just been started, or one that was
 *   restarted and has not run for longer than before its end; undefined if there is none
 */
export function judgeRunning(
  observed: Observed,
  {
    names,
    namespace,
    now,
  }: { readonly names: readonly string[]; readonly namespace: string; readonly now: Date },
): Judgement | undefined {
  for (const name of names) {
    const deployment = observed.get('Deployment', name, namespace);
    if (deployment === undefined) continue;
    const pods = newestPods(observed, deployment);
    const unproven = unprovenContainer(deployment, pods, now);
    if (unproven !== undefined)
      return podCause(pods, operatorPods) ?? waitingFor('rollout', `Deployment ${name}: ${unproven}`);
  }
  return undefined;
}

function unprovenContainer(deployment: KubeObject, pods: readonly PodLike[], now: Date): string | undefined {
  const probed = probedContainers(deployment);
  for (const { metadata, status } of pods) {
    // Evicted Pods stay, and another one takes their place.
    if (metadata.deletionTimestamp !== undefined || status?.phase === 'Failed') continue;
    for (const { name, restartCount = 0, state, lastState } of status?.containerStatuses ?? []) {
      const container = `container ${name} of Pod ${metadata.name}`;
      if (state?.terminated !== undefined || state?.waiting !== undefined) return `${container} has ended`;
      const last = restartCount === 0 ? undefined : (lastState?.terminated ?? {});
      if (probed.has(name) && last === undefined) continue;
      const started = Date.parse(state?.running?.startedAt ?? '');
      const needed = neededTime(last);
      if (Number.isNaN(started) || now.getTime() - started >= needed) continue;
      const why = last === undefined ? 'has just been started' : 'was restarted';
      return `${container} ${why}, and has to run for ${needed / 1000} s`;
    }
  }
  return undefined;
}

function neededTime(last: { readonly startedAt?: string; readonly finishedAt?: string } | undefined): number {
  const former = Date.parse(last?.finishedAt ?? '') - Date.parse(last?.startedAt ?? '');
  if (Number.isNaN(former)) return minimumReadyTime;
  return Math.min(Math.max(former + minimumReadyTime / 2, minimumReadyTime), mostReadyTime);
}

/** The names of the containers with a readiness probe. */
function probedContainers(deployment: KubeObject): ReadonlySet<string> {
  const containers = listOf(fieldAt(deployment, 'spec', 'template', 'spec', 'containers'));
  return new Set(
    containers
      .filter((each) => fieldAt(each, 'readinessProbe') !== undefined)
      .map((each) => textOf(fieldAt(each, 'name'))),
  );
}
