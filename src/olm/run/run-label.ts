import type { KubeObject } from '../../sdk/api/index.ts';
import { fieldAt } from '../bundle/validate/fields.ts';

const managedBy = 'app.kubernetes.io/managed-by';

/** The label of catalogues and ClusterExtensions that `run bundle` has created. */
export const runLabels = { [managedBy]: 'op-sdk' } as const;

/** Returns true if a CatalogSource or a ClusterCatalog is one of `run bundle`, ours or operator-sdk's: nothing else depends on it. */
export function isRunCatalog(catalog: KubeObject): boolean {
  return (
    catalog.metadata.labels?.[managedBy] === runLabels[managedBy] ||
    fieldAt(catalog, 'spec', 'publisher') === 'operator-sdk'
  );
}
