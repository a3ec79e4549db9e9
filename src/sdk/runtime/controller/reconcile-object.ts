import type { KubeObject, Stored, Resource } from '../../api/index.ts';
import { isConflict, isInvalid, isNotFound, type JsonPatchOperation } from '../../kube/index.ts';
import type { ControllerClient } from '../client/index.ts';
import type { Controller, ReconcileContext } from './define-controller.ts';
import type { ReconcileResult } from './result.ts';

/**
 * Runs a controller once for one object: `reconcile`, or `finalize` for an object under deletion. Adds the controller's finalizer before
 * the first `reconcile`, and removes it after the last `finalize`.
 */
export async function reconcileObject(
  controller: Controller,
  object: Stored<KubeObject>,
  context: ReconcileContext,
): Promise<ReconcileResult | undefined | void> {
  const { retiredFinalizers } = controller;
  const resource = controller.for;
  const retired = (object.metadata.finalizers ?? []).filter((each) => retiredFinalizers.includes(each));
  if (retired.length > 0) {
    if ((await removeFinalizers(context.client, resource, object, retired)) === undefined) return undefined;
    // The current object of the cache, without the removed finalizers; undefined if the object no longer exists.
    const now = await context.client.find(resource, context.key);
    return now === undefined ? undefined : reconcileKept(now, controller, context);
  }
  return reconcileKept(object, controller, context);
}

async function reconcileKept(
  object: Stored<KubeObject>,
  controller: Controller,
  context: ReconcileContext,
): Promise<ReconcileResult | undefined | void> {
  const { finalizer } = controller;
  const resource = controller.for;
  const present = object.metadata.finalizers ?? [];
  if (finalizer === undefined) return controller.reconcile(object, context);
  if (object.metadata.deletionTimestamp === undefined) {
    if (present.includes(finalizer)) return controller.reconcile(object, context);
    const added = await addFinalizer(context.client, resource, object, finalizer);
    if (added === undefined) return undefined;
    // The current object of the cache, with the finalizer. If the object was deleted in the meantime, it is already queued to be finalized.
    const now = await context.client.find(resource, context.key);
    if (now === undefined || now.metadata.deletionTimestamp !== undefined) return undefined;
    return controller.reconcile(now, context);
  }
  // This controller has already finalized the object, or never had to. The object only waits for the finalizers of others.
  if (!present.includes(finalizer)) return undefined;
  const result = await controller.finalize(object, context);
  if (result) return result;
  await removeFinalizers(context.client, resource, object, [finalizer]);
  return undefined;
}

/** Maximum number of tries to patch an object that keeps changing. After that, the reconcile is retried with back-off. */
const ATTEMPTS = 5;

/**
 * Adds a finalizer. Neither loses finalizers of others nor adds a finalizer twice, because the patch fails if the finalizers have changed
 * since they were read.
 *
 * @returns the object with the finalizer; undefined if the object no longer exists or is under deletion, in which case the server accepts
 * no new finalizers
 */
async function addFinalizer(
  client: ControllerClient,
  resource: Resource,
  object: Stored<KubeObject>,
  finalizer: string,
): Promise<KubeObject | undefined> {
  return patchFinalizers(client, resource, object, (present, isDeleting) => {
    if (isDeleting) return 'gone';
    if (present?.includes(finalizer) === true) return 'done';
    // A JSON Patch test for null also passes for an absent field. Source: RFC 6902 4.6 as implemented by evanphx/json-patch, which the API
    // server uses.
    const test: JsonPatchOperation = { op: 'test', path: '/metadata/finalizers', value: present ?? null };
    if (present === undefined) return [test, { op: 'add', path: '/metadata/finalizers', value: [finalizer] }];
    return [test, { op: 'add', path: '/metadata/finalizers/-', value: finalizer }];
  });
}

/**
 * Removes the given finalizers from an object, if it has them. If the object is under deletion, removing its last finalizer deletes it.
 *
 * @returns the remaining object; undefined if the object no longer exists
 */
async function removeFinalizers(
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

/** Patches the finalizers of an object. Reads the object again if it has changed since the last read. */
async function patchFinalizers(
  client: ControllerClient,
  resource: Resource,
  object: Stored<KubeObject>,
  change: Change,
): Promise<KubeObject | undefined> {
  const { uid } = object.metadata;
  let current: KubeObject | undefined = object;
  for (let attempt = 1; ; attempt += 1) {
    // An object of the same name with another uid is a different object, so it is not patched.
    if (current?.metadata.uid !== uid) return undefined;
    const operations = change(current.metadata.finalizers, current.metadata.deletionTimestamp !== undefined);
    if (operations === 'gone') return undefined;
    if (operations === 'done') return current;
    const body = [{ op: 'test', path: '/metadata/uid', value: uid } as const, ...operations];
    try {
      return await client.patch(resource, current.metadata, { type: 'json', body });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      // 422 means that a test of the patch has failed, or that the patched object is invalid. A retry distinguishes the two causes.
      if (!(isInvalid(error) || isConflict(error)) || attempt === ATTEMPTS) throw error;
      current = await client.live.find(resource, current.metadata);
    }
  }
}
