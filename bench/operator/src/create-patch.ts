// The reconcile of the controller-runtime peer, call by call: create or update, and a merge patch of the status.
import { defineController, isAlreadyExists, ownedBy, conditionsOf } from 'opsdk';
import { ConfigMap } from 'opsdk/k8s/core/v1';
import { Bench, concurrency, run } from './bench.ts';

const controller = defineController({
  for: Bench,
  owns: [ConfigMap],
  concurrency,
  async reconcile(bench, { client, key }) {
    const value = bench.spec?.value ?? '';
    const existing = await client.find(ConfigMap, key);
    if (existing === undefined) {
      const desired = { metadata: { ...key, ...ownedBy(bench) }, data: { value } };
      await client.create(ConfigMap, desired).catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
    } else if (existing.data?.['value'] !== value) {
      await client.update(ConfigMap, { ...existing, data: { value } });
    }
    const { generation } = bench.metadata;
    const ready = bench.status?.conditions?.find(({ type }) => type === 'Ready');
    const isReported = ready?.status === 'True' && ready.observedGeneration === generation;
    if (isReported && bench.status?.observedGeneration === generation) return;
    const conditions = conditionsOf(bench, ['Ready']).true('Ready', 'ConfigMapReady', 'ok').toJSON();
    const body = { status: { observedGeneration: generation, conditions } };
    await client.patch(Bench, key, { type: 'merge', body }, { subresource: 'status' });
  },
});

await run(controller);
