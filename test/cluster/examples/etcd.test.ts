// The etcd operator as a Pod, with no rights but those of its inferred role, and clusters of the real etcd on volumes and nodes.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ensureEtcd, ensureObjectStores, reasonOf } from '../../../scripts/lib/test-programs.mjs';
import { EtcdBackup } from '../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-backup.ts';
import {
  EtcdCluster,
  type EtcdClusterSpec,
} from '../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-cluster.ts';
import { EtcdRestore } from '../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-restore.ts';
import { Namespace, PersistentVolumeClaim, Pod, Secret } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { isReady, type Stored } from '../../../src/index.ts';
import { eventually } from '../../../src/testing/index.ts';
import { addNode } from '../bed/added-node.ts';
import { firstNode, secondNode } from '../bed/addresses.ts';
import type { ClusterBed } from '../bed/cluster-bed.ts';
import { startObjectStores, type BedObjectStores } from '../bed/object-stores.ts';
import { pushEtcdImage } from '../bed/software-images.ts';
import { EtcdKeys, EtcdWriter } from './etcd-keys.ts';
import { ExampleOperator, restartApiServer, slow } from './example-operator.ts';

const bed = inject('cluster') as ClusterBed;
const versions = ['3.5.21', '3.6.8'] as const;
const reasons =
  bed === undefined
    ? ['no cluster']
    : await Promise.all([
        ...versions.map((version) => reasonOf(ensureEtcd(version))),
        reasonOf(ensureObjectStores()),
      ]);
const preferFirstNode = {
  weight: 100,
  preference: {
    matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In' as const, values: [firstNode.name] }],
  },
};
const storesNamespace = 'etcd-stores';

describe.skipIf(reasons.some((reason) => reason !== undefined))('the etcd operator', () => {
  let operator: ExampleOperator;
  let stores: BedObjectStores;
  let keys: EtcdKeys;

  beforeAll(async () => {
    for (const version of versions) await pushEtcdImage(bed, version, 'coreos/etcd');
    operator = await ExampleOperator.deploy(bed, 'etcd-operator');
    const { client } = operator;
    await client.create(Namespace, { metadata: { name: storesNamespace } });
    stores = await startObjectStores(bed, client, storesNamespace, ['backups']);
  });
  afterAll(async () => {
    await stores?.[Symbol.asyncDispose]();
    await operator?.client.delete(Namespace, { name: storesNamespace }, { ignoreNotFound: true });
    await operator?.[Symbol.asyncDispose]();
  });

  const key = (name: string) => ({ name, namespace: operator.namespace });
  const membersOf = async (name: string): Promise<readonly Stored<Pod>[]> =>
    (
      await operator.client.list(Pod, {
        namespace: operator.namespace,
        labelSelector: `etcd_cluster=${name}`,
      })
    ).items;
  const namesOf = (pods: readonly Stored<Pod>[]): readonly string[] =>
    pods.map(({ metadata }) => metadata.name).sort();
  const create = (name: string, spec: EtcdClusterSpec) =>
    operator.client.create(EtcdCluster, { metadata: key(name), spec });
  const change = (name: string, spec: Partial<EtcdClusterSpec>) =>
    operator.client.patch(EtcdCluster, key(name), { type: 'merge', body: { spec } });
  /** Waits until all members of a cluster are healthy, and nothing is left to do. */
  const untilReady = (name: string, size: number, currentVersion = '3.6.8'): Promise<void> =>
    eventually(async () => {
      const { status } = await operator.client.get(EtcdCluster, key(name));
      const { ready = [], unready = [] } = status?.members ?? {};
      expect(status).toMatchObject({ phase: 'Running', reason: 'Ready', size, currentVersion });
      expect(unready).toEqual([]);
      const pods = await membersOf(name);
      expect([...ready].sort()).toEqual(namesOf(pods));
      expect(pods.filter(isReady)).toHaveLength(size);
    }, slow);
  /** Waits until a cluster is ready, and another one than before. */
  const untilChanged = async (
    name: string,
    size: number,
    former: Stored<Pod>,
    version?: string,
  ): Promise<void> => {
    await eventually(async () => {
      const uids = (await membersOf(name)).map(({ metadata }) => metadata.uid);
      expect(uids).not.toContain(former.metadata.uid);
    }, slow);
    await untilReady(name, size, version);
  };
  const nodesOf = (pods: readonly Stored<Pod>[]): readonly string[] =>
    pods.flatMap(({ spec }) => spec?.nodeName ?? []).sort();
  const availabilityOf = async (name: string): Promise<string | undefined> => {
    const { status } = await operator.client.get(EtcdCluster, key(name));
    return status?.conditions?.find(({ type }) => type === 'Available')?.status;
  };
  const anyMember = async (name: string): Promise<Stored<Pod>> => {
    const [member] = await membersOf(name);
    if (member === undefined) throw new Error(`expected members of ${name}`);
    return member;
  };
  const expectKeys = async (prefix: string, written: readonly string[], from = keys): Promise<void> => {
    expect(written.length).toBeGreaterThan(0);
    expect(await from.list(prefix)).toEqual(expect.arrayContaining([...written]));
  };
  const given = Array.from({ length: 100 }, (_, index) => `given-${index}`);

  test('forms a cluster with certificates and volumes', async () => {
    await create('example', {
      size: 3,
      version: '3.5.21',
      storage: { size: '1Gi' },
      TLS: { selfSigned: {} },
    });
    await untilReady('example', 3, '3.5.21');
    keys = await EtcdKeys.of(operator.client, operator.namespace, 'example');
    for (const name of given) await keys.put(name);
    await expectKeys('given-', given);
  });

  test('brings a member back whose node is drained, with its data, and lets no other one go meanwhile', async () => {
    const [{ metadata } = await anyMember('example'), other] = await membersOf('example');
    await operator.client.evict(metadata);
    await expect(operator.client.evict(other?.metadata ?? metadata)).rejects.toThrow('disruption budget');
    await eventually(async () => {
      const found = (await membersOf('example')).find(({ metadata: { name } }) => name === metadata.name);
      expect(found?.metadata.uid).toBeDefined();
      expect(found?.metadata.uid).not.toBe(metadata.uid);
    }, slow);
    await untilReady('example', 3, '3.5.21');
    await expectKeys('given-', given);
  });

  test('puts another member in the place of one that has lost Pod and volume', async () => {
    const { metadata } = await anyMember('example');
    await operator.client.delete(PersistentVolumeClaim, key(`data-${metadata.name}`));
    await operator.client.delete(Pod, metadata);
    await eventually(async () => {
      const names = namesOf(await membersOf('example'));
      expect(names).not.toContain(metadata.name);
      expect(names).toHaveLength(3);
    }, slow);
    await untilReady('example', 3, '3.5.21');
    await expectKeys('given-', given);
  });

  test('grows to five while the API server and its own Pod end, shrinks, and loses no write', async () => {
    const writer = new EtcdWriter(keys, 'scaled-');
    await change('example', { size: 5 });
    await eventually(async () => expect((await membersOf('example')).length).toBeGreaterThan(3), slow);
    await operator.kill();
    await restartApiServer(bed);
    await untilReady('example', 5, '3.5.21');
    await change('example', { size: 3 });
    await untilReady('example', 3, '3.5.21');
    const claims = await operator.client.list(PersistentVolumeClaim, { namespace: operator.namespace });
    expect(claims.items.map(({ metadata }) => metadata.name.slice('data-'.length)).sort()).toEqual(
      namesOf(await membersOf('example')),
    );
    await expectKeys('scaled-', await writer.stop());
  });

  test('upgrades to the next minor version, one member at a time, and loses no write', async () => {
    const writer = new EtcdWriter(keys, 'upgraded-');
    await change('example', { version: '3.6.8' });
    await untilReady('example', 3);
    await expectKeys('upgraded-', await writer.stop());
    await expectKeys('given-', given);
  });

  test('saves backups in both stores by its own image, and starts other clusters from them', async () => {
    const { client } = operator;
    const { s3, gcs } = stores;
    await client.create(Secret, {
      metadata: key('aws'),
      stringData: { AWS_ACCESS_KEY_ID: s3.accessKeyId, AWS_SECRET_ACCESS_KEY: s3.secretAccessKey },
    });
    await client.create(Secret, {
      metadata: key('gcp'),
      stringData: { 'credentials.json': gcs.serviceAccount },
    });
    const s3Place = { path: 'backups/etcd.backup', awsSecret: 'aws', endpoint: s3.endpoint };
    const gcsPlace = { path: 'backups/etcd.backup', gcpSecret: 'gcp', endpoint: gcs.endpoint };
    const source = {
      etcdEndpoints: [`https://example-client.${operator.namespace}.svc:2379`],
      clientTLSSecret: 'example-client-tls',
    };
    await client.create(EtcdBackup, {
      metadata: key('s3'),
      spec: { ...source, storageType: 'S3', s3: s3Place },
    });
    await client.create(EtcdBackup, {
      metadata: key('gcs'),
      spec: { ...source, storageType: 'GCS', gcs: gcsPlace },
    });
    await create('from-s3', { size: 3 });
    await create('from-gcs', { size: 1, storage: { size: '1Gi' } });
    for (const name of ['s3', 'gcs'])
      await eventually(async () => {
        const { status } = await client.get(EtcdBackup, key(name));
        expect(status).toMatchObject({ phase: 'Succeeded', etcdVersion: '3.6.8' });
      }, slow);
    await client.create(EtcdRestore, {
      metadata: key('from-s3'),
      spec: { etcdCluster: { name: 'from-s3' }, backupStorageType: 'S3', s3: s3Place },
    });
    await client.create(EtcdRestore, {
      metadata: key('from-gcs'),
      spec: { etcdCluster: { name: 'from-gcs' }, backupStorageType: 'GCS', gcs: gcsPlace },
    });
    const all = await keys.list();
    for (const [name, size] of [
      ['from-s3', 3],
      ['from-gcs', 1],
    ] as const) {
      await eventually(async () => {
        const { status } = await client.get(EtcdRestore, key(name));
        expect(status).toMatchObject({ phase: 'Succeeded' });
      }, slow);
      await untilReady(name, size);
      const restored = await EtcdKeys.of(client, operator.namespace, name);
      expect(await restored.list()).toEqual(all);
    }
    await client.delete(EtcdCluster, key('from-gcs'));
  });

  test('restores a cluster that has lost all Pods with their data from its latest backup, if it may', async () => {
    const { client, namespace } = operator;
    const { status } = await client.get(EtcdBackup, key('s3'));
    const all = await (await EtcdKeys.of(client, namespace, 'from-s3')).list();
    const lost = await membersOf('from-s3');
    await change('from-s3', { recovery: { backup: 's3' } });
    for (const { metadata } of lost) await client.delete(Pod, metadata, { gracePeriodSeconds: 0 });
    await eventually(async () => {
      const restore = await client.get(EtcdRestore, key('from-s3-recovery-1'));
      expect(restore.spec).toMatchObject({ sha256: status?.backups?.[0]?.sha256 });
      expect(restore.status).toMatchObject({ phase: 'Succeeded' });
    }, slow);
    await untilReady('from-s3', 3);
    expect(await (await EtcdKeys.of(client, namespace, 'from-s3')).list()).toEqual(all);
    await client.delete(EtcdCluster, key('from-s3'));
  });

  test('leaves clusters that serve when it is removed, and takes them over when it comes back', async () => {
    const before = await membersOf('example');
    const [lost, ...others] = before;
    if (lost === undefined) throw new Error('expected members');
    await operator.remove();
    const writer = new EtcdWriter(keys, 'alone-');
    await operator.client.delete(Pod, lost.metadata);
    await eventually(async () => expect(await membersOf('example')).toHaveLength(2), slow);
    const { count } = writer;
    await eventually(() => Promise.resolve(expect(writer.count).toBeGreaterThan(count + 5)), slow);
    await operator.deployAgain();
    await untilChanged('example', 3, lost);
    const uids = (await membersOf('example')).map(({ metadata }) => metadata.uid);
    expect(uids).toEqual(expect.arrayContaining(others.map(({ metadata }) => metadata.uid)));
    await expectKeys('alone-', await writer.stop());
    await expectKeys('given-', given);
  });

  test('spreads members over nodes, keeps a quorum without one of two, and fills the place of what was lost', async () => {
    const { client } = operator;
    const node = await addNode(bed);
    try {
      const matchLabels = { etcd_cluster: 'spread' };
      await create('spread', {
        size: 3,
        pod: {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: { matchLabels },
            },
          ],
          // The first and the third go where the operator is, which stays.
          affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [preferFirstNode] } },
        },
      });
      await create('apart', { size: 3, pod: { antiAffinity: true } });
      await untilReady('spread', 3);
      expect(nodesOf(await membersOf('spread'))).toEqual([firstNode.name, firstNode.name, secondNode.name]);
      await eventually(async () => {
        const apart = await membersOf('apart');
        expect(nodesOf(apart)).toEqual([firstNode.name, secondNode.name]);
        const waiting = apart.find(({ spec }) => spec?.nodeName === undefined);
        const condition = waiting?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
        expect(condition?.message).toContain("didn't match pod anti-affinity rules");
        expect(await availabilityOf('apart')).toBe('True');
      }, slow);
      const before = await membersOf('spread');
      const writer = new EtcdWriter(await EtcdKeys.of(client, operator.namespace, 'spread'), 'kept-');

      node.disconnect();
      for (const name of ['spread', 'apart']) await operator.poke(EtcdCluster, name);
      const { count } = writer;
      await eventually(() => Promise.resolve(expect(writer.count).toBeGreaterThan(count + 20)), slow);
      await eventually(async () => {
        const { status } = await client.get(EtcdCluster, key('spread'));
        expect(status).toMatchObject({
          reason: 'WaitingForMember',
          members: { unready: [expect.any(String)] },
        });
        expect(await availabilityOf('spread')).toBe('True');
        expect(await availabilityOf('apart')).toBe('False');
      }, slow);
      node.connect();
      await untilReady('spread', 3);
      await eventually(async () => expect(await availabilityOf('apart')).toBe('True'), slow);
      expect(namesOf(await membersOf('spread'))).toEqual(namesOf(before));

      await node[Symbol.asyncDispose]();
      await eventually(async () => {
        const members = await membersOf('spread');
        expect(nodesOf(members)).toEqual([firstNode.name, firstNode.name, firstNode.name]);
        const { status } = await client.get(EtcdCluster, key('apart'));
        expect(status).toMatchObject({ phase: 'Failed', reason: 'QuorumLost' });
      }, slow);
      await untilReady('spread', 3);
      const written = await writer.stop();
      await expectKeys('kept-', written, await EtcdKeys.of(client, operator.namespace, 'spread'));
    } finally {
      await node[Symbol.asyncDispose]();
    }
  });

  test('was never refused by the API server', () => operator.expectNothingForbidden());
});
