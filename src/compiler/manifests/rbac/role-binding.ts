import type { ManifestDocument } from '../manifest-document.ts';

type Documents = readonly [ManifestDocument, ...ManifestDocument[]];

/**
 * The roles of a namespaced operator, with a binding for the ClusterRole if there is one: the scaffold's own binding is that of the Role.
 * It is bound to the ServiceAccount of the scaffold.
 */
export function withClusterRoleBinding(documents: Documents): Documents {
  const ofCluster = documents.find(({ kind }) => kind === 'ClusterRole');
  return ofCluster === undefined ? documents : [...documents, clusterRoleBinding(ofCluster)];
}

function clusterRoleBinding({ metadata }: ManifestDocument): ManifestDocument {
  const { name } = metadata as { readonly name: string };
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'manager-cluster-rolebinding' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name: 'controller-manager', namespace: 'system' }],
  };
}
