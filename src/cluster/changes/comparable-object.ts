import type { KubeObject } from '../../sdk/api/index.ts';
import { jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';
import { partOfLabel } from '../inventory/apply-set.ts';

/** Fields of metadata that nobody writes by hand, or that follow from the rest. */
const bookkeeping: ReadonlySet<string> = new Set([
  'managedFields',
  'resourceVersion',
  'generation',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
]);

/** Where `kubectl apply` keeps the manifest, on the client's side. */
export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Parts of an object that people compare: everything but its status and the API server's bookkeeping. The manifest of
 * `kubectl apply` in an annotation is left out, too: it has everything twice, and the values of a Secret in plain sight. So is the
 * label of the ApplySet, which `deploy` adds to all objects.
 */
export function comparableObject(object: Pick<KubeObject, 'metadata'>): JsonMap {
  const { status: _status, metadata, ...content } = object as JsonMap;
  const { annotations, labels, ...others } = jsonMapOf(metadata);
  const { [partOfLabel]: _partOf, ...ownLabels } = jsonMapOf(labels);
  const { [lastApplied]: _manifest, ...notes } = jsonMapOf(annotations);
  const kept = Object.entries(others).filter(([name]) => !bookkeeping.has(name));
  return {
    ...content,
    metadata: {
      ...Object.fromEntries(kept),
      ...(Object.keys(ownLabels).length === 0 ? {} : { labels: ownLabels }),
      ...(Object.keys(notes).length === 0 ? {} : { annotations: notes }),
    },
  };
}
