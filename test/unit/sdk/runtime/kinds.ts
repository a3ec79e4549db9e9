import { externalResource, type KubeObject, type NamedObjectMeta } from '../../../../src/sdk/api/index.ts';

export interface ConfigMap extends KubeObject<'v1', 'ConfigMap'> {
  data?: Record<string, string>;
}

export interface Site extends KubeObject<'web.example.com/v1', 'Site'> {
  spec: { replicas: number };
}

/** What the server adds to every object. */
interface Identified {
  metadata: { uid: string; resourceVersion: string };
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

export function configMap(name: string, metadata: Partial<NamedObjectMeta> = {}): ConfigMap & Identified {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', ...identity(name, metadata) },
  };
}

export function site(name: string, metadata: Partial<NamedObjectMeta> = {}): Site & Identified {
  return {
    apiVersion: 'web.example.com/v1',
    kind: 'Site',
    metadata: {
      name,
      namespace: 'default',
      generation: 1,
      ...identity(name, metadata),
    },
    spec: { replicas: 1 },
  };
}

function identity<T extends Partial<NamedObjectMeta>>(
  name: string,
  metadata: T,
): T & { uid: string; resourceVersion: string } {
  return {
    ...metadata,
    uid: metadata.uid ?? `uid-${name}`,
    resourceVersion: metadata.resourceVersion ?? '1',
  };
}
