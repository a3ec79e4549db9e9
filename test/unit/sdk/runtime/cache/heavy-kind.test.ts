import { expect, test } from 'vitest';
import { metadataOnly } from '../../../../../src/sdk/api/index.ts';
import type { ReflectorHandler } from '../../../../../src/sdk/kube/index.ts';
import { Cache } from '../../../../../src/sdk/runtime/cache/index.ts';
import { Turn } from '../../../../../src/sdk/runtime/yielding.ts';
import { ConfigMap, configMap } from '../kinds.ts';
import { ManualClock } from '../manual-clock.ts';
import { memoryLog } from '../memory-log.ts';

const MiB = 2 ** 20;

/** A cache of one kind in two namespaces, in a process with little memory; the test delivers its lists and events. */
async function start(resource: typeof ConfigMap, heapLimit: number | undefined) {
  const handlers: ReflectorHandler[] = [];
  const { log, lines } = memoryLog();
  const cache = new Cache({
    reflect: async (_scope, handler, _onState, signal) => {
      handlers.push(handler);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    ...{ namespaces: ['a', 'b'], heapLimit, log, clock: new ManualClock(), turn: new Turn() },
  });
  cache.declare(resource);
  const stop = new AbortController();
  const ended = cache.start(stop.signal);
  for (const [index, handler] of handlers.entries())
    handler.replace([large(['a', 'b'][index] ?? '', 'first', 0)], '1');
  await cache.waitForSync(1000, stop.signal);
  return {
    lines,
    listing: (bytes: number) => handlers[0]?.listing?.(bytes),
    event: (type: 'ADDED' | 'MODIFIED' | 'DELETED', namespace: 'a' | 'b', name: string, size: number) =>
      handlers[namespace === 'a' ? 0 : 1]?.apply(type, large(namespace, name, size)),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await ended;
    },
  };
}

let version = 1;
const large = (namespace: string, name: string, size: number) => ({
  ...configMap(name, { namespace, resourceVersion: String((version += 1)) }),
  data: { text: 'x'.repeat(size) },
});

test('warns once when a kind is estimated at half of the memory, in all namespaces together, with the ways out', async () => {
  await using cache = await start(ConfigMap, 30 * MiB);
  const { lines, event } = cache;
  // Half of the memory are 15 MiB on the heap, which are 10 MiB of JSON.
  event('ADDED', 'a', 'x', 6 * MiB);
  event('ADDED', 'b', 'y', 3 * MiB);
  event('DELETED', 'a', 'x', 6 * MiB);
  event('ADDED', 'a', 'z', 6 * MiB);
  await new Promise(setImmediate);
  expect(lines).toEqual([]);
  event('MODIFIED', 'b', 'y', 4 * MiB);
  event('ADDED', 'b', 'later', 4 * MiB);
  await expect.poll(() => lines.length).toBe(1);
  expect(lines[0]).toMatchObject({
    level: 'warn',
    msg: 'The cache of a kind takes half of the memory',
    kind: 'configmaps.v1',
    limit: 30 * MiB,
    error: {
      findings: [
        {
          code: 'runtime/cache-memory',
          message:
            'the cache of configmaps.v1: expected less than half of the 30 MiB that the process can use, got about 15 MiB',
          fix: [
            'cache fewer objects: createManager({ cache: [cached(ConfigMap, { labelSelector })] }), or with fieldSelector or namespaces',
            'or drop the fields that no controller reads: cached(ConfigMap, { transform })',
            'or cache only the metadata: declare metadataOnly(ConfigMap) in the controllers',
            'or raise the memory limit of the container and --max-old-space-size',
          ],
        },
      ],
    },
  });
  expect(lines[0]?.['bytes']).toBeGreaterThan(10 * MiB);
  expect(lines[0]?.['bytes']).toBeLessThan(10.1 * MiB);
  event('DELETED', 'a', 'z', 6 * MiB);
  event('ADDED', 'a', 'z', 6 * MiB);
  await new Promise(setImmediate);
  expect(lines).toHaveLength(1);
});

test('does not advise to cache less of an object when only its metadata is cached', async () => {
  await using cache = await start(metadataOnly(ConfigMap), 3 * MiB);
  cache.event('ADDED', 'a', 'x', 1 * MiB);
  await expect.poll(() => cache.lines.length).toBe(1);
  expect(JSON.stringify(cache.lines[0])).not.toContain('transform');
});

test('warns while a list arrives, which is in memory beside the objects', async () => {
  await using cache = await start(ConfigMap, 30 * MiB);
  cache.event('ADDED', 'b', 'x', 4 * MiB);
  cache.listing(3 * MiB);
  cache.listing(5.9 * MiB);
  await new Promise(setImmediate);
  expect(cache.lines).toEqual([]);
  cache.listing(6 * MiB);
  cache.listing(7 * MiB);
  await expect.poll(() => cache.lines.length).toBe(1);
  expect(cache.lines[0]?.['bytes']).toBeLessThan(10.1 * MiB);
});

test('warns of nothing without a limit', async () => {
  await using cache = await start(ConfigMap, undefined);
  cache.event('ADDED', 'a', 'x', 8 * MiB);
  await new Promise(setImmediate);
  expect(cache.lines).toEqual([]);
});
