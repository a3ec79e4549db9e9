// A cluster goes through the minor releases of etcd, with the programs of each. The first run obtains them.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProgramsUnavailable } from '../../../../scripts/lib/go-programs.mjs';
import { ensureEtcd, etcdVersions, orUnavailable } from '../../../../scripts/lib/test-programs.mjs';
import {
  EtcdCluster,
  type EtcdClusterSpec,
} from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-cluster.ts';
import { createEtcdClusterController } from '../../../../examples/etcd-operator/src/controllers/etcd/etcd-cluster.ts';
import { Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually, type ContainerToRun } from '../../../../src/testing/index.ts';
import { repositoryRoot } from '../../../helpers/source-files.ts';
import { startDrill, type Drill } from '../start-drill.ts';
import { read, write } from './keys.ts';

const project = join(repositoryRoot, 'examples/etcd-operator');
const key = { name: 'example', namespace: 'default' };
/** Host and port of the Service for clients. */
const client = 'example-client.default.svc:2379';

const folders = await orUnavailable(Promise.all(etcdVersions.map((version) => ensureEtcd(version))));

describe.skipIf(folders instanceof ProgramsUnavailable)('releases of etcd', () => {
  let drill: Drill;
  beforeAll(async () => {
    const programs = folders instanceof ProgramsUnavailable ? [] : folders;
    const runProcesses = Object.fromEntries(
      etcdVersions.map((version, index) => [
        `quay.io/coreos/etcd:v${version}`,
        ({ command: [, ...args] }: ContainerToRun) => ({ file: join(programs[index] ?? '', 'etcd'), args }),
      ]),
    );
    drill = await startDrill({
      ...{ operator: { project }, nodes: 3, runProcesses },
      controllers: (workloads) => [
        createEtcdClusterController({ addressOf: (name) => workloads.resolve(name) }),
      ],
    });
    await drill.client.create(EtcdCluster, {
      metadata: key,
      spec: { version: '3.4.23', pod: { antiAffinity: true } },
    });
  });
  afterAll(() => drill?.end());

  const change = (spec: EtcdClusterSpec): Promise<unknown> =>
    drill.client.patch(EtcdCluster, key, { type: 'merge', body: { spec } });
  const pods = async (): Promise<readonly Pod[]> =>
    (await drill.client.list(Pod, { namespace: key.namespace })).items;
  const uids = async (): Promise<readonly unknown[]> => (await pods()).map(({ metadata }) => metadata.uid);
  const until = (version: string): Promise<void> =>
    eventually(
      async () => {
        const { status } = await drill.client.get(EtcdCluster, key);
        expect(status).toMatchObject({
          ...{ reason: 'Ready', size: 3, currentVersion: version, targetVersion: '' },
        });
        await read(client, 'kept');
      },
      { timeout: 110_000 },
    );

  test('AS12.6: the API server takes the affinity of Pods, which brings them to different nodes', async () => {
    await until('3.4.23');
    const placed = await pods();
    expect(new Set(placed.map(({ spec }) => spec?.nodeName)).size).toBe(3);
    for (const { spec } of placed)
      expect(spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual([
        {
          labelSelector: { matchLabels: { etcd_cluster: 'example' } },
          topologyKey: 'kubernetes.io/hostname',
        },
      ]);
  });

  test(
    'AS12.5: they follow each other, one Pod at a time, with every key',
    { timeout: 360_000 },
    async () => {
      await write(client, 'kept');
      const members = await uids();
      await expect(change({ version: '3.6.8' })).rejects.toThrow('next one');
      for (const version of ['3.5.21', '3.6.8']) {
        await change({ version });
        await until(version);
        expect(await read(client, 'kept')).toBe('kept');
      }
      await expect(change({ version: '3.5.21' })).rejects.toThrow();
      expect(await uids()).toEqual(members);
    },
  );
});
