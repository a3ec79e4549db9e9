import { expect } from 'vitest';
import type { KubeObject, Resource } from '../../../../src/index.ts';
import type { Client, KubeClient } from '../../../../src/sdk/kube/index.ts';
import { systemClock } from '../../../../src/sdk/net/index.ts';
import { Cache, OwnWrites, StoreReader } from '../../../../src/sdk/runtime/cache/index.ts';
import { CacheBackedClient } from '../../../../src/sdk/runtime/client/index.ts';
import { connectCluster } from '../../../../src/sdk/runtime/manager/clusters.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { memoryLog } from '../../../unit/sdk/runtime/memory-log.ts';

export interface CountingOptions {
  readonly kubeconfig: string;
  readonly server: KubeClient;
  readonly namespace: string;
  /** The kinds in the cache. */
  readonly kinds: readonly Resource[];
}

const writesCounted = new Set<string | symbol>(['apply', 'applyStatus', 'update', 'create']);

/** An operator's client with a cache of its own, which counts what is written. */
export async function startCountingOperator({ kubeconfig, server, namespace, kinds }: CountingOptions) {
  const access = await connectCluster({ kubeconfig, cluster: undefined, name: 'op', log: memoryLog().log });
  const cache = new Cache({
    reflect: access.reflect,
    namespaces: [namespace],
    log: memoryLog().log,
    clock: systemClock,
  });
  for (const kind of kinds) cache.declare(kind);
  const stop = new AbortController();
  const running = cache.start(stop.signal);
  await cache.waitForSync(60_000, stop.signal);
  const count = { sent: 0 };
  const live = new Proxy<Client>(access.client, {
    get: (target, name) => {
      if (writesCounted.has(name)) count.sent += 1;
      const method: unknown = Reflect.get(target, name);
      return typeof method === 'function' ? (method.bind(target) as unknown) : method;
    },
  });
  const writes = new OwnWrites(cache);
  const client = new CacheBackedClient({
    source: 'cache',
    cached: new StoreReader(cache),
    live,
    writes,
    fieldManager: 'op/c',
  });
  return {
    client,
    /** How many writes were sent for what is done. */
    sent: async (what: () => Promise<unknown>): Promise<number> => {
      const before = count.sent;
      await what();
      return count.sent - before;
    },
    /** Waits until the cache has the object as the API server has it. */
    caughtUp: (resource: Resource, name: string) =>
      eventually(
        async () => {
          const [cached, now] = await Promise.all([
            client.find(resource, { name, namespace }),
            server.find(resource, { name, namespace }),
          ]);
          expect(cached?.metadata.resourceVersion).toBe(now?.metadata.resourceVersion);
        },
        { timeout: 30_000, interval: 5 },
      ),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
      await access.close();
    },
  };
}

/** An object without its status, what every write changes, and who owns which field. */
export function content({ metadata, ...rest }: KubeObject): object {
  const { resourceVersion: _, generation: __, managedFields: ___, ...kept } = metadata;
  return { ...rest, status: undefined, metadata: kept };
}
