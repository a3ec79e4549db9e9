import { addObject, deploymentOf, smallBundle } from '../../../unit/olm/bundle/validate/bundle-folder.ts';
import type { Loose } from '../../../unit/olm/bundle/objects.ts';

/** A bundle of an operator `<name>` of the kind Site of its own group, with a ClusterRole beside that OLM v0 leaves. */
export function demoBundle(name: string, version: string): Loose {
  const bundle = smallBundle();
  const { csv, crd, annotations } = bundle;
  const group = `${name}.example.com`;
  const definition = `sites.${group}`;
  csv.metadata.name = `${name}.v${version}`;
  csv.metadata.annotations['alm-examples'] = JSON.stringify([
    { apiVersion: `${group}/v1`, kind: 'Site', metadata: { name: 'a' } },
  ]);
  csv.spec.version = version;
  csv.spec.customresourcedefinitions.owned[0].name = definition;
  csv.spec.installModes = ['AllNamespaces', 'OwnNamespace', 'SingleNamespace', 'MultiNamespace'].map(
    (type) => ({
      type,
      supported: true,
    }),
  );
  crd.metadata.name = definition;
  crd.spec.group = group;
  const labels = { app: name };
  const { spec } = deploymentOf(bundle);
  deploymentOf(bundle).name = name;
  spec.selector.matchLabels = labels;
  spec.template.metadata.labels = labels;
  spec.template.spec.serviceAccountName = name;
  spec.template.spec.containers[0].image = `example.com/${name}:${version}`;
  csv.spec.install.spec.clusterPermissions[0].serviceAccountName = name;
  csv.spec.install.spec.clusterPermissions[0].rules[0].apiGroups = [group];
  addObject(bundle, 'rbac.authorization.k8s.io/v1', 'ClusterRole', { name: `${name}-viewer` });
  annotations['operators.operatorframework.io.bundle.package.v1'] = name;
  return bundle;
}
