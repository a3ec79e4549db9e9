// A real etcd of three members goes back to a backup in a real object store. The first run builds etcd and the store with Go.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProgramsUnavailable } from '../../../../scripts/lib/go-programs.mjs';
import { ensureEtcd } from '../../../../scripts/lib/test-programs.mjs';
import { EtcdBackup } from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-backup.ts';
import { EtcdCluster } from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-cluster.ts';
import { EtcdRestore } from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-restore.ts';
import { createEtcdBackupController } from '../../../../examples/etcd-operator/src/controllers/etcd/etcd-backup.ts';
import { createEtcdClusterController } from '../../../../examples/etcd-operator/src/controllers/etcd/etcd-cluster.ts';
import { createEtcdRestoreController } from '../../../../examples/etcd-operator/src/controllers/etcd/etcd-restore.ts';
import { Secret } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { startS3, type S3Server } from '../../../helpers/object-stores.ts';
import { repositoryRoot } from '../../../helpers/source-files.ts';
import { startDrill, type Drill } from '../start-drill.ts';
import { read, write } from './keys.ts';
import { bundleExample, type OperatorProgram } from './operator-program.ts';

const project = join(repositoryRoot, 'examples/etcd-operator');
const key = (name: string) => ({ name, namespace: 'default' });
const image = 'registry.example.com/etcd-operator:v1';
const client = 'example-client.default.svc:2379';
const slow = { timeout: 110_000 };

const started = await Promise.all([ensureEtcd('3.6.8'), startS3('backups')]).catch((error: unknown) => {
  if (error instanceof ProgramsUnavailable) return error;
  throw error;
});

describe.skipIf(started instanceof ProgramsUnavailable)('a cluster and its backup', () => {
  const [etcd, store] = started as [string, S3Server];
  let drill: Drill;
  let program: OperatorProgram;
  const formerImage = process.env['RELATED_IMAGE_OPERATOR'];

  beforeAll(async () => {
    process.env['RELATED_IMAGE_OPERATOR'] = image;
    program = await bundleExample('etcd-operator');
    drill = await startDrill({
      operator: { project },
      runProcesses: {
        // The image has etcd and etcdutl.
        etcd: ({ command: [name = '', ...rest] }) => ({ file: join(etcd, name), args: rest }),
        'etcd-operator': ({ args }) => ({ file: process.execPath, args: [program.main, ...args] }),
      },
      controllers: (workloads) => [
        createEtcdClusterController({ addressOf: (name) => workloads.resolve(name) }),
        createEtcdBackupController({ image: () => image }),
        createEtcdRestoreController({ image: () => image }),
      ],
    });
    const { accessKeyId, secretAccessKey } = store;
    const credentials = `[default]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`;
    await drill.client.create(Secret, { metadata: key('aws'), stringData: { credentials } });
    await drill.client.create(EtcdCluster, { metadata: key('example'), spec: { size: 3 } });
    await untilReady();
  }, 240_000);
  afterAll(async () => {
    if (formerImage === undefined) delete process.env['RELATED_IMAGE_OPERATOR'];
    else process.env['RELATED_IMAGE_OPERATOR'] = formerImage;
    await drill?.end();
    await program?.remove();
    await store?.[Symbol.asyncDispose]();
  });

  const untilReady = (): Promise<void> =>
    eventually(async () => {
      const { status } = await drill.client.get(EtcdCluster, key('example'));
      expect(status).toMatchObject({ phase: 'Running', reason: 'Ready', size: 3 });
    }, slow);

  test('that is restored has what it had then, and nothing of later', { timeout: 400_000 }, async () => {
    const place = { s3: { path: 'backups/one', awsSecret: 'aws', endpoint: store.endpoint } };
    await write(client, 'kept');
    await drill.client.create(EtcdBackup, {
      metadata: key('one'),
      spec: { etcdEndpoints: [`http://${client}`], storageType: 'S3', ...place },
    });
    await eventually(async () => {
      const { status } = await drill.client.get(EtcdBackup, key('one'));
      expect(status).toMatchObject({ phase: 'Succeeded' });
    }, slow);
    await write(client, 'later');
    await drill.client.create(EtcdRestore, {
      metadata: key('back'),
      spec: { etcdCluster: { name: 'example' }, backupStorageType: 'S3', ...place },
    });
    await eventually(async () => {
      const { status } = await drill.client.get(EtcdRestore, key('back'));
      expect(status).toMatchObject({ phase: 'Succeeded' });
    }, slow);
    await untilReady();
    expect(await read(client, 'kept')).toBe('kept');
    expect(await read(client, 'later')).toBeUndefined();
  });
});
