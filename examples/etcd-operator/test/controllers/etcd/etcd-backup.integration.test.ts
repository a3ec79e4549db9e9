// The controller on a real API server, with nodes whose containers only pretend to run.
import { join } from 'node:path';
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { Job } from 'opsdk/k8s/batch/v1';
import { Secret } from 'opsdk/k8s/core/v1';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EtcdBackup } from '../../../src/api/etcd/v1beta2/etcd-backup.ts';
import { createEtcdBackupController } from '../../../src/controllers/etcd/etcd-backup.ts';

expect.extend(kubernetesMatchers);

const key = { name: 'etcdbackup-sample', namespace: 'default' };
const stop = new AbortController();
let controlPlane: ControlPlane | undefined;
/** The administrator, who does what users of the operator do. */
let client: ClusterClient;
let running: Promise<void> | undefined;

// The first start downloads or builds the control plane.
beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: [join(import.meta.dirname, '../../../config/crd/bases')] });
  client = createClusterClient({
    cluster: await loadCluster({ kubeconfig: controlPlane.kubeconfig }),
    fieldManager: 'test',
  });
  // Under `op-sdk rbac audit` the operator has the rights of its own role here.
  const kubeconfig = controlPlane.operatorKubeconfig;
  const manager = await createManager({ name: 'etcd-operator', kubeconfig, health: '0', logLevel: 'error' });
  manager.add(createEtcdBackupController({ image: () => 'registry.example.com/etcd-operator:v1' }));
  running = manager.run({ signal: stop.signal });
}, 900_000);

afterAll(async () => {
  stop.abort();
  await running;
  await client?.close();
  await controlPlane?.stop();
});

it('creates a Job that the API server accepts', async () => {
  await client.create(Secret, { metadata: { ...key, name: 'aws' } });
  await client.create(EtcdBackup, {
    metadata: key,
    spec: {
      etcdEndpoints: ['http://example-client:2379'],
      storageType: 'S3',
      s3: { path: 'backups/etcd', awsSecret: 'aws' },
      backupPolicy: { schedule: '*/5 * * * *', maxBackups: 3 },
    },
  });
  await eventually(async () => {
    expect(await client.get(EtcdBackup, key)).toHaveCondition('Progressing', 'False', { reason: 'Idle' });
  });
  // A single backup is due at once.
  const single = { ...key, name: 'single' };
  await client.create(EtcdBackup, {
    metadata: single,
    spec: {
      etcdEndpoints: ['http://example-client:2379'],
      storageType: 'S3',
      s3: { path: 'backups/etcd', awsSecret: 'aws' },
    },
  });
  await eventually(async () => {
    const { items } = await client.list(Job, { namespace: 'default' });
    expect(items).toHaveLength(1);
    expect(items[0]).toBeOwnedBy(await client.get(EtcdBackup, single));
  });
});
