import type { KubeObject, Resource, Stored } from '../../api/index.ts';
import { isConflict, isInvalid, isNotFound } from '../../kube/index.ts';
import type { JsonPatchOperation } from '../../kube/types.ts';
import type { ControllerClient } from '../client/index.ts';

/** Times that an object may change under us before the reconcile is retried with back-off. */
const ATTEMPTS = 5;

/**
 * Adds a finalizer. Finalizers of others are never lost, nor is one added twice: the patch holds only for the list that was seen.
 *
 * @returns the object with the finalizer; undefined if it is gone or under deletion, when the server takes no new ones
 */
export async function addFinalizer(
  client: ControllerClient,
  resource: Resource,
  object: Stored<KubeObject>,
  finalizer: string,
): Promise<KubeObject | undefined> {
  return patchFinalizers(client, resource, object, (present, isDeleting) => {
    if (isDeleting) return 'gone';
    if (present?.includes(finalizer) === true) return 'done';
    // A test for null holds for a field that is absent. Source: RFC 6902 4.6 as evanphx/json-patch has it, which the API server uses.
    const test: JsonPatchOperation = { op: 'test', path: '/metadata/finalizers', value: present ?? null };
    if (present === undefined) return [test, { op: 'add', path: '/metadata/finalizers', value: [finalizer] }];
    return [test, { op: 'add', path: '/metadata/finalizers/-', value: finalizer }];
  });
}

/**
 * Removes finalizers, as far as they are there. The object goes with the last one if it is under deletion.
 *
 * @returns the object as it remains; undefined if it is gone
 */
export async function removeFinalizers(
  client: ControllerClient,
  resource: Resource,
  object: Stored<KubeObject>,
  finalizers: readonly string[],
): Promise<KubeObject | undefined> {
  return patchFinalizers(client, resource, object, (present = []) => {
    const kept = present.filter((each) => !finalizers.includes(each));
    if (kept.length === present.length) return 'done';
    return [
      { op: 'test', path: '/metadata/finalizers', value: present },
      { op: 'replace', path: '/metadata/finalizers', value: kept },
    ];
  });
}

type Change = (
  present: readonly string[] | undefined,
  isDeleting: boolean,
) => readonly JsonPatchOperation[] | 'done' | 'gone';

/** Patches the finalizers of an object that may have changed since it was read: then it is read again. */
async function patchFinalizers(
  client: ControllerClient,
  resource: Resource,
  object: Stored<KubeObject>,
  change: Change,
): Promise<KubeObject | undefined> {
  const { uid } = object.metadata;
  let current: KubeObject | undefined = object;
  for (let attempt = 1; ; attempt += 1) {
    // Another object of that name has its own life.
    if (current?.metadata.uid !== uid) return undefined;
    const operations = change(current.metadata.finalizers, current.metadata.deletionTimestamp !== undefined);
    if (operations === 'gone') return undefined;
    if (operations === 'done') return current;
    const body = [{ op: 'test', path: '/metadata/uid', value: uid } as const, ...operations];
    try {
      return await client.patch(resource, current.metadata, { type: 'json', body });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      // 422: a test of the patch has failed, or the patched object is invalid, which trying again shows.
      if (!(isInvalid(error) || isConflict(error)) || attempt === ATTEMPTS) throw error;
      current = await client.live.find(resource, current.metadata);
    }
  }
}
