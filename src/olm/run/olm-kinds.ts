import { externalResource, type KubeObject } from '../../sdk/api/index.ts';

/**
 * The kinds of OLM that commands read and delete, v0 (operators.coreos.com) and v1 (olm.operatorframework.io). Their objects stay
 * untyped: what is read of them is checked where it is read.
 */
const v0 = 'operators.coreos.com';
const v1 = 'olm.operatorframework.io';

function kindOf(
  group: string,
  version: string,
  kind: string,
  plural: string,
  scope: 'Namespaced' | 'Cluster',
) {
  return externalResource<KubeObject>({ group, version, kind, plural, scope });
}

export const CatalogSource = kindOf(v0, 'v1alpha1', 'CatalogSource', 'catalogsources', 'Namespaced');
export const Subscription = kindOf(v0, 'v1alpha1', 'Subscription', 'subscriptions', 'Namespaced');
export const InstallPlan = kindOf(v0, 'v1alpha1', 'InstallPlan', 'installplans', 'Namespaced');
export const ClusterServiceVersion = kindOf(
  v0,
  'v1alpha1',
  'ClusterServiceVersion',
  'clusterserviceversions',
  'Namespaced',
);
export const OperatorGroup = kindOf(v0, 'v1', 'OperatorGroup', 'operatorgroups', 'Namespaced');
export const ClusterCatalog = kindOf(v1, 'v1', 'ClusterCatalog', 'clustercatalogs', 'Cluster');
export const ClusterExtension = kindOf(v1, 'v1', 'ClusterExtension', 'clusterextensions', 'Cluster');
