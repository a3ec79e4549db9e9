import type { TypeRule } from './generate.ts';
import { listOf, objectName, one, text } from './values.ts';

const path = one('/a', '/a/b', '/x');

/** Sources of volumes, of Pods and persistent ones. */
export const volumeSources = {
  pods: [
    ...['configMap', 'secret', 'emptyDir', 'projected', 'persistentVolumeClaim', 'downwardAPI', 'hostPath'],
    ...['csi', 'ephemeral', 'image', 'nfs'],
  ],
  persistent: ['csi', 'csi', 'hostPath', 'nfs', 'local'],
};

/** Sources that Kubernetes serves, but whose plug-ins it has removed. */
export const removedSources = [
  ...['awsElasticBlockStore', 'azureDisk', 'azureFile', 'cephfs', 'cinder', 'fc', 'flexVolume', 'flocker'],
  ...['gcePersistentDisk', 'gitRepo', 'glusterfs', 'iscsi', 'photonPersistentDisk', 'portworxVolume'],
  ...['quobyte', 'rbd', 'scaleIO', 'storageos', 'vsphereVolume'],
];

export const volumeRules: Readonly<Record<string, TypeRule>> = {
  NFSVolumeSource: { fields: { path, server: one('nfs.example.com', '10.1.2.3') } },
  HostPathVolumeSource: { fields: { path } },
  LocalVolumeSource: { fields: { path } },
  SecretVolumeSource: {
    always: ['secretName'],
    fields: { secretName: objectName, defaultMode: one(420, 0, 511) },
  },
  ConfigMapVolumeSource: {
    always: ['name'],
    fields: { name: objectName, defaultMode: one(420, 256) },
  },
  ProjectedVolumeSource: {
    always: ['sources'],
    fields: { defaultMode: one(420, 256) },
  },
  DownwardAPIVolumeSource: { fields: { defaultMode: one(420, 256) } },
  KeyToPath: { fields: { path: one('a', 'b/c'), mode: one(420, 0) } },
  EmptyDirVolumeSource: { fields: { medium: one('', 'Memory') } },
  PersistentVolumeClaimVolumeSource: { fields: { claimName: objectName } },
  CSIVolumeSource: { fields: { driver: one('csi.example.com') } },
  EphemeralVolumeSource: { always: ['volumeClaimTemplate'] },
  ImageVolumeSource: { always: ['reference'], fields: { reference: one('nginx', 'nginx:1') } },
  VolumeProjection: {
    without: ['podCertificate', 'clusterTrustBundle'],
    oneOf: [['configMap', 'secret', 'downwardAPI', 'serviceAccountToken']],
  },
  ConfigMapProjection: { always: ['name'], fields: { name: objectName } },
  SecretProjection: { always: ['name'], fields: { name: objectName } },
  ServiceAccountTokenProjection: {
    fields: { expirationSeconds: one(600, 3600), path: one('token', 'a/b') },
  },
  DownwardAPIVolumeFile: {
    oneOf: [['fieldRef', 'resourceFieldRef']],
    fields: {
      path: one('a', 'b/c'),
      mode: one(420, 0),
      fieldRef: one(
        { fieldPath: 'metadata.name' },
        { fieldPath: "metadata.labels['app']" },
        { fieldPath: 'metadata.labels' },
      ),
      resourceFieldRef: one(
        { containerName: 'a', resource: 'limits.cpu' },
        { containerName: 'a', resource: 'requests.memory', divisor: '1Mi' },
      ),
    },
  },
  TypedLocalObjectReference: { fields: { apiGroup: one('example.com'), kind: one('X'), name: text } },
  TypedObjectReference: { without: ['namespace'] },
  Sysctl: {
    fields: { name: one('kernel.shm_rmid_forced', 'net.ipv4.tcp_syncookies'), value: one('1', '0') },
  },
  FileKeySelector: { fields: { path: one('a.env', 'a/b'), volumeName: one('v0') } },
};

export const hostNames = listOf(one('a', 'b.example.com'));
