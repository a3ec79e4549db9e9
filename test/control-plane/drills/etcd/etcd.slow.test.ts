import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  EtcdCluster,
  type EtcdClusterSpec,
} from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-cluster.ts';
import { createEtcdClusterController } from '../../../../examples/etcd-operator/src/controllers/etcd/etcd-cluster.ts';
import { Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually, resolveAssets, type TestNodes } from '../../../../src/testing/index.ts';
import { repositoryRoot } from '../../../helpers/source-files.ts';
import { isThorough } from '../../../helpers/thorough.ts';
import { runManager, type RunningManager } from '../../sdk/runtime/running-manager.ts';
import { startDrill, type Drill } from '../start-drill.ts';
import { read, write as writeKey } from './keys.ts';

const project = join(repositoryRoot, 'examples/etcd-operator');
const key = { name: 'example', namespace: 'default' };
const slow = { timeout: 100_000 };
/** Host and port of the Service for clients. */
const client = 'example-client.default.svc:2379';

const etcdController = (workloads: Pick<TestNodes, 'resolve'>) =>
  createEtcdClusterController({ addressOf: (name) => workloads.resolve(name) });

describe.skipIf(process.platform !== 'linux')('etcd, whose members are processes', () => {
  let drill: Drill;
  /** The operator after the first one. */
  let next: RunningManager | undefined;
  beforeAll(async () => {
    const { folder: assets } = await resolveAssets();
    drill = await startDrill({
      operator: { project },
      runProcesses: {
        etcd: ({ command: [, ...args] }) => ({ file: join(assets, 'etcd'), args }),
      },
      controllers: (workloads) => [etcdController(workloads)],
    });
    // The version of the control plane's own etcd.
    await drill.client.create(EtcdCluster, { metadata: key, spec: { version: '3.7.0' } });
  });
  afterAll(async () => {
    await next?.stop();
    await drill?.end();
  });

  const podsOf = async (): Promise<readonly Pod[]> =>
    (await drill.client.list(Pod, { namespace: key.namespace })).items;
  const namesOf = (pods: readonly Pod[]): readonly string[] =>
    pods.map(({ metadata }) => metadata.name ?? '').sort();

  const write = (name: string): Promise<void> => writeKey(client, name);
  const expectKey = async (name: string): Promise<void> => expect(await read(client, name)).toBe(name);

  const untilSize = (size: number): Promise<void> =>
    eventually(async () => {
      const pods = await podsOf();
      const { status } = await drill.client.get(EtcdCluster, key);
      expect(status).toMatchObject({ phase: 'Running', reason: 'Ready', size });
      expect(status?.members).toEqual({ ready: namesOf(pods), unready: [] });
      expect(pods).toHaveLength(size);
    }, slow);
  const change = (spec: EtcdClusterSpec): Promise<unknown> =>
    drill.client.patch(EtcdCluster, key, { type: 'merge', body: { spec } });

  test('AS12.2: it forms a cluster of three, and replaces a Pod that was deleted', slow, async () => {
    await untilSize(3);
    await write('kept');
    const [lost] = await podsOf();
    if (lost === undefined) throw new Error('no Pod is there');
    await drill.client.delete(Pod, lost.metadata);
    await eventually(
      async () => expect(namesOf(await podsOf())).not.toContain(lost.metadata.name ?? ''),
      slow,
    );
    await untilSize(3);
    await expectKey('kept');
  });

  test('it keeps a member whose process was killed', slow, async () => {
    const before = namesOf(await podsOf());
    await write('survives');
    drill.plane.workloads.pods({ name: before[0] ?? '' }).crash({ exitCode: 137 });
    await eventually(async () => {
      const pods = await podsOf();
      expect(pods.map(({ status }) => status?.containerStatuses?.[0]?.restartCount ?? 0)).toContain(1);
    }, slow);
    await untilSize(3);
    expect(namesOf(await podsOf())).toEqual(before);
    await expectKey('survives');
  });

  test('AS12.7: it serves without an operator', slow, async () => {
    await drill.operator.stop();
    const [lost] = await podsOf();
    await drill.client.delete(Pod, lost?.metadata ?? key);
    await eventually(async () => expect(await podsOf()).toHaveLength(2), slow);
    // The two that are left are a quorum, but the lost one may have led them.
    await eventually(async () => {
      await write('alone');
      await expectKey('alone');
    }, slow);
    expect((await drill.client.get(EtcdCluster, key)).metadata.deletionTimestamp).toBeUndefined();
  });

  test('AS12.1, AS12.8: an operator that starts beside it takes it over', slow, async () => {
    const left = namesOf(await podsOf());
    const options = { kubeconfig: drill.plane.operatorKubeconfig };
    next = await runManager(options, etcdController(drill.plane.workloads));
    await untilSize(3);
    expect(namesOf(await podsOf())).toEqual(expect.arrayContaining([...left]));
    await expectKey('alone');
    await expectKey('kept');
  });

  test(
    'AS12.3: it grows to five, and shrinks to three and to one with its keys',
    { timeout: 200_000 },
    async () => {
      await write('early');
      await change({ size: 5 });
      await untilSize(5);
      await write('late');
      await change({ size: 3 });
      await untilSize(3);
      await change({ size: 1 });
      await untilSize(1);
      await expectKey('early');
      await expectKey('late');
    },
  );

  test.runIf(isThorough)('it is left alone while it is paused', slow, async () => {
    await change({ size: 3 });
    await untilSize(3);
    await change({ paused: true, size: 4 });
    await eventually(async () =>
      expect((await drill.client.get(EtcdCluster, key)).status).toMatchObject({ controlPaused: true }),
    );
    const [lost] = await podsOf();
    await drill.client.delete(Pod, { ...key, name: lost?.metadata.name ?? '' });
    await eventually(async () => expect(await podsOf()).toHaveLength(2), slow);
    await change({ paused: false, size: 3 });
    await untilSize(3);
  });

  test.runIf(isThorough)('AS12.5: it is lost with two of three members', slow, async () => {
    for (const { metadata } of (await podsOf()).slice(1)) await drill.client.delete(Pod, metadata);
    await eventually(async () => {
      const { status } = await drill.client.get(EtcdCluster, key);
      expect(status).toMatchObject({ phase: 'Failed', reason: 'QuorumLost', size: 3 });
    }, slow);
    expect(await podsOf()).toHaveLength(1);
  });
});
