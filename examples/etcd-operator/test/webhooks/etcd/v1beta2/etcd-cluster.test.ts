// Unit tests: the functions are called directly, without a server.
import type { AdmissionContext, Stored } from 'opsdk';
import { expect, it } from 'vitest';
import type { EtcdCluster } from '../../../../src/api/etcd/v1beta2/etcd-cluster.ts';
import { etcdClusterWebhook } from '../../../../src/webhooks/etcd/v1beta2/etcd-cluster.ts';

const { options } = etcdClusterWebhook;

// What the functions use of the request, such as `{ request: { dryRun: true } }`.
const context = {} as AdmissionContext;

const etcdCluster = {
  apiVersion: 'etcd.database.coreos.com/v1beta2',
  kind: 'EtcdCluster',
  metadata: { name: 'etcdcluster-sample' },
} as EtcdCluster;

it('allows a new object', async () => {
  expect(await options.validate?.create?.(etcdCluster, context)).toEqual([]);
});

it('allows an update that changes nothing', async () => {
  const old = etcdCluster as Stored<EtcdCluster>;
  expect(await options.validate?.update?.(etcdCluster, old, context)).toEqual([]);
});
