import type { Stored } from 'opsdk';
import { callWebhook } from 'opsdk/testing';
import { expect, test } from 'vitest';
import type { EtcdCluster, EtcdClusterSpec } from '../../../../src/api/etcd/v1beta2/etcd-cluster.ts';
import { etcdClusterWebhook } from '../../../../src/webhooks/etcd/v1beta2/etcd-cluster.ts';

const object = (spec: EtcdClusterSpec) => ({ metadata: { name: 'example', namespace: 'default' }, spec });
const even = 'spec.size: 4 members tolerate no more failures than 3, and need one more for a quorum';

test.each([
  { spec: {}, warnings: [] },
  { spec: { size: 3 }, warnings: [] },
  { spec: { size: 4 }, warnings: [even] },
  { spec: { size: 1 }, warnings: ['spec.storage: without it, all data is lost with the only Pod'] },
  { spec: { size: 1, storage: { size: '1Gi' } }, warnings: [] },
])('allows $spec with the warnings $warnings', async ({ spec, warnings }) => {
  const outcome = await callWebhook(etcdClusterWebhook, { operation: 'CREATE', object: object(spec) });
  expect(outcome).toMatchObject({ allowed: true, warnings });
});

test('warns of a change once', async () => {
  const update = (size: number, oldSize: number) =>
    callWebhook(etcdClusterWebhook, {
      operation: 'UPDATE',
      object: object({ size }),
      oldObject: object({ size: oldSize }) as Stored<EtcdCluster>,
    });
  expect(await update(4, 3)).toMatchObject({ allowed: true, warnings: [even] });
  expect(await update(4, 4)).toMatchObject({ allowed: true, warnings: [] });
});
