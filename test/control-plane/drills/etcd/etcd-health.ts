import { expect } from 'vitest';
import { EtcdCluster } from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-cluster.ts';
import { httpEtcd } from '../../../../examples/etcd-operator/src/etcd/http-etcd.ts';
import { Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { DrillCluster } from '../start-drill.ts';
import { callEtcd } from './keys.ts';

const connection = { signal: new AbortController().signal };

interface Key {
  readonly name: string;
  readonly namespace: string;
}

/** Returns the Pods of a cluster. */
export async function podsOf({ client }: DrillCluster, { name, namespace }: Key): Promise<readonly Pod[]> {
  return (await client.list(Pod, { namespace, labelSelector: `etcd_cluster=${name}` })).items;
}

/** Expects as many voters as asked for, each of them a Pod that reads by a quorum, and nothing else. */
export async function expectHealthy(cluster: DrillCluster, key: Key, size: number): Promise<void> {
  const pods = await podsOf(cluster, key);
  expect(pods).toHaveLength(size);
  const endpoints = pods.map(({ metadata: { name = '', deletionTimestamp }, status }) => {
    expect(deletionTimestamp, name).toBeUndefined();
    return { url: `http://${status?.podIP}:2379`, serverName: name };
  });
  const reports = await Promise.all(endpoints.map((endpoint) => httpEtcd.report(endpoint, connection)));
  for (const report of reports) expect(report).toMatchObject({ isHealthy: true, isLearner: false });
  const members = await httpEtcd.members(endpoints, connection).list();
  expect(members.map(({ name }) => name).sort()).toEqual(pods.map(({ metadata }) => metadata.name).sort());
  const { status } = await cluster.client.get(EtcdCluster, key);
  expect(status).toMatchObject({ phase: 'Running', reason: 'Ready', size });
}

interface HashAnswer {
  readonly header: { readonly revision: string };
  readonly hash: number;
}

/** Expects all members to have the same keys with the same history. */
export async function expectSameData(cluster: DrillCluster, key: Key): Promise<void> {
  const hosts = (await podsOf(cluster, key)).map(({ status }) => `${status?.podIP}:2379`);
  const { header } = await callEtcd<HashAnswer>(hosts[0] ?? '', 'maintenance/hashkv', {});
  const hashes = await Promise.all(
    hosts.map((host) =>
      callEtcd<HashAnswer>(host, 'maintenance/hashkv', { revision: header.revision }).then(
        ({ hash }) => hash,
      ),
    ),
  );
  expect(new Set(hashes).size, `hashes of revision ${header.revision}: ${hashes.join()}`).toBe(1);
}
