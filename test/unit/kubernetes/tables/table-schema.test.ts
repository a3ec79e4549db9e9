import { describe, expect, it } from 'vitest';
import { tableNameOfKind, tableSchema } from '../../../../src/kubernetes/tables/index.ts';

describe('tableSchema', () => {
  it('keeps what merging and checking need: references, patch strategies, known values', () => {
    const spec = tableSchema('io.k8s.api.core.v1.PodSpec');
    expect(spec?.properties?.containers).toEqual({
      type: 'array',
      items: { $ref: 'io.k8s.api.core.v1.Container' },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    });
    expect(spec?.properties?.volumes?.['x-kubernetes-patch-strategy']).toBe('merge,retainKeys');
    expect(spec?.properties?.dnsPolicy?.knownValues).toContain('ClusterFirstWithHostNet');
  });

  it('gives undefined for what is not there', () => {
    expect(tableSchema('io.k8s.api.core.v1.Nothing')).toBeUndefined();
    expect(tableSchema('constructor')).toBeUndefined();
  });
});

describe('tableNameOfKind', () => {
  it('finds kinds by apiVersion and kind', () => {
    expect(tableNameOfKind('apps/v1', 'Deployment')).toBe('io.k8s.api.apps.v1.Deployment');
    expect(tableNameOfKind('v1', 'Service')).toBe('io.k8s.api.core.v1.Service');
    expect(tableNameOfKind('networking.k8s.io/v1', 'Ingress')).toBe('io.k8s.api.networking.v1.Ingress');
    expect(tableNameOfKind('apps/v2', 'Deployment')).toBeUndefined();
    expect(tableNameOfKind('example.com/v1', 'Memcached')).toBeUndefined();
  });

  it('knows the type of every kind', () => {
    for (const kind of ['Pod', 'Secret', 'ConfigMap', 'Namespace', 'Node', 'PersistentVolumeClaim']) {
      expect(tableSchema(tableNameOfKind('v1', kind) ?? ''), kind).toBeDefined();
    }
  });
});
