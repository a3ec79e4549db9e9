import { externalResource, type KubeObject, type NamedObjectMeta } from '../../../src/api/index.ts';

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

export interface Site extends KubeObject {
  spec: { replicas: number };
}

export const ConfigMap = externalResource<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});
export const Namespace = externalResource({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
});
export const Site = externalResource<Site>({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Site',
  plural: 'sites',
  scope: 'Namespaced',
});

export function configMap(name: string, metadata: Partial<NamedObjectMeta> = {}): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '1', ...metadata },
  };
}

export function site(name: string, metadata: Partial<NamedObjectMeta> = {}): Site {
  return {
    apiVersion: 'web.example.com/v1',
    kind: 'Site',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: '1',
      generation: 1,
      ...metadata,
    },
    spec: { replicas: 1 },
  };
}
