// A real etcd loses most or all of its members with their data, and begins again with its latest backup. The first run builds the programs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProgramsUnavailable } from '../../../../scripts/lib/go-programs.mjs';
import { EtcdBackup } from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-backup.ts';
import {
  EtcdCluster,
  type RecoveryPolicy,
} from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-cluster.ts';
import { EtcdRestore } from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-restore.ts';
import { Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { get } from '../../sdk/runtime/running-manager.ts';
import type { Drill } from '../start-drill.ts';
import { BackupDrill, client, key, obtainBackupPrograms, slow } from './backup-drill.ts';
import { podsOf } from './etcd-health.ts';
import { callEtcd, read, write } from './keys.ts';

const long = { timeout: 400_000 };
const programs = await obtainBackupPrograms();

describe.skipIf(programs instanceof ProgramsUnavailable)('a cluster without a quorum', () => {
  let started: BackupDrill;
  let drill: Drill;
  beforeAll(async () => {
    if (programs instanceof ProgramsUnavailable) return;
    started = await BackupDrill.start(...programs, 3);
    ({ drill } = started);
  }, 240_000);
  afterAll(() => started?.[Symbol.asyncDispose]());

  const pods = () => podsOf(drill, key('example'));
  const uidsOf = (all: readonly Pod[]): readonly unknown[] => all.map(({ metadata }) => metadata.uid);
  const restores = async () => (await drill.client.list(EtcdRestore, { namespace: 'default' })).items;
  const setRecovery = (recovery: RecoveryPolicy | null) =>
    drill.client.patch(EtcdCluster, key('example'), { type: 'merge', body: { spec: { recovery } } });
  const lose = async (lost: readonly Pod[]): Promise<void> => {
    for (const { metadata } of lost) await drill.client.delete(Pod, metadata, { gracePeriodSeconds: 0 });
  };
  const untilLost = (message: string): Promise<void> =>
    eventually(async () => {
      const { status } = await drill.client.get(EtcdCluster, key('example'));
      expect(status).toMatchObject({ phase: 'Failed', reason: 'QuorumLost', size: 3 });
      const available = status?.conditions?.find(({ type }) => type === 'Available');
      expect(available).toMatchObject({ status: 'False', reason: 'NoQuorum', message });
    }, slow);
  const reconciles = async (): Promise<number> => {
    const { text } = await get(drill.operator.ports.metrics, '/metrics');
    const counts = text.matchAll(
      /^controller_runtime_reconcile_total\{[^}]*controller="etcdcluster"[^}]*\} (\d+)$/gm,
    );
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  /** Lets the operator look at the cluster twice more, as it does when the labels of its object change. */
  const lookAgain = async (): Promise<void> => {
    const before = await reconciles();
    for (const looked of ['once', 'twice']) {
      const body = { metadata: { labels: { looked } } };
      await drill.client.patch(EtcdCluster, key('example'), { type: 'merge', body });
      const wanted = before + (looked === 'once' ? 1 : 2);
      await eventually(async () => expect(await reconciles()).toBeGreaterThanOrEqual(wanted), slow);
    }
  };

  test('is left alone, and restored from the latest backup where its spec says so', long, async () => {
    await write(client, 'kept');
    await drill.client.create(EtcdBackup, {
      metadata: key('periodic'),
      spec: {
        etcdEndpoints: [`http://${client}`],
        storageType: 'S3',
        s3: started.s3('backups/periodic'),
        backupPolicy: { backupIntervalInSecond: 60 },
      },
    });
    await eventually(async () => {
      const { status } = await drill.client.get(EtcdBackup, key('periodic'));
      expect(status?.backups).toHaveLength(1);
    }, slow);
    // The next one would have what is to be lost.
    await drill.client.patch(EtcdBackup, key('periodic'), {
      type: 'merge',
      body: { spec: { paused: true } },
    });
    await write(client, 'later');

    const [left, ...lost] = await pods();
    await lose(lost);
    await untilLost('2 of 3 members are lost with their data');
    await lookAgain();
    expect(uidsOf(await pods())).toEqual([left?.metadata.uid]);
    const { members = [] } = await callEtcd<{ readonly members?: readonly unknown[] }>(
      `${left?.status?.podIP}:2379`,
      'cluster/member/list',
      { linearizable: false },
    );
    expect(members).toHaveLength(3);
    expect(await restores()).toEqual([]);

    await setRecovery({ backup: 'periodic' });
    await started.untilReady(3);
    expect(uidsOf(await pods())).not.toContain(left?.metadata.uid);
    expect(await read(client, 'kept')).toBe('kept');
    expect(await read(client, 'later')).toBeUndefined();
    expect(await restores()).toMatchObject([
      { metadata: { name: 'example-recovery-1' }, status: { phase: 'Succeeded' } },
    ]);
  });

  test('does not begin as a new one when all Pods are gone, and is restored likewise', long, async () => {
    await setRecovery(null);
    await write(client, 'later still');
    await lose(await pods());
    await untilLost('3 of 3 members are lost with their data');
    await lookAgain();
    expect(await pods()).toEqual([]);

    await setRecovery({ backup: 'periodic' });
    await started.untilReady(3);
    expect(await read(client, 'kept')).toBe('kept');
    expect(await read(client, 'later still')).toBeUndefined();
    expect((await restores()).map(({ metadata, status }) => [metadata.name, status?.phase])).toEqual([
      ['example-recovery-1', 'Succeeded'],
      ['example-recovery-2', 'Succeeded'],
    ]);
  });
});
