import { describe, expect, test } from 'vitest';
import type { EtcdBackup } from '../../src/api/etcd/v1beta2/etcd-backup.ts';
import type { EtcdRestore } from '../../src/api/etcd/v1beta2/etcd-restore.ts';
import { readArguments } from '../../src/backup/arguments.ts';
import { restoreSourceOf } from '../../src/backup/restore-source-of.ts';
import { restoreSpecOf } from '../../src/backup/restore-spec-of.ts';
import type { SeedMember } from '../../src/etcd/restore-source.ts';

const sha256 = 'a'.repeat(64);
const restore: EtcdRestore = {
  apiVersion: 'etcd.database.coreos.com/v1beta2',
  kind: 'EtcdRestore',
  metadata: { name: 'restore', namespace: 'default', uid: 'uid-1' },
  spec: {
    etcdCluster: { name: 'example' },
    backupStorageType: 'GCS',
    gcs: { path: 'backups/etcd', gcpSecret: 'gcp' },
  },
  status: { phase: 'Restoring', sha256 },
};
const seed: SeedMember = {
  name: 'example-abcde',
  peerURL: 'http://example-abcde.example.default.svc:2380',
  token: 'uid-1',
  dataDir: '/var/etcd/data',
  volume: { name: 'data', mountPath: '/var/etcd' },
  image: 'quay.io/coreos/etcd:v3.6.8',
  version: '3.6.8',
};

describe('the source of a restore', () => {
  test('fetches what was checked, has etcd make data of it, and puts that in its place', () => {
    const source = restoreSourceOf(restore, 'operator:1');
    expect(source.restore).toEqual({ name: 'restore', uid: 'uid-1' });
    expect(source.volumes).toEqual([{ name: 'restore-storage', secret: { secretName: 'gcp' } }]);
    const [fetch, make, place] = source.initContainers(seed);
    expect(fetch).toMatchObject({ name: 'fetch-snapshot', image: 'operator:1' });
    expect(fetch?.volumeMounts?.map(({ name }) => name)).toEqual(['data', 'restore-storage']);
    const file = '/var/etcd/restore/snapshot.db';
    const dataDir = '/var/etcd/data';
    const [, ...fetchArgs] = fetch?.args ?? [];
    expect(readArguments(fetchArgs)).toMatchObject({
      verb: 'fetch',
      sha256,
      file,
      dataDir,
      storage: { type: 'GCS' },
    });
    expect(make).toMatchObject({
      name: 'restore-snapshot',
      image: 'quay.io/coreos/etcd:v3.6.8',
      command: [
        'etcdutl',
        'snapshot',
        'restore',
        file,
        '--name=example-abcde',
        '--initial-cluster=example-abcde=http://example-abcde.example.default.svc:2380',
        '--initial-cluster-token=uid-1',
        '--initial-advertise-peer-urls=http://example-abcde.example.default.svc:2380',
        '--data-dir=/var/etcd/data.restoring',
        '--skip-hash-check=true',
      ],
    });
    const [, ...placeArgs] = place?.args ?? [];
    expect(readArguments(placeArgs)).toMatchObject({ verb: 'place', file, dataDir });
  });

  test('uses etcdctl for etcd 3.4, which has no etcdutl', () => {
    const [, make] = restoreSourceOf(restore, 'operator:1').initContainers({ ...seed, version: '3.4.23' });
    expect(make).toMatchObject({ env: [{ name: 'ETCDCTL_API', value: '3' }] });
    expect(make?.command?.[0]).toBe('etcdctl');
  });

  test('runs in namespaces that enforce the restricted profile', () => {
    for (const { name, securityContext } of restoreSourceOf(restore, 'operator:1').initContainers(seed))
      expect(securityContext, name).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
  });

  test('needs the operator’s image', () => {
    expect(() => restoreSourceOf(restore)).toThrow('RELATED_IMAGE_OPERATOR is not set');
  });
});

describe('the newest backup', () => {
  const backup: EtcdBackup = {
    apiVersion: 'etcd.database.coreos.com/v1beta2',
    kind: 'EtcdBackup',
    metadata: { name: 'nightly' },
    spec: {
      etcdEndpoints: ['http://example-client:2379'],
      storageType: 'S3',
      s3: { path: 'backups/etcd', awsSecret: 'aws', endpoint: 'http://minio:9000' },
    },
  };

  test('is what is restored, with its checksum', () => {
    const kept = (path: string) => ({
      path,
      revision: 1,
      sha256,
      sizeBytes: 1,
      time: '2026-01-31T03:00:00Z',
    });
    const status = { backups: [kept('backups/etcd_v2'), kept('backups/etcd_v1')] };
    expect(restoreSpecOf({ ...backup, status })).toEqual({
      backupStorageType: 'S3',
      sha256,
      s3: { path: 'backups/etcd_v2', awsSecret: 'aws', endpoint: 'http://minio:9000' },
    });
  });

  test('is none before the first one', () => {
    expect(restoreSpecOf(backup)).toBeUndefined();
  });
});
