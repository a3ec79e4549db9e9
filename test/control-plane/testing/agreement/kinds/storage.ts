import { casesOfKinds, labels } from './requests.ts';
const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

export const storageKinds = casesOfKinds({
  PersistentVolumeClaim: [
    {
      path: '/api/v1/namespaces/$NS/persistentvolumeclaims',
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      valid: { spec: claimSpec },
    },
    (r) => ({
      'no modes': [r.create(r.spec({ accessModes: [] }))],
      'an unknown mode': [r.create(r.spec({ accessModes: ['Any'] }))],
      'modes that exclude each other': [
        r.create(r.spec({ accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] })),
      ],
      'no size': [r.create(r.spec({ resources: {} }))],
      'a size of 0': [r.create(r.spec({ resources: { requests: { storage: '0' } } }))],
      'another form of a size': [r.create(r.spec({ resources: { requests: { storage: '1024Mi' } } }))],
      'a class': [
        r.create(r.spec({ storageClassName: 'fast' })),
        r.merge({ spec: { storageClassName: 'slow' } }),
      ],
      'an empty class': [r.create(r.spec({ storageClassName: '' }))],
      'an invalid class': [r.create(r.spec({ storageClassName: 'A_B' }))],
      'a class later': [r.create(), r.merge({ spec: { storageClassName: 'slow' } })],
      Block: [r.create(r.spec({ volumeMode: 'Block' })), r.merge({ spec: { volumeMode: 'Filesystem' } })],
      'an unknown volumeMode': [r.create(r.spec({ volumeMode: 'Tape' }))],
      'more before it is bound': [
        r.create(),
        r.merge({ spec: { resources: { requests: { storage: '2Gi' } } } }),
      ],
      'more when it is bound': [
        r.create(),
        r.status({ phase: 'Bound', capacity: { storage: '1Gi' } }),
        r.merge({ spec: { resources: { requests: { storage: '2Gi' } } } }),
        r.get,
      ],
      'less when it is bound': [
        r.create(),
        r.status({ phase: 'Bound', capacity: { storage: '1Gi' } }),
        r.merge({ spec: { resources: { requests: { storage: '512Mi' } } } }),
      ],
      'a volume': [
        r.create(),
        r.merge({ spec: { volumeName: 'v' } }),
        r.merge({ spec: { volumeName: 'w' } }),
      ],
      'other modes': [r.create(), r.merge({ spec: { accessModes: ['ReadWriteMany'] } })],
      'a source': [r.create(r.spec({ dataSource: { kind: 'PersistentVolumeClaim', name: 'x' } }))],
      'a source of a snapshot': [
        r.create(
          r.spec({
            dataSourceRef: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'x' },
          }),
        ),
      ],
      'a selector': [r.create(r.spec({ selector: { matchLabels: labels } }))],
      'a status': [
        r.create(),
        r.status({ phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1024Mi' } }),
      ],
      'a status by apply': [r.create(), r.statusApply({ phase: 'Bound' })],
    }),
  ],
  PersistentVolume: [
    {
      path: '/api/v1/persistentvolumes',
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      valid: {
        spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
      },
    },
    (r) => ({
      'no capacity': [r.create(r.spec({ capacity: undefined }))],
      'no modes': [r.create(r.spec({ accessModes: undefined }))],
      'an unknown mode': [r.create(r.spec({ accessModes: ['Any'] }))],
      'no source': [r.create(r.spec({ hostPath: undefined }))],
      'two sources': [r.create(r.spec({ nfs: { server: 's', path: '/x' } }))],
      CSI: [r.create(r.spec({ hostPath: undefined, csi: { driver: 'd.example.com', volumeHandle: 'h' } }))],
      'CSI of nothing': [r.create(r.spec({ hostPath: undefined, csi: {} }))],
      'a policy': [
        r.create(r.spec({ persistentVolumeReclaimPolicy: 'Delete' })),
        r.merge({ spec: { persistentVolumeReclaimPolicy: 'Any' } }),
      ],
      'another source': [r.create(), r.merge({ spec: { hostPath: { path: '/y' } } })],
      'a claim': [r.create(), r.merge({ spec: { claimRef: { name: 'c', namespace: 'n' } } })],
      'more capacity': [r.create(), r.merge({ spec: { capacity: { storage: '2048Mi' } } })],
      'a negative capacity': [r.create(r.spec({ capacity: { storage: '-1' } }))],
      'another volumeMode': [r.create(), r.merge({ spec: { volumeMode: 'Block' } })],
      'a status': [r.create(), r.status({ phase: 'Bound' })],
    }),
  ],
  StorageClass: [
    {
      path: '/apis/storage.k8s.io/v1/storageclasses',
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      valid: { provisioner: 'p.example.com', parameters: { a: 'b' } },
    },
    (r) => ({
      'no provisioner': [r.create(r.object({ provisioner: undefined }))],
      'an invalid provisioner': [r.create(r.object({ provisioner: 'a b' }))],
      'a policy': [
        r.create(r.object({ reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer' })),
      ],
      'an unknown policy': [r.create(r.object({ reclaimPolicy: 'Any' }))],
      'an unknown binding': [r.create(r.object({ volumeBindingMode: 'Any' }))],
      'another provisioner': [r.create(), r.merge({ provisioner: 'q.example.com' })],
      'other parameters': [r.create(), r.merge({ parameters: { a: 'c' } })],
      'another policy': [r.create(), r.merge({ reclaimPolicy: 'Retain' })],
      expandable: [r.create(), r.merge({ allowVolumeExpansion: true })],
      'mount options': [r.create(r.object({ mountOptions: ['ro'], allowVolumeExpansion: false }))],
    }),
  ],
});
