import { externalResource, type KubeObject } from '../../sdk/api/index.ts';
import { ApiError, type KubeClient } from '../../sdk/kube/index.ts';
import type { PodLike } from './pod-problems.ts';

const replicaSets = externalResource({
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  scope: 'Namespaced',
});

const revision = 'deployment.kubernetes.io/revision';

/**
 * Lists the Pods of a workload that have its present template. Pods of a former deploy are replaced, whatever their state.
 * None if that cannot be found out.
 */
export async function currentPods(
  client: KubeClient,
  workload: KubeObject,
  pods: readonly PodLike[],
  signal: AbortSignal | undefined,
): Promise<readonly PodLike[]> {
  const mark = await markOf(client, workload, signal);
  if (mark?.value === undefined) return [];
  return pods.filter(({ metadata }) => metadata.labels?.[mark.label] === mark.value);
}

interface Mark {
  readonly label: string;
  readonly value: string | undefined;
}

/** The label that tells the Pods of one template from those of another. */
async function markOf(
  client: KubeClient,
  workload: KubeObject,
  signal: AbortSignal | undefined,
): Promise<Mark | undefined> {
  const { kind, metadata } = workload;
  const { status } = workload as { readonly status?: { readonly updateRevision?: string } };
  if (kind === 'StatefulSet') return { label: 'controller-revision-hash', value: status?.updateRevision };
  if (kind === 'DaemonSet') {
    const value = metadata.annotations?.['deprecated.daemonset.template.generation'];
    return { label: 'pod-template-generation', value };
  }
  const label = 'pod-template-hash';
  try {
    const { items } = await client.list(replicaSets, { namespace: metadata.namespace, signal });
    const current = items.find(
      (each) =>
        (each.metadata.ownerReferences ?? []).some(({ uid }) => uid === metadata.uid) &&
        each.metadata.annotations?.[revision] === metadata.annotations?.[revision],
    );
    return { label, value: current?.metadata.labels?.[label] };
  } catch (error) {
    // Whoever may deploy need not be allowed to read them.
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}
