// Stands for what a real cluster has beside the API server: a kubelet, the operators of OLM, cert-manager.
import { setTimeout as sleep } from 'node:timers/promises';
import { externalResource, type KubeObject, type Resource } from '../../../src/sdk/api/index.ts';
import { Pod } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { ApiError, type KubeClient } from '../../../src/sdk/kube/index.ts';

/** A kind by its name, for what tests write. */
export function kindOf(
  group: string,
  version: string,
  kind: string,
  plural: string,
  scope: 'Namespaced' | 'Cluster',
): Resource<KubeObject> {
  return externalResource<KubeObject>({ group, version, kind, plural, scope });
}

/** Does something again and again until it is disposed of; what fails while objects come and go is tried again. */
export class StandIn implements AsyncDisposable {
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(act: () => Promise<void>) {
    this.#running = (async () => {
      while (!this.#stopped) {
        await act().catch(() => undefined);
        await sleep(200);
      }
    })();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }
}

/** All objects of a kind; none while nobody serves it. */
export async function listOf(client: KubeClient, type: Resource<KubeObject>): Promise<readonly KubeObject[]> {
  try {
    return (await client.list(type)).items;
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

/** Writes into the status of an object. */
export async function setStatus(
  client: KubeClient,
  type: Resource<KubeObject>,
  { metadata: { name, namespace } }: KubeObject,
  status: object,
): Promise<void> {
  const key = namespace === undefined ? { name } : { name, namespace };
  await client.patch(type, key, { type: 'merge', body: { status } }, { subresource: 'status' });
}

/** Replaces the finalizers of an object. */
export async function setFinalizers(
  client: KubeClient,
  type: Resource<KubeObject>,
  { metadata: { name, namespace } }: KubeObject,
  finalizers: readonly string[] | null,
): Promise<void> {
  const key = namespace === undefined ? { name } : { name, namespace };
  await client.patch(type, key, { type: 'merge', body: { metadata: { finalizers } } });
}

/** Creates an object unless it is there. */
export async function ensure(client: KubeClient, type: Resource<KubeObject>, object: object): Promise<void> {
  await client.create(type, object as KubeObject).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
  });
}

/** Makes the Pods of a namespace ready, as a node would. */
export async function runPods(client: KubeClient, namespace: string): Promise<void> {
  for (const pod of await listOf(client, Pod)) {
    const { status } = pod as KubeObject & { readonly status?: { readonly phase?: string } };
    if (pod.metadata.namespace !== namespace || status?.phase === 'Running') continue;
    const ready = { type: 'Ready', status: 'True', lastTransitionTime: new Date(0).toISOString() };
    await setStatus(client, Pod, pod, {
      phase: 'Running',
      conditions: [ready],
    });
  }
}
