// Backups of a real etcd in a real object store, by the program of the operator's image. The first run builds etcd and the store with Go.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProgramsUnavailable } from '../../../../scripts/lib/go-programs.mjs';
import { EtcdBackup } from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-backup.ts';
import { EtcdCluster } from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-cluster.ts';
import { EtcdRestore } from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-restore.ts';
import { restoreSourceOf } from '../../../../examples/etcd-operator/src/backup/restore-source-of.ts';
import {
  restoreNameAnnotation,
  restoreUidAnnotation,
} from '../../../../examples/etcd-operator/src/etcd/restore-source.ts';
import { Job } from '../../../../src/sdk/k8s/generated/batch/v1.ts';
import { PersistentVolumeClaim, Pod, Secret, Service } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { startGcs } from '../../../helpers/object-stores.ts';
import { runManager, type RunningManager } from '../../sdk/runtime/running-manager.ts';
import type { Drill } from '../start-drill.ts';
import {
  BackupDrill,
  client,
  etcdControllers,
  image,
  key,
  obtainBackupPrograms,
  slow,
} from './backup-drill.ts';
import { read, write } from './keys.ts';

const programs = await obtainBackupPrograms();

describe.skipIf(programs instanceof ProgramsUnavailable)('backups of etcd', () => {
  let backups: BackupDrill;
  let drill: Drill;
  const others: RunningManager[] = [];

  beforeAll(async () => {
    if (programs instanceof ProgramsUnavailable) return;
    backups = await BackupDrill.start(...programs, 1);
    ({ drill } = backups);
    await write(client, 'kept');
  });
  afterAll(async () => {
    for (const other of others) await other.stop();
    await backups?.[Symbol.asyncDispose]();
  });

  const clusterReady = async (): Promise<boolean> =>
    (await drill.client.get(EtcdCluster, key('example'))).status?.phase === 'Running';
  const etcdEndpoints = [`http://${client}`];
  const s3 = (path: string, awsSecret?: string) => backups.s3(path, awsSecret);
  const untilOver = async (name: string): Promise<EtcdBackup> => {
    let found: EtcdBackup | undefined;
    await eventually(async () => {
      found = await drill.client.get(EtcdBackup, key(name));
      expect(['Succeeded', 'Failed']).toContain(found.status?.phase);
    }, slow);
    if (found === undefined) throw new Error(`expected EtcdBackup ${name}`);
    return found;
  };

  test('AS13 (S3): they are made by a Job, in a store that checks signatures', async () => {
    await drill.client.create(EtcdBackup, {
      metadata: key('s3'),
      spec: { etcdEndpoints, storageType: 'S3', s3: s3('backups/team-a/etcd+1.backup') },
    });
    const { status } = await untilOver('s3');
    expect(status).toMatchObject({
      phase: 'Succeeded',
      succeeded: true,
      etcdVersion: '3.6.8',
      etcdRevision: 2,
    });
    expect(status?.backups).toMatchObject([{ path: 'backups/team-a/etcd+1.backup', revision: 2 }]);
  });

  test('go on under another operator, and are made once', async () => {
    const names = ['killed-0', 'killed-1', 'killed-2'];
    for (const name of names)
      await drill.client.create(EtcdBackup, {
        metadata: key(name),
        spec: { etcdEndpoints, storageType: 'S3', s3: s3(`backups/${name}`) },
      });
    // Each operator ends as soon as one more Job is there, whatever it was about to do then.
    const jobs = async (): Promise<number> =>
      (await drill.client.list(Job, { namespace: 'default' })).items.filter(({ metadata }) =>
        metadata.name?.startsWith('killed-'),
      ).length;
    await eventually(async () => expect(await jobs()).toBeGreaterThan(0), slow);
    await drill.operator.stop();
    const started = await jobs();
    const next = await runManager(
      { kubeconfig: drill.plane.operatorKubeconfig },
      ...etcdControllers(drill.plane.workloads),
    );
    others.push(next);
    for (const name of names)
      expect((await untilOver(name)).status).toMatchObject({
        phase: 'Succeeded',
        backups: [{ path: `backups/${name}` }],
      });
    expect(started).toBeGreaterThan(0);
    expect(await jobs()).toBe(names.length);
  });

  test('are made in a volume', async () => {
    await drill.client.create(PersistentVolumeClaim, {
      metadata: key('backups'),
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    await drill.client.create(EtcdBackup, {
      metadata: key('pvc'),
      spec: { etcdEndpoints, storageType: 'PVC', pvc: { claimName: 'backups', path: 'team-a/etcd.backup' } },
    });
    expect((await untilOver('pvc')).status).toMatchObject({ phase: 'Succeeded', etcdRevision: 2 });
  });

  test('AS13: they say what the store answers', async () => {
    await drill.client.create(Secret, {
      metadata: key('wrong'),
      stringData: { AWS_ACCESS_KEY_ID: backups.store.accessKeyId, AWS_SECRET_ACCESS_KEY: 'another' },
    });
    await drill.client.create(EtcdBackup, {
      metadata: key('wrong'),
      spec: { etcdEndpoints, storageType: 'S3', s3: s3('backups/wrong', 'wrong') },
    });
    const { status } = await untilOver('wrong');
    expect(status).toMatchObject({ phase: 'Failed', reason: 'AccessDenied', succeeded: false });
    const message = status?.conditions?.find(({ type }) => type === 'Succeeded')?.message;
    expect(message).toContain(
      'put s3://backups/wrong: expected an answer of S3, got 403 SignatureDoesNotMatch',
    );
    expect(message).not.toContain('another');
  });

  test('are checked, and a member starts from one', async () => {
    const { status } = await untilOver('s3');
    const sha256 = status?.backups?.[0]?.sha256 ?? '';
    await drill.client.create(EtcdRestore, {
      metadata: key('restore'),
      spec: {
        etcdCluster: { name: 'example' },
        backupStorageType: 'S3',
        s3: s3('backups/team-a/etcd+1.backup'),
        sha256,
      },
    });
    const phase = async () => (await drill.client.get(EtcdRestore, key('restore'))).status?.phase;
    await eventually(async () => expect(await phase()).toBe('Restoring'), slow);
    // What the controller of EtcdCluster does with it, for a member of another name.
    await drill.client.create(Service, {
      metadata: key('restored'),
      spec: {
        clusterIP: 'None',
        selector: { app: 'restored' },
        publishNotReadyAddresses: true,
        ports: [{ port: 2379 }],
      },
    });
    const restore = await drill.client.get(EtcdRestore, key('restore'));
    const source = restoreSourceOf(restore, image);
    const host = 'restored-0.restored.default.svc';
    const seed = {
      name: 'restored-0',
      peerURL: `http://${drill.plane.workloads.resolve(host)}:2380`,
      token: source.restore.uid,
      dataDir: '/var/etcd/data',
      volume: { name: 'data', mountPath: '/var/etcd' },
      image: 'quay.io/coreos/etcd:v3.6.8',
      version: '3.6.8',
    };
    await drill.client.create(Pod, {
      metadata: {
        ...key('restored-0'),
        labels: { app: 'restored' },
        annotations: {
          [restoreNameAnnotation]: source.restore.name,
          [restoreUidAnnotation]: source.restore.uid,
        },
      },
      spec: {
        hostname: 'restored-0',
        subdomain: 'restored',
        restartPolicy: 'Never',
        initContainers: [...source.initContainers(seed)],
        containers: [
          {
            name: 'etcd',
            image: seed.image,
            command: [
              'etcd',
              `--name=${seed.name}`,
              `--data-dir=${seed.dataDir}`,
              '--listen-peer-urls=http://$(POD_IP):2380',
              '--listen-client-urls=http://$(POD_IP):2379',
              `--initial-advertise-peer-urls=${seed.peerURL}`,
              '--advertise-client-urls=http://$(POD_IP):2379',
              `--initial-cluster=${seed.name}=${seed.peerURL}`,
              `--initial-cluster-token=${seed.token}`,
              '--initial-cluster-state=new',
            ],
            env: [{ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
            ports: [{ name: 'client', containerPort: 2379 }],
            readinessProbe: { httpGet: { path: '/health', port: 'client' }, periodSeconds: 1 },
            volumeMounts: [seed.volume],
          },
        ],
        volumes: [{ name: 'data', emptyDir: {} }, ...source.volumes],
      },
    });
    await eventually(async () => expect(await phase()).toBe('Succeeded'), slow);
    expect(await read(`${host}:2379`, 'kept')).toBe('kept');
  });

  test('AS13 (GCS): they are made in Google Cloud Storage, and restored from there', async () => {
    await using store = await startGcs('gcsbucket');
    await drill.client.create(Secret, {
      metadata: key('gcp-secret'),
      stringData: { 'credentials.json': store.serviceAccount },
    });
    const gcs = { path: 'gcsbucket/etcd', gcpSecret: 'gcp-secret', endpoint: store.endpoint };
    await drill.client.create(EtcdBackup, {
      metadata: key('gcs'),
      spec: { etcdEndpoints, storageType: 'GCS', gcs },
    });
    const { status } = await untilOver('gcs');
    expect(status, JSON.stringify(status?.conditions)).toMatchObject({
      ...{ phase: 'Succeeded', backups: [{ path: 'gcsbucket/etcd' }] },
    });
    await write(client, 'later');
    await drill.client.create(EtcdRestore, {
      metadata: key('gcs'),
      spec: { etcdCluster: { name: 'example' }, backupStorageType: 'GCS', gcs },
    });
    await eventually(async () => {
      const found = await drill.client.get(EtcdRestore, key('gcs'));
      expect(found.status, JSON.stringify(found.status)).toMatchObject({ phase: 'Succeeded' });
    }, slow);
    await backups.untilReady(1);
    expect(await read(client, 'kept')).toBe('kept');
    expect(await read(client, 'later')).toBeUndefined();
  });

  test('that are damaged leave the cluster alone', async () => {
    await drill.client.create(EtcdRestore, {
      metadata: key('damaged'),
      spec: {
        etcdCluster: { name: 'example' },
        backupStorageType: 'S3',
        s3: s3('backups/team-a/etcd+1.backup'),
        sha256: 'f'.repeat(64),
      },
    });
    await eventually(async () => {
      const { status } = await drill.client.get(EtcdRestore, key('damaged'));
      expect(status).toMatchObject({ phase: 'Failed', reason: 'ChecksumMismatch' });
    }, slow);
    expect(await clusterReady()).toBe(true);
  });
});
