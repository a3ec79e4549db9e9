import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../api/index.ts';
import type { ObjectEvent } from '../cache/store.ts';

/** Decides whether a change causes a reconcile. Only saves work: reconcile must not rely on being called for a certain change. What it throws is logged and counts as true. */
export type Predicate<T extends KubeObject = KubeObject> = (change: ObjectEvent<T>) => boolean;

/**
 * What a controller's `for` objects pass unless it has predicates of its own: creates, deletes, and updates of generation
 * (which the API server raises with the spec), labels, annotations, finalizers or deletionTimestamp. Updates of status
 * alone are left out, so a controller does not wake itself. Kinds without a generation, such as ConfigMap, pass everything.
 */
export const defaultPredicate: Predicate = (change) => {
  if (change.type !== 'update') return true;
  const before = change.oldObject.metadata;
  const now = change.object.metadata;
  if (now.generation === undefined || now.generation !== before.generation) return true;
  return (
    now.deletionTimestamp !== before.deletionTimestamp ||
    !isDeepStrictEqual(now.labels ?? {}, before.labels ?? {}) ||
    !isDeepStrictEqual(now.annotations ?? {}, before.annotations ?? {}) ||
    !isDeepStrictEqual(now.finalizers ?? [], before.finalizers ?? [])
  );
};
