import type { KubeObject, Stored } from '../../api/index.ts';
import type { Controller, ReconcileContext } from './define-controller.ts';
import { addFinalizer, removeFinalizers } from './finalizers.ts';
import type { ReconcileResult } from './result.ts';

/**
 * One run of a controller for one object: `reconcile`, or `finalize` for an object under deletion, with the controller's finalizer put in before
 * the first and removed after the last.
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
    // As the cache shows it now: without them, or gone.
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
    // As the cache shows it now, with the finalizer. An object that was deleted meanwhile has asked to be finalized.
    const now = await context.client.find(resource, context.key);
    if (now === undefined || now.metadata.deletionTimestamp !== undefined) return undefined;
    return controller.reconcile(now, context);
  }
  // This controller has done its part, or never had one; the object waits for others.
  if (!present.includes(finalizer)) return undefined;
  const result = await controller.finalize(object, context);
  if (result) return result;
  await removeFinalizers(context.client, resource, object, [finalizer]);
  return undefined;
}
