import type { KubeObject } from '../../api/index.ts';
import { frozenCopy } from '../deep-freeze.ts';
import type { Selection } from './selection.ts';
import type { CachedObject } from './store.ts';

/** Returns true if the answer to a write is the last state of its object: the last finalizer of an object under deletion was removed. */
export function isGone({ metadata }: CachedObject): boolean {
  return (
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    (metadata.deletionGracePeriodSeconds ?? 0) === 0
  );
}

/**
 * Predicts how the watch of a kind will show an object that was written: a frozen copy, undefined if the object is no longer selected, or
 * `unknown` if only the API server can say.
 */
export function visibleWrite(
  object: CachedObject,
  { fieldSelector, metadataOnly, transform }: Selection,
  matchesLabels: (labels: Readonly<Record<string, string>> | undefined) => boolean,
): CachedObject | undefined | 'unknown' {
  if (fieldSelector !== undefined) return 'unknown';
  const { metadata } = object;
  if (!matchesLabels(metadata.labels)) return undefined;
  const { managedFields: _, ...kept } = metadata;
  const { apiVersion, kind } = object;
  const part = metadataOnly === true ? { apiVersion, kind, metadata: kept } : { ...object, metadata: kept };
  if (transform === undefined) return frozenCopy(part);
  return frozenCopy(transform(structuredClone(part) as KubeObject)) as CachedObject;
}
