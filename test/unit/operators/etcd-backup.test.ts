// Backups of etcd by the manifests of a user, on an API server in memory. Real ones are in test/control-plane/drills/etcd.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  EtcdBackup,
  type EtcdBackupSpec,
} from '../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-backup.ts';
import { EtcdCluster } from '../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-cluster.ts';
import {
  EtcdRestore,
  type EtcdRestoreSpec,
} from '../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-restore.ts';
import { createEtcdBackupController } from '../../../examples/etcd-operator/src/controllers/etcd/etcd-backup.ts';
import { createEtcdRestoreController } from '../../../examples/etcd-operator/src/controllers/etcd/etcd-restore.ts';
import { JobStates } from '../../../examples/etcd-operator/test/controllers/etcd/job-states.ts';
import { Job } from '../../../src/sdk/k8s/generated/batch/v1.ts';
import { PersistentVolumeClaim, Pod, Secret } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { createTestApi, type TestApi } from '../../../src/testing/index.ts';
import { readManifestFile } from '../../helpers/manifest-file.ts';
import { repositoryRoot } from '../../helpers/source-files.ts';

const namespace = 'default';
const sha256 = 'a'.repeat(64);
const crds = [join(repositoryRoot, 'examples/etcd-operator/config/crd/bases')];
const image = (): string => 'registry.example.com/etcd-operator:v1';
/** Fills the placeholders of a manifest. */
const fill = (text: string): string =>
  text
    .replace('<full-s3-path>', 'mybucket/etcd.backup')
    .replace('<aws-secret>', 'aws')
    .replace('<etcd-cluster-endpoints>', '"http://example-etcd-cluster-client:2379"');
const file = (name: string): string => join(import.meta.dirname, 'manifests', name);

const forms = [
  {
    form: 'S3',
    secret: { name: 'aws', stringData: { credentials: '[default]', config: '' } },
    backup: readManifestFile<EtcdBackupSpec>(file('etcd-backup-s3.yaml'), fill),
    restore: readManifestFile<EtcdRestoreSpec>(file('etcd-restore-s3.yaml'), fill),
    endpoint: 'http://example-etcd-cluster-client:2379',
    path: 'mybucket/etcd.backup',
  },
  {
    form: 'GCS',
    secret: { name: 'gcp-secret', stringData: { 'credentials.json': '{}' } },
    backup: readManifestFile<EtcdBackupSpec>(file('etcd-backup-gcs.yaml')),
    restore: readManifestFile<EtcdRestoreSpec>(file('etcd-restore-gcs.yaml')),
    endpoint: 'https://etcd-cluster-client:2379',
    path: 'gcsbucket/etcd',
  },
];

describe.each(forms)('AS13: EtcdBackup and EtcdRestore with $form', ({ form, secret, ...given }) => {
  let api: TestApi;
  let jobs: JobStates;
  beforeEach(async () => {
    const kinds = [EtcdBackup, EtcdRestore, EtcdCluster, Job, Pod, Secret, PersistentVolumeClaim];
    api = await createTestApi({ kinds, crds });
    jobs = new JobStates(api);
    api.add(createEtcdBackupController({ image }));
    api.add(createEtcdRestoreController({ image }));
    await api.client.create(Secret, {
      metadata: { name: secret.name, namespace },
      stringData: secret.stringData,
    });
  });
  afterEach(() => api[Symbol.asyncDispose]());

  const { backup, restore, path, endpoint } = given;
  const placed = ({ metadata: { name } }: { readonly metadata: { readonly name: string } }) => ({
    ...{ name, namespace },
  });
  const createBackup = async (): Promise<string> => {
    await api.client.create(EtcdBackup, { metadata: placed(backup), spec: backup.spec });
    await api.settle();
    return jobs.onlyName();
  };
  const createRestore = async (): Promise<string> => {
    const name = restore.spec.etcdCluster.name;
    await api.client.create(EtcdCluster, { metadata: { name, namespace }, spec: {} });
    await api.client.create(EtcdRestore, { metadata: placed(restore), spec: restore.spec });
    await api.settle();
    return jobs.onlyName();
  };
  const podOf = async (job: string) =>
    (await api.client.get(Job, { name: job, namespace })).spec?.template.spec;

  test(`AS13 (${form}): a backup is made by a Job with the Secret`, async () => {
    const job = await createBackup();
    const pod = await podOf(job);
    expect(pod?.containers[0]?.args).toEqual(
      expect.arrayContaining(['save', `--storage=${form}`, `--path=${path}`, `--endpoint=${endpoint}`]),
    );
    expect(pod?.volumes).toContainEqual(
      expect.objectContaining({ secret: expect.objectContaining({ secretName: secret.name }) as unknown }),
    );
    await jobs.complete(job, { saved: { path, revision: 7, etcdVersion: '3.5.3', sizeBytes: 4096, sha256 } });
    expect((await api.client.get(EtcdBackup, placed(backup))).status).toMatchObject({
      ...{ phase: 'Succeeded', succeeded: true, etcdVersion: '3.5.3', etcdRevision: 7 },
      backups: [{ path, revision: 7 }],
    });
  });

  test(`AS13 (${form}): a restore checks the backup, and lets the cluster begin with it`, async () => {
    const job = await createRestore();
    expect((await podOf(job))?.containers[0]?.args).toEqual(
      expect.arrayContaining(['fetch', `--storage=${form}`, `--path=${path}`]),
    );
    await jobs.complete(job, { fetched: { path, sizeBytes: 4096, sha256 } });
    expect((await api.client.get(EtcdRestore, placed(restore))).status).toMatchObject({
      phase: 'Restoring',
    });
  });

  test(`AS13 (${form}): failures are in the status`, async () => {
    const message = `put ${path}: expected an answer of the store, got 403`;
    const job = await createBackup();
    await jobs.fail(job, { failed: { reason: 'AccessDenied', message } }, 'PodFailurePolicy');
    const { status } = await api.client.get(EtcdBackup, placed(backup));
    expect(status).toMatchObject({ phase: 'Failed', reason: 'AccessDenied', succeeded: false });
    expect(status?.conditions).toContainEqual(expect.objectContaining({ reason: 'AccessDenied', message }));

    await jobs.delete(job);
    await jobs.fail(await createRestore(), { failed: { reason: 'BackupNotFound', message } });
    const failed = await api.client.get(EtcdRestore, placed(restore));
    expect(failed.status).toMatchObject({ phase: 'Failed', reason: 'BackupNotFound', succeeded: false });
    expect(failed.status?.conditions).toContainEqual(expect.objectContaining({ message }));
  });
});
