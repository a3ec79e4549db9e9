import { createManager, externalResource, type Condition, type Controller, type KubeObject } from 'opsdk';

/** The kind of the benchmark, as its CRD has it. */
export interface Bench extends KubeObject {
  spec?: { value?: string };
  status?: { observedGeneration?: number; conditions?: Condition[] };
}

export const Bench = externalResource<Bench>({
  group: 'bench.op-sdk.io',
  version: 'v1',
  kind: 'Bench',
  plural: 'benches',
  scope: 'Namespaced',
});

/** How many objects are reconciled at a time. */
export const concurrency = Number(process.env['WORKERS'] ?? 1);

/** Runs the operator until it is asked to stop: cluster by KUBECONFIG, metrics at METRICS, no health endpoint. */
export async function run(controller: Controller<Bench>): Promise<void> {
  const manager = await createManager({
    name: 'bench-operator',
    metrics: process.env['METRICS'] ?? '127.0.0.1:0',
    health: '0',
  });
  manager.add(controller);
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort());
  await manager.run({ signal: stopping.signal });
}
