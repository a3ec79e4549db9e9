// What is applied again is sent only if it would change something: beside what the API server would have answered.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isConflict, type ApplyObject, type KubeObject, type Resource } from '../../../../src/index.ts';
import { Deployment } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { ConfigMap } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../../helpers/control-plane.ts';
import { runs } from '../../../helpers/thorough.ts';
import { content, startCountingOperator } from './counting-operator.ts';
import { lowerCaseWebhook } from './lower-case-webhook.ts';

const fieldManager = 'op/c';
const patient = { timeout: 30_000, interval: 5 };

let server: KubeClient;
let namespace: string;
let kubeconfig: string;
let webhook: AsyncDisposable;

beforeAll(async () => {
  const plane = await sharedControlPlane();
  ({ kubeconfig } = plane);
  server = createClient({ cluster: await loadCluster({ kubeconfig }), fieldManager: 'test' });
  namespace = await uniqueNamespace(plane);
  webhook = await lowerCaseWebhook(server, namespace);
  // The API server hears of a new webhook after a moment.
  await eventually(async () => {
    const answer = await server.create(
      ConfigMap,
      { metadata: { name: 'probe', namespace }, data: { word: 'A' } },
      { dryRun: true },
    );
    expect(answer.data).toEqual({ word: 'a' });
  }, patient);
});
afterAll(async () => {
  await webhook[Symbol.asyncDispose]();
  await server.close();
});

const startOperator = () =>
  startCountingOperator({ kubeconfig, server, namespace, kinds: [ConfigMap, Deployment] });

function deployment(name: string, { replicas = 1, cpu = '1000m', env = 'a' } = {}): ApplyObject<Deployment> {
  const labels = { app: name };
  const container = {
    ...{ name: 'web', image: 'nginx', env: [{ name: 'A', value: env }] },
    resources: { requests: { cpu, memory: '1024Mi' } },
    volumeMounts: [{ name: 'v', mountPath: '/v' }],
  };
  return {
    metadata: { name, namespace },
    spec: {
      // Of those that count unavailable Pods, nothing is needed here.
      paused: true,
      ...(replicas < 0 ? {} : { replicas }),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [container], volumes: [{ name: 'v', emptyDir: {} }] },
      },
    },
  };
}

const configMap = (name: string, data: Record<string, string>): ApplyObject<ConfigMap> => ({
  metadata: { name, namespace, labels: { from: 'operator' } },
  data,
});

describe('an apply of the same', () => {
  /** Applies an object, lets something happen, and tells how many writes a second and a third apply of it cost. */
  async function again<T extends KubeObject>(
    resource: Resource<T>,
    object: ApplyObject<T>,
    between: (name: string) => Promise<unknown> = async () => undefined,
  ): Promise<number[]> {
    await using operator = await startOperator();
    const { name } = object.metadata as { name: string };
    const counts = [await operator.sent(() => operator.client.apply(resource, object))];
    await between(name);
    for (let i = 0; i < 2; i += 1) {
      await operator.caughtUp(resource, name);
      counts.push(await operator.sent(() => operator.client.apply(resource, object)));
    }
    return counts;
  }

  test('is left out although the server wrote 1000m as 1, and added defaults', async () => {
    expect(await again(Deployment, deployment(uniqueName()))).toEqual([1, 0, 0]);
  });

  test('is left out although a webhook has changed it', async () => {
    const name = uniqueName();
    expect(await again(ConfigMap, configMap(name, { word: 'WORD' }))).toEqual([1, 0, 0]);
    expect((await server.get(ConfigMap, { name, namespace })).data).toEqual({ word: 'word' });
  });

  test('is sent once for a field that was removed, and for one that was changed by hand or by force', async () => {
    const edits: ((name: string) => Promise<unknown>)[] = [
      (name) =>
        server.patch(ConfigMap, { name, namespace }, { type: 'merge', body: { data: { kept: null } } }),
      (name) =>
        server.patch(ConfigMap, { name, namespace }, { type: 'merge', body: { data: { kept: 'x' } } }),
      (name) =>
        server.apply(ConfigMap, { metadata: { name, namespace }, data: { kept: 'y' } }, { force: true }),
    ];
    for (const edit of edits) {
      const name = uniqueName();
      expect(await again(ConfigMap, configMap(name, { kept: 'yes' }), edit)).toEqual([1, 1, 0]);
      expect((await server.get(ConfigMap, { name, namespace })).data).toEqual({ kept: 'yes' });
    }
  });

  test('is left out for fields of others', async () => {
    const edit = (name: string) =>
      server.patch(ConfigMap, { name, namespace }, { type: 'merge', body: { data: { other: 'x' } } });
    expect(await again(ConfigMap, configMap(uniqueName(), { kept: 'yes' }), edit)).toEqual([1, 0, 0]);
  });

  test('is sent once after the object was scaled by hand', async () => {
    const name = uniqueName();
    const scale = () =>
      server.patch(
        Deployment,
        { name, namespace },
        { type: 'merge', body: { spec: { replicas: 5 } } },
        {
          subresource: 'scale',
        },
      );
    expect(await again(Deployment, deployment(name), scale)).toEqual([1, 1, 0]);
    expect((await server.get(Deployment, { name, namespace })).spec?.replicas).toBe(1);
  });

  test('is sent after the object was deleted and created again by another', async () => {
    const name = uniqueName();
    const replace = async () => {
      await server.delete(ConfigMap, { name, namespace });
      await server.create(ConfigMap, { metadata: { name, namespace }, data: { kept: 'yes' } });
    };
    expect(await again(ConfigMap, configMap(name, { kept: 'yes' }), replace)).toEqual([1, 1, 0]);
  });

  test('is sent once by an operator that was started again', async () => {
    const object = deployment(uniqueName());
    expect(await again(Deployment, object)).toEqual([1, 0, 0]);
    expect(await again(Deployment, object)).toEqual([1, 0, 0]);
  });

  test('is sent if something else was applied under the same name, with or without force', async () => {
    await using operator = await startOperator();
    const name = uniqueName();
    const small = configMap(name, { a: '1' });
    const apply = (object: ApplyObject<ConfigMap>, force: boolean) =>
      operator.sent(() => operator.client.apply(ConfigMap, object, { force }));
    expect(await apply(small, true)).toBe(1);
    expect(await apply(configMap(name, { a: '1', b: '2' }), false)).toBe(1);
    await operator.caughtUp(ConfigMap, name);
    expect(await apply(small, true)).toBe(1);
    expect((await server.get(ConfigMap, { name, namespace })).data).toEqual({ a: '1' });
  });
});

test('createOrUpdate writes once what a webhook changes', async () => {
  await using operator = await startOperator();
  const name = uniqueName();
  const operations: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    const written = await operator.client.createOrUpdate(ConfigMap, { name, namespace }, () =>
      configMap(name, { word: 'WORD' }),
    );
    operations.push(written.operation);
    await operator.caughtUp(ConfigMap, name);
  }
  expect(operations).toEqual(['created', 'unchanged', 'unchanged']);
});

interface Step {
  readonly who: 'operator' | 'operator without force' | 'editor' | 'applier' | 'scaler';
  readonly kind: 'ConfigMap' | 'Deployment';
  readonly n: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.oneof(
    { weight: 4, arbitrary: fc.constant('operator' as const) },
    { weight: 3, arbitrary: fc.constantFrom('editor' as const, 'applier' as const) },
    { weight: 1, arbitrary: fc.constantFrom('operator without force' as const, 'scaler' as const) },
  ),
  kind: fc.constantFrom('ConfigMap', 'Deployment'),
  n: fc.nat(7),
});

/** What others make of it, and what the operator wants. */
const words = (n: number): Record<string, string> => ({
  word: n % 2 === 0 ? 'Same' : 'same',
  ...(n % 4 < 2 ? { more: 'x' } : {}),
});
const desired = {
  ConfigMap: (name: string, n: number) => configMap(name, words(n)),
  Deployment: (name: string, n: number) =>
    deployment(name, {
      replicas: n % 4 === 3 ? -1 : 1 + (n % 2),
      cpu: n < 4 ? '1000m' : '1',
      env: n % 3 === 0 ? 'a' : 'b',
    }),
};
const edits = {
  ConfigMap: (n: number) => ({
    data: [{ word: 'x' }, { word: 'same' }, { more: null }, { more: 'x' }][n % 4],
  }),
  Deployment: (n: number) => ({ spec: { replicas: [1, 2, 5, null][n % 4] } }),
};

test('no apply is left out that would have changed a field, whatever others do to it', async () => {
  await using operator = await startOperator();
  const outcomes = { sent: 0, leftOut: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const name = uniqueName('random');
      for (const { who, kind, n } of steps) {
        const resource = { ConfigMap, Deployment }[kind] as Resource;
        const object = desired[kind](name, n) as ApplyObject<KubeObject>;
        const key = { name, namespace };
        const exists = (await server.find(resource, key)) !== undefined;
        if (who === 'applier') await server.apply(resource, object, { fieldManager: 'applier' });
        if (!exists && !who.startsWith('operator')) continue;
        if (who === 'editor') await server.patch(resource, key, { type: 'merge', body: edits[kind](n) });
        if (who === 'scaler' && kind === 'Deployment')
          await server.patch(
            resource,
            key,
            { type: 'merge', body: { spec: { replicas: n } } },
            { subresource: 'scale' },
          );
        if (!who.startsWith('operator')) continue;
        await operator.caughtUp(resource, name);
        const force = who === 'operator';
        const sent = await operator.sent(() =>
          operator.client.apply(resource, object, { force }).catch((error: unknown) => {
            if (!isConflict(error)) throw error;
          }),
        );
        if (sent > 0) outcomes.sent += 1;
        else {
          outcomes.leftOut += 1;
          await eventually(
            async () => {
              const before = await server.get(resource, key);
              const answer = await server.apply(resource, object, { fieldManager, dryRun: true });
              const after = await server.get(resource, key);
              expect(before.metadata.resourceVersion).toBe(after.metadata.resourceVersion);
              expect(content(answer)).toEqual(content(before));
            },
            { timeout: 30_000 },
          );
        }
      }
    }),
    { numRuns: runs(150) },
  );
  expect(outcomes.sent).toBeGreaterThan(0);
  expect(outcomes.leftOut).toBeGreaterThan(0);
}, 300_000);
