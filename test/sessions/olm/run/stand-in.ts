import type { KubeObject, Resource } from '../../../../src/sdk/api/index.ts';
import { Deployment } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { isAlreadyExists, isConflict, isNotFound, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import type { Loose } from '../../../unit/olm/bundle/objects.ts';
import { setStatus } from '../stand-in.ts';

/** What a stand-in of OLM does wrong, as in a recording. */
export interface Faults {
  /** Images that cannot be pulled, by a part of their names. */
  readonly missingImages?: readonly RegExp[];
  /** Images whose containers end at once. */
  readonly crashingImages?: readonly RegExp[];
  /** Steps that it never takes: the command has to wait. */
  readonly stopsBefore?: 'catalog' | 'plan' | 'unpack' | 'deployment';
}

/** Creates an object, or gives the one that is there its labels and owners. */
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
    const { name, labels, ownerReferences } = object.metadata;
    const key = type.namespaced ? { name, namespace } : { name };
    if (labels !== undefined)
      await client.patch(type, key, { type: 'merge', body: { metadata: { labels, ownerReferences } } });
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

/** Says of Pods what a kubelet would: they run, they crash, or their images cannot be pulled. */
export async function runPods(client: KubeClient, faults: Faults): Promise<void> {
  if (faults.stopsBefore === 'deployment') return;
  const { items } = await client.list(Pod);
  for (const pod of items) {
    if (pod.spec === undefined || pod.metadata.deletionTimestamp !== undefined) continue;
    const init = (pod.spec.initContainers ?? []).map((each) => containerStatus(each, faults, true));
    const isInitialized = init.every(({ ready }) => ready);
    const own = isInitialized ? pod.spec.containers.map((each) => containerStatus(each, faults, false)) : [];
    const isReady = isInitialized && own.every(({ ready }) => ready);
    const phase = isInitialized && own.some(({ started }) => started) ? 'Running' : 'Pending';
    const seen = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
    if (pod.status?.phase === phase && seen.length === init.length + own.length) continue;
    const podIP = addressOf(pod);
    await setStatus(client, Pod, pod, {
      phase,
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
      ...(init.length === 0 ? {} : { initContainerStatuses: init }),
      ...(isInitialized ? { containerStatuses: own, podIP, podIPs: [{ ip: podIP }] } : {}),
    }).catch(ignoreRaces);
  }
}

/** An address that no other Pod has. */
function addressOf({ metadata: { uid = '' } }: KubeObject): string {
  const bytes = Buffer.from(uid.replaceAll('-', ''), 'hex').subarray(0, 3);
  return ['10', ...bytes].join('.');
}

function containerStatus(
  { name, image = '' }: { readonly name: string; readonly image?: string | undefined },
  { missingImages = [], crashingImages = [] }: Faults,
  isInit: boolean,
) {
  const common = { name, image, imageID: '' };
  if (missingImages.some((form) => form.test(image))) {
    const waiting = { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}"` };
    return { ...common, restartCount: 0, ready: false, started: false, state: { waiting } };
  }
  if (crashingImages.some((form) => form.test(image))) {
    const waiting = { reason: 'CrashLoopBackOff', message: 'back-off 10s restarting failed container' };
    const lastState = { terminated: { exitCode: 127, reason: 'Error' } };
    return { ...common, restartCount: 2, ready: false, started: !isInit, state: { waiting }, lastState };
  }
  const running = { startedAt: '2026-01-01T00:00:00Z' };
  const state = isInit ? { terminated: { exitCode: 0, reason: 'Completed' } } : { running };
  return { ...common, restartCount: 0, ready: true, started: !isInit, state };
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
