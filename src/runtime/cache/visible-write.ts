import type { KubeObject } from '../../api/index.ts';
import { frozenCopy } from '../deep-freeze.ts';
import type { Selection } from './selection.ts';
import type { CachedObject } from './store.ts';

/**
 * What the watch of a kind will show of an object that was written: a frozen copy, `gone` if the object was removed or is no longer selected, or
 * `unknown` if only the API server can say.
 */
export function visibleWrite(
  object: CachedObject,
  { fieldSelector, metadataOnly, transform }: Selection,
  matchesLabels: (labels: Readonly<Record<string, string>> | undefined) => boolean,
): CachedObject | 'gone' | 'unknown' {
  if (fieldSelector !== undefined) return 'unknown';
  const { metadata } = object;
  // The last finalizer of an object under deletion was removed: the answer is its last state.
  const isRemoved =
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    (metadata.deletionGracePeriodSeconds ?? 0) === 0;
  if (isRemoved || !matchesLabels(metadata.labels)) return 'gone';
  const { managedFields: _, ...kept } = metadata;
  const { apiVersion, kind } = object;
  const part = metadataOnly === true ? { apiVersion, kind, metadata: kept } : { ...object, metadata: kept };
  if (transform === undefined) return frozenCopy(part);
  return frozenCopy(transform(structuredClone(part) as KubeObject)) as CachedObject;
}
