import { resourceToken, type KubeObject, type NamedObjectMeta } from '../../../src/api/index.ts';

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

export interface Site extends KubeObject {
  spec: { replicas: number };
}

export const ConfigMap = resourceToken<ConfigMap>('', 'v1', 'ConfigMap', 'configmaps', true);
export const Namespace = resourceToken('', 'v1', 'Namespace', 'namespaces', false);
export const Site = resourceToken<Site>('web.example.com', 'v1', 'Site', 'sites', true);

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
