import { listOf as items, objectOf, type JsonObject } from '../../../src/kubernetes/objects/index.ts';
import type { Random } from '../random.ts';
import type { TypeRule } from './generate.ts';
import { listOf, objectName, one, text } from './values.ts';
import { removedSources, volumeSources } from './rules-of-volumes.ts';

const driver = one('csi.example.com', 'disk.csi.x.io');

/** Kinds of storage, and the sources of persistent volumes. */
export const storageRules: Readonly<Record<string, TypeRule>> = {
  PersistentVolumeClaimSpec: {
    always: ['accessModes', 'resources'],
    fields: {
      accessModes: one(['ReadWriteOnce'], ['ReadWriteOncePod'], ['ReadOnlyMany', 'ReadWriteMany']),
      storageClassName: objectName,
      volumeAttributesClassName: objectName,
      volumeName: objectName,
      dataSource: one({ kind: 'PersistentVolumeClaim', name: 'a' }),
      dataSourceRef: one(
        { kind: 'PersistentVolumeClaim', name: 'a' },
        { apiGroup: 'example.com', kind: 'X', name: 'a' },
      ),
    },
    tidy: (claim) => {
      if (claim['dataSource'] !== undefined) delete claim['dataSourceRef'];
    },
  },
  VolumeResourceRequirements: {
    always: ['requests'],
    fields: { requests: one({ storage: '1Gi' }, { storage: '500M' }), limits: one({ storage: '2Gi' }) },
  },
  PersistentVolumeSpec: {
    always: ['accessModes', 'capacity'],
    // The test API checks little of the fields of plug-ins that Kubernetes has removed.
    without: removedSources,
    oneOf: [volumeSources.persistent],
    fields: {
      accessModes: one(['ReadWriteOnce'], ['ReadWriteOncePod'], ['ReadOnlyMany', 'ReadWriteMany']),
      capacity: one({ storage: '1Gi' }, { storage: '1.5G' }),
      persistentVolumeReclaimPolicy: one('Delete', 'Retain'),
      storageClassName: objectName,
      volumeAttributesClassName: objectName,
    },
    tidy: (spec) => {
      if (spec['local'] !== undefined)
        spec['nodeAffinity'] ??= { required: { nodeSelectorTerms: [hostTerm] } };
    },
  },
  VolumeNodeAffinity: { always: ['required'] },
  CSIPersistentVolumeSource: { fields: { driver, volumeHandle: text } },
  StorageClass: {
    density: 0.5,
    fields: {
      provisioner: one('example.com/x', 'kubernetes.io/no-provisioner'),
      reclaimPolicy: one('Delete', 'Retain'),
    },
  },
  TopologySelectorTerm: { always: ['matchLabelExpressions'], tidy: distinctKeys },
  TopologySelectorLabelRequirement: {
    fields: { key: one('topology.kubernetes.io/zone', 'a'), values: listOf(text) },
  },
};

const hostTerm = { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['a'] }] };

function distinctKeys(term: JsonObject, _random: Random): void {
  for (const [index, each] of items(term['matchLabelExpressions']).entries())
    objectOf(each)['key'] = `k${index}`;
}
