// The operator has the rights that its role grants, and needs all of them. The first run builds etcd with Go.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProgramsUnavailable } from '../../../../scripts/lib/go-programs.mjs';
import { ensureEtcd, orUnavailable } from '../../../../scripts/lib/test-programs.mjs';
import { EtcdBackup } from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-backup.ts';
import {
  EtcdCluster,
  type EtcdClusterSpec,
} from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-cluster.ts';
import { EtcdRestore } from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-restore.ts';
import { Job } from '../../../../src/sdk/k8s/generated/batch/v1.ts';
import { PersistentVolumeClaim, Pod, Secret } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { repositoryRoot } from '../../../helpers/source-files.ts';
import { runManager, type RunningManager } from '../../sdk/runtime/running-manager.ts';
import { bundleExample, type OperatorProgram } from '../operator-program.ts';
import { startDrill, type Drill } from '../start-drill.ts';
import { client as clientAddress, etcdControllers, image, key, slow } from './backup-drill.ts';

const etcd = await orUnavailable(ensureEtcd('3.6.8'));

describe.skipIf(etcd instanceof ProgramsUnavailable)('the role of the etcd operator', () => {
  let drill: Drill;
  let program: OperatorProgram;
  let other: RunningManager | undefined;
  const formerImage = process.env['RELATED_IMAGE_OPERATOR'];
  beforeAll(async () => {
    if (etcd instanceof ProgramsUnavailable) return;
    process.env['RELATED_IMAGE_OPERATOR'] = image;
    program = await bundleExample('etcd-operator');
    drill = await startDrill({
      operator: { project: join(repositoryRoot, 'examples/etcd-operator') },
      runProcesses: {
        etcd: ({ command: [name = '', ...rest] }) => ({ file: join(etcd, name), args: rest }),
        'etcd-operator': ({ args }) => ({ file: process.execPath, args: [program.main, ...args] }),
      },
      controllers: etcdControllers,
    });
  }, 240_000);
  afterAll(async () => {
    if (formerImage === undefined) delete process.env['RELATED_IMAGE_OPERATOR'];
    else process.env['RELATED_IMAGE_OPERATOR'] = formerImage;
    await other?.stop();
    await drill?.end();
    await program?.remove();
  });

  const change = (spec: EtcdClusterSpec): Promise<unknown> =>
    drill.client.patch(EtcdCluster, key('example'), { type: 'merge', body: { spec } });
  const pods = async (selector: string): Promise<readonly Pod[]> =>
    (await drill.client.list(Pod, { namespace: 'default', labelSelector: selector })).items;
  const members = () => pods('etcd_cluster=example');
  const untilReady = (size: number): Promise<void> =>
    eventually(async () => {
      const { status } = await drill.client.get(EtcdCluster, key('example'));
      expect(status, JSON.stringify(status?.conditions)).toMatchObject({ reason: 'Ready', size });
      expect(await members()).toHaveLength(size);
    }, slow);
  const untilBackup = (): Promise<void> =>
    eventually(async () => {
      const { status } = await drill.client.get(EtcdBackup, key('once'));
      expect(status, JSON.stringify(status)).toMatchObject({ phase: 'Succeeded' });
    }, slow);

  test('grants what the life of a cluster needs, and no more', { timeout: 600_000 }, async () => {
    const { client, rights } = drill;
    const storage = { size: '1Gi' };
    const recovery = { backup: 'once' };
    await client.create(EtcdCluster, { metadata: key('example'), spec: { storage, recovery } });
    // One that need not become ready: members of processes are addressed by numbers, for which no certificate is.
    await client.create(EtcdCluster, { metadata: key('secure'), spec: { size: 1, TLS: { selfSigned: {} } } });
    await untilReady(3);
    await eventually(
      async () => expect(await client.find(Secret, key('secure-client-tls'))).toBeDefined(),
      slow,
    );
    await client.delete(EtcdCluster, key('secure'));
    const before = (await members()).map(({ metadata }) => metadata.uid);
    await change({ pod: { annotations: { round: '2' } } });
    await eventually(async () => {
      for (const { metadata } of await members()) expect(before).not.toContain(metadata.uid);
    }, slow);
    await untilReady(3);
    await change({ paused: true });
    await eventually(async () => {
      const { status } = await client.get(EtcdCluster, key('example'));
      expect(status?.controlPaused).toBe(true);
    }, slow);
    await change({ paused: false, size: 1 });
    await untilReady(1);

    // The outcome of a backup is lost while no operator runs, and it is made again.
    await client.create(PersistentVolumeClaim, {
      metadata: key('backups'),
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    // So that the Job does not end before the operator does.
    for (const node of drill.plane.workloads.nodes) await node.cordon();
    await client.create(EtcdBackup, {
      metadata: key('once'),
      spec: {
        etcdEndpoints: [`http://${clientAddress}`],
        storageType: 'PVC',
        pvc: { claimName: 'backups', path: 'etcd.backup' },
      },
    });
    const jobs = async () => (await client.list(Job, { namespace: 'default' })).items;
    await eventually(async () => expect(await jobs()).toHaveLength(1), slow);
    await drill.operator.stop();
    for (const node of drill.plane.workloads.nodes) await node.uncordon();
    await eventually(async () => {
      const [job] = await jobs();
      expect(job?.status?.conditions?.map(({ type }) => type)).toContain('Complete');
    }, slow);
    for (const { metadata } of await pods('batch.kubernetes.io/job-name'))
      await client.delete(Pod, metadata, { gracePeriodSeconds: 0 });
    const kubeconfig = rights?.kubeconfig ?? '';
    other = await runManager({ kubeconfig }, ...etcdControllers(drill.plane.workloads));
    await untilBackup();

    // All data is lost, and the operator asks for a restore.
    for (const { metadata } of await members()) {
      const claim = key(`data-${metadata.name}`);
      await client.delete(PersistentVolumeClaim, claim);
      await client.delete(Pod, metadata, { gracePeriodSeconds: 0 });
    }
    await eventually(async () => {
      const { status } = await client.get(EtcdRestore, key('example-recovery-1'));
      expect(status, JSON.stringify(status)).toMatchObject({ phase: 'Succeeded' });
    }, slow);

    expect(await rights?.judge()).toMatchObject({ forbidden: [], unused: [], openEnded: [] });
  });
});
