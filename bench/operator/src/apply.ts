// The same as create-patch.ts, written as an operator's author would: server-side apply throughout.
import { defineController, ownedBy, conditionsOf } from 'opsdk';
import { ConfigMap } from 'opsdk/k8s/core/v1';
import { Bench, concurrency, run } from './bench.ts';

const controller = defineController({
  for: Bench,
  owns: [ConfigMap],
  concurrency,
  async reconcile(bench, { client, key }) {
    const { name } = bench.metadata;
    const data = { value: bench.spec?.value ?? '' };
    await client.apply(ConfigMap, { metadata: { name, ...ownedBy(bench) }, data });
    const { generation } = bench.metadata;
    await client.applyStatus(Bench, key, {
      observedGeneration: generation,
      conditions: conditionsOf(bench, ['Ready']).true('Ready', 'ConfigMapReady', 'ok').toJSON(),
    });
  },
});

await run(controller);
