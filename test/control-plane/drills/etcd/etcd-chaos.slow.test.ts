// Kills of members, nodes, the operator and the API server, by a seed, while a client writes: `CHAOS_SEED=7 CHAOS_SECONDS=180`.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  EtcdCluster,
  type EtcdClusterSpec,
} from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-cluster.ts';
import { eventually, resolveAssets } from '../../../../src/testing/index.ts';
import { repositoryRoot } from '../../../helpers/source-files.ts';
import { ChaosOperator } from '../chaos/chaos-operator.ts';
import { chaosRun, chaosTimeout, healing } from '../chaos/chaos-run.ts';
import { describePods } from '../chaos/describe-pods.ts';
import { PodFaults } from '../chaos/pod-faults.ts';
import type { LanePlan } from '../chaos/schedule.ts';
import { bundleExample } from '../operator-program.ts';
import { startDrillCluster } from '../start-drill.ts';
import { expectHealthy, expectSameData } from './etcd-health.ts';
import { readAll, write } from './keys.ts';
import { costlyDeletions, deletionAudit, deletionsOf, QuorumWatch } from './quorum-watch.ts';

const key = { name: 'example', namespace: 'default' };
const labelSelector = `etcd_cluster=${key.name}`;
const size = 3;
/** Host and port of the Service for clients. */
const client = 'example-client.default.svc:2379';

const members: LanePlan = {
  name: 'members',
  gap: [1000, 6000],
  kinds: {
    'kill-process': { weight: 3 },
    'delete-pod': { weight: 2 },
    'force-delete-pod': { weight: 1 },
    'stop-node': { weight: 1, lasts: [2000, 10_000] },
  },
};

describe.skipIf(process.platform !== 'linux')('chaos in etcd', () => {
  test.each<{ readonly title: string; readonly spec: EtcdClusterSpec; readonly mayOverlap: boolean }>([
    { title: 'any members at any time', spec: { storage: { size: '1Gi' } }, mayOverlap: true },
    { title: 'one member without storage at a time', spec: {}, mayOverlap: false },
  ])('keeps acknowledged writes: $title', { timeout: chaosTimeout }, async ({ title, spec, mayOverlap }) => {
    const { folder: assets } = await resolveAssets();
    await using program = await bundleExample('etcd-operator');
    await using cluster = await startDrillCluster({
      operator: { project: join(repositoryRoot, 'examples/etcd-operator') },
      nodes: 3,
      audit: deletionAudit,
      runProcesses: { etcd: ({ command: [, ...args] }) => ({ file: join(assets, 'etcd'), args }) },
    });
    await using operator = await ChaosOperator.start(program, cluster);
    // The version of the control plane's own etcd.
    await cluster.client.create(EtcdCluster, { metadata: key, spec: { size, version: '3.7.0', ...spec } });
    const pods = new PodFaults(cluster, {
      namespace: key.namespace,
      labelSelector,
      ...(mayOverlap
        ? {}
        : { groupOf: () => 'members', expectHealthy: () => expectHealthy(cluster, key, size) }),
    });
    await using quorum = new QuorumWatch(cluster, key);
    const put = (name: string, value: string): Promise<void> => write(client, name, value);
    const verdict = await chaosRun({
      ...{ title, cluster, operator, pods },
      lane: { plan: members, mayOverlap },
      puts: [put, put, put, put],
      untilHealthy: () => eventually(() => expectHealthy(cluster, key, size), healing),
      describe: async () => {
        const { status } = await cluster.client.get(EtcdCluster, key);
        return `${JSON.stringify(status)}\n${await describePods(cluster, key.namespace, labelSelector)}`;
      },
      readAll: () => readAll(client, 'chaos-'),
    });
    expect(verdict).toMatchObject({ lost: [], wrong: [] });
    expect(verdict.acknowledged).toBeGreaterThan(0);
    await eventually(() => expectSameData(cluster, key), healing);
    expect(operator.exits).toBe(0);
    const { samples } = quorum;
    const events = await cluster.plane.readAuditEvents();
    // It creates Pods at least.
    expect(events.map(({ verb }) => verb)).toContain('create');
    const deletions = deletionsOf(events);
    console.log(
      `${title}: the operator has deleted ${deletions.length} Pods; ${samples.length} looks at the members`,
    );
    expect(costlyDeletions(samples, deletions)).toEqual([]);
  });
});
