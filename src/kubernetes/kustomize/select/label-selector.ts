import { labelsMatch, parseLabelSelector } from '../../../base/util/label-selector.ts';
import { isObject, type Json } from '../resource.ts';

/** Returns true for labels or annotations that match a selector. */
export type LabelTest = (labels: Json | undefined) => boolean;

/**
 * A selector as in `kubectl get -l`, for labels or annotations of a manifest, whose values need not be texts.
 *
 * @throws LabelSelectorError
 */
export function metadataTest(text: string): LabelTest {
  const requirements = parseLabelSelector(text);
  return (labels) => {
    const texts = Object.entries(isObject(labels) ? labels : {}).flatMap(([key, value]) =>
      typeof value === 'object' ? [] : [[key, String(value)] as const],
    );
    return labelsMatch(requirements, Object.fromEntries(texts));
  };
}
