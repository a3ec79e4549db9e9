import type { KubeObject, Resource } from '../../../../src/api/index.ts';
import { Deployment } from '../../../../src/k8s/generated/apps/v1.ts';
import { Pod } from '../../../../src/k8s/generated/core/v1.ts';
import { isAlreadyExists, isConflict, isNotFound, type KubeClient } from '../../../../src/kube/index.ts';
import type { Loose } from '../../../unit/bundle/objects.ts';
import { setStatus } from '../stand-in.ts';

/** What a stand-in of OLM does wrong, as in a recording. */
export interface Faults {
  /** Images that cannot be pulled, by a part of their names. */
  readonly missingImages?: readonly RegExp[];
  /** Steps that it never takes: the command has to wait. */
  readonly stopsBefore?: 'catalog' | 'plan' | 'unpack' | 'deployment';
}

/** Creates an object, or gives the one that is there its labels. */
export async function bring(client: KubeClient, object: Loose): Promise<void> {
  const type = await client.resourceOf(object);
  const { namespace } = object.metadata;
  const placed =
    type.namespaced || namespace === undefined
      ? object
      : { ...object, metadata: { ...object.metadata, namespace: undefined } };
  try {
    await client.create(type, placed as KubeObject);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const { name, labels } = object.metadata;
    const key = type.namespaced ? { name, namespace } : { name };
    if (labels !== undefined)
      await client.patch(type, key, { type: 'merge', body: { metadata: { labels } } });
  }
}

/** Deletes an object, if it is there. */
export async function drop(client: KubeClient, type: Resource, { metadata }: KubeObject): Promise<void> {
  const { name = '', namespace } = metadata;
  await client
    .delete(type, namespace === undefined ? { name } : { name, namespace })
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
}

/** Says of Pods what a kubelet would: they run, or their images cannot be pulled. */
export async function runPods(
  client: KubeClient,
  { missingImages = [], stopsBefore }: Faults,
): Promise<void> {
  if (stopsBefore === 'deployment') return;
  const { items } = await client.list(Pod);
  for (const pod of items) {
    const container = pod.spec?.containers[0];
    if (container === undefined || pod.metadata.deletionTimestamp !== undefined) continue;
    const { name, image = '' } = container;
    const isMissing = missingImages.some((form) => form.test(image));
    const phase = isMissing ? 'Pending' : 'Running';
    const waiting = { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}"` };
    if (pod.status?.phase === phase && pod.status.containerStatuses !== undefined) continue;
    await setStatus(client, Pod, pod, {
      phase,
      conditions: [{ type: 'Ready', status: isMissing ? 'False' : 'True' }],
      containerStatuses: [
        {
          ...{ name, image, imageID: '', restartCount: 0, ready: !isMissing, started: !isMissing },
          state: isMissing ? { waiting } : { running: { startedAt: '2026-01-01T00:00:00Z' } },
        },
      ],
    }).catch(ignoreRaces);
  }
}

/** What another controller was faster with is done in the next round. */
export function ignoreRaces(error: unknown): void {
  if (!isConflict(error) && !isNotFound(error)) throw error;
}

/** Whether a Deployment has all its replicas. */
export async function isAvailable(client: KubeClient, name: string, namespace: string): Promise<boolean> {
  const { spec, status } = await client.get(Deployment, { name, namespace });
  return (status?.availableReplicas ?? 0) >= (spec?.replicas ?? 1);
}
