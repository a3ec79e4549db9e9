import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineController, requeueAfter, type ControllerOptions } from '../../../../src/index.ts';
import { ConfigMap } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import {
  createClient,
  isInvalid,
  isNotFound,
  loadCluster,
  type KubeClient,
} from '../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../../helpers/control-plane.ts';
import { runs } from '../../../helpers/thorough.ts';
import { runManager } from './running-manager.ts';
import { slow } from './site-controller.ts';

const finalizer = 'example.com/cleanup';
let server: KubeClient;
let kubeconfig: string;
let plane: Awaited<ReturnType<typeof sharedControlPlane>>;
beforeAll(async () => {
  plane = await sharedControlPlane();
  ({ kubeconfig } = plane);
  server = createClient({ cluster: await loadCluster({ kubeconfig }), fieldManager: 'test' });
});
afterAll(() => server.close());

type Object = Parameters<ControllerOptions<ConfigMap>['reconcile']>[0];

/** A controller of ConfigMaps in a namespace of its own, which writes down what it is asked to do. */
async function start(options: Partial<ControllerOptions<ConfigMap>> = {}) {
  const namespace = await uniqueNamespace(plane);
  const calls: string[] = [];
  const seen: Object[] = [];
  const controller = defineController({
    name: uniqueName('finalizing'),
    for: ConfigMap,
    finalizer,
    finalize: ({ metadata }) => void calls.push(`finalize ${metadata.name}`),
    ...options,
    reconcile: (object, context) => {
      calls.push(`reconcile ${object.metadata.name}`);
      seen.push(object);
      return options.reconcile?.(object, context);
    },
  });
  const running = await runManager({ kubeconfig, namespaces: [namespace] }, controller);
  return {
    calls,
    seen,
    running,
    namespace,
    of: (name: string) => calls.filter((call) => call.endsWith(` ${name}`)),
    create: (name: string, finalizers?: string[]) =>
      server.create(ConfigMap, { metadata: { name, namespace, ...(finalizers && { finalizers }) } }),
    get: (name: string) => server.find(ConfigMap, { name, namespace }),
    delete: (name: string) => server.delete(ConfigMap, { name, namespace }),
    finalizers: async (name: string) =>
      (await server.find(ConfigMap, { name, namespace }))?.metadata.finalizers,
    gone: (name: string) =>
      eventually(async () => (await server.find(ConfigMap, { name, namespace })) === undefined, slow),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

describe('an object of a controller that finalizes', () => {
  test('has the finalizer before its first reconcile, and goes once finalize returns nothing', async () => {
    await using op = await start();
    await op.create('a', ['example.com/other']);
    await eventually(() => expect(op.calls).toContain('reconcile a'), slow);
    // Kubernetes puts a ConfigMap of its own into each namespace.
    const first = op.seen.find(({ metadata }) => metadata.name === 'a');
    expect(first?.metadata.finalizers).toEqual(['example.com/other', finalizer]);
    await op.delete('a');
    await eventually(async () => expect(await op.finalizers('a')).toEqual(['example.com/other']), slow);
    expect(op.of('a').at(-1)).toBe('finalize a');
    await server.patch(
      ConfigMap,
      { name: 'a', namespace: op.namespace },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
    await op.gone('a');
    expect(op.of('a').filter((call) => call.startsWith('finalize'))).toHaveLength(1);
  });

  test('stays while finalize asks for more time, and while it fails', async () => {
    let attempts = 0;
    await using op = await start({
      finalize: ({ metadata }) => {
        attempts += 1;
        op.calls.push(`finalize ${metadata.name}`);
        if (attempts === 1) return requeueAfter(10);
        if (attempts === 2) throw new Error('not yet');
        return undefined;
      },
    });
    await op.create('a');
    await eventually(async () => expect(await op.finalizers('a')).toEqual([finalizer]), slow);
    await op.delete('a');
    await op.gone('a');
    expect(attempts).toBe(3);
    expect(op.running.lines.filter(({ msg }) => msg === 'Reconciler error')).toHaveLength(1);
  });

  test('is left alone under deletion without the finalizer', async () => {
    await using op = await start();
    const { namespace } = op;
    await server.create(ConfigMap, {
      metadata: { name: 'never', namespace: 'default', finalizers: [`${namespace}.com/x`] },
    });
    await server.delete(ConfigMap, { name: 'never', namespace: 'default' });
    await using late = await runManager(
      { kubeconfig, namespaces: ['default'] },
      defineController({
        name: uniqueName('late'),
        for: ConfigMap,
        finalizer,
        reconcile: ({ metadata }) => void op.calls.push(`reconcile ${metadata.name}`),
        finalize: ({ metadata }) => void op.calls.push(`finalize ${metadata.name}`),
      }),
    );
    // Another object of the same list shows that it was looked at.
    await server.create(ConfigMap, { metadata: { name: namespace, namespace: 'default' } });
    await eventually(() => expect(op.calls).toContain(`reconcile ${namespace}`), slow);
    expect(op.of('never')).toEqual([]);
    const left = await server.get(ConfigMap, { name: 'never', namespace: 'default' });
    expect(left.metadata.finalizers).toEqual([`${namespace}.com/x`]);
    await late.stop();
    for (const name of ['never', namespace]) {
      await server.patch(
        ConfigMap,
        { name, namespace: 'default' },
        { type: 'merge', body: { metadata: { finalizers: null } } },
      );
      await server.delete(ConfigMap, { name, namespace: 'default' }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
  });
});

describe('retired finalizers', () => {
  const retiredFinalizers = ['example.com/old'] as const;

  test('are removed, and the object is reconciled as it is then', async () => {
    await using op = await start({ retiredFinalizers });
    await op.create('a', ['example.com/old', 'example.com/other']);
    await eventually(() => expect(op.calls).toContain('reconcile a'), slow);
    const first = op.seen.find(({ metadata }) => metadata.name === 'a');
    expect(first?.metadata.finalizers).toEqual(['example.com/other', finalizer]);
    expect(await op.finalizers('a')).toEqual(['example.com/other', finalizer]);
  });

  test.each([true, false])(
    'are removed of objects under deletion, which are not reconciled once they are gone (finalize: %s)',
    async (finalizes) => {
      const { finalize, ...rest } = { finalize: () => undefined, retiredFinalizers };
      await using op = await start(
        finalizes
          ? { finalize, ...rest }
          : ({ ...rest, finalizer: undefined, finalize: undefined } as object),
      );
      // Both wait for the manager to be stopped: what it finds is under deletion.
      const key = { name: 'b', namespace: op.namespace };
      await op.create('a');
      await eventually(() => expect(op.calls).toContain('reconcile a'), slow);
      await op.running.stop();
      await server.create(ConfigMap, { metadata: { ...key, finalizers: ['example.com/old'] } });
      await server.delete(ConfigMap, key);
      const controller = defineController({
        name: uniqueName('again'),
        for: ConfigMap,
        retiredFinalizers,
        ...(finalizes ? { finalizer, finalize } : {}),
        reconcile: ({ metadata }) => void op.calls.push(`reconcile ${metadata.name}`),
      });
      await using again = await runManager({ kubeconfig, namespaces: [op.namespace] }, controller);
      await op.gone('b');
      await op.create('c');
      await eventually(() => expect(op.calls).toContain('reconcile c'), slow);
      expect(op.of('b')).toEqual([]);
      await again.stop();
    },
  );
});

test('the finalizer is never lost nor doubled while another client changes the list', async () => {
  await using op = await start();
  const key = (name: string) => ({ name, namespace: op.namespace });
  const change = fc.record({ add: fc.boolean(), which: fc.constantFrom('example.com/x', 'example.com/y') });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      const name = uniqueName('raced');
      await op.create(name);
      const others = new Set<string>();
      for (const { add, which } of changes) {
        for (;;) {
          const now = await server.get(ConfigMap, key(name));
          const { finalizers = [], resourceVersion } = now.metadata;
          const kept = finalizers.filter((each) => each !== which);
          const body = { metadata: { resourceVersion, finalizers: add ? [...kept, which] : kept } };
          try {
            await server.patch(ConfigMap, key(name), { type: 'merge', body });
            break;
          } catch {
            // The operator was faster.
          }
        }
        if (add) others.add(which);
        else others.delete(which);
      }
      const sorted = async () => [...((await op.finalizers(name)) ?? [])].sort();
      await eventually(async () => expect(await sorted()).toEqual([finalizer, ...others].sort()), slow);
      await eventually(() => expect(op.of(name)).toContain(`reconcile ${name}`), slow);
      for (const each of op.seen.filter(({ metadata }) => metadata.name === name))
        expect(each.metadata.finalizers).toContain(finalizer);
      await op.delete(name);
      await eventually(async () => expect(await sorted()).toEqual([...others].sort()), slow);
      await server
        .patch(ConfigMap, key(name), { type: 'merge', body: { metadata: { finalizers: null } } })
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
      await op.gone(name);
    }),
    { numRuns: runs(60) },
  );
}, 300_000);

test('a JSON patch that tests an absent field for null holds while it is absent, and fails once it is there', async () => {
  const namespace = await uniqueNamespace(plane);
  const key = { name: 'a', namespace };
  await server.create(ConfigMap, { metadata: key });
  const add = () =>
    server.patch(ConfigMap, key, {
      type: 'json',
      body: [
        { op: 'test', path: '/metadata/finalizers', value: null },
        { op: 'add', path: '/metadata/finalizers', value: [finalizer] },
      ],
    });
  expect((await add()).metadata.finalizers).toEqual([finalizer]);
  await expect(add()).rejects.toSatisfy(isInvalid);
});
