import { describe, expect, it } from 'vitest';
import { isNotFound } from '../../../../src/index.ts';
import type { ReflectorHandler, ReflectorState } from '../../../../src/sdk/kube/index.ts';
import { Cache, StoreReader, type RunReflector } from '../../../../src/sdk/runtime/cache/index.ts';
import { Turn } from '../../../../src/sdk/runtime/yielding.ts';
import { ConfigMap, configMap, Namespace, Site } from './kinds.ts';
import { ManualClock } from './manual-clock.ts';
import { memoryLog } from './memory-log.ts';

/** A cache whose lists and watches the test delivers. */
function setUp(namespaces?: readonly string[]) {
  const handlers = new Map<string, ReflectorHandler>();
  const statuses = new Map<string, (state: ReflectorState) => void>();
  const reflect: RunReflector = async ({ resource, namespace }, handler, onStatus, signal) => {
    const id = `${resource.plural} ${namespace ?? '*'}`;
    handlers.set(id, {
      ...handler,
      replace(objects, version) {
        handler.replace(objects, version);
        onStatus({ synced: true });
      },
    });
    statuses.set(id, onStatus);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };
  const clock = new ManualClock();
  const { log, lines } = memoryLog();
  const turn = new Turn({ now: () => clock.now() });
  const cache = new Cache({ reflect, namespaces, log, clock, turn });
  const stop = new AbortController();
  return { cache, clock, lines, handlers, statuses, stop, reader: new StoreReader(cache) };
}

describe('reads from the cache', () => {
  it('are refused for kinds that nobody declared', async () => {
    const { reader } = setUp();
    await expect(reader.list(ConfigMap)).rejects.toThrow(/runtime\/undeclared-kind.*configmaps\.v1/);
    await expect(reader.find(ConfigMap, { name: 'a', namespace: 'default' })).rejects.toThrow(
      /undeclared-kind/,
    );
  });

  it('are refused before the manager runs', async () => {
    const { cache, reader } = setUp();
    cache.declare(ConfigMap);
    await expect(reader.list(ConfigMap)).rejects.toThrow(/runtime\/cache-not-started/);
  });

  it('wait for the first list, then find, get and list', async () => {
    const { cache, reader, handlers, stop } = setUp();
    cache.declare(ConfigMap);
    const running = cache.start(stop.signal);
    const waiting = reader.list(ConfigMap);
    handlers
      .get('configmaps *')
      ?.replace(
        [configMap('b', { labels: { x: '1' } }), configMap('a'), configMap('a', { namespace: 'other' })],
        '5',
      );
    expect((await waiting).items.map((o) => `${o.metadata.namespace}/${o.metadata.name}`)).toEqual([
      'default/a',
      'default/b',
      'other/a',
    ]);
    const items = async (options: object) =>
      (await reader.list(ConfigMap, options)).items.map((o) => o.metadata.name);
    expect(await items({ namespace: 'default', labelSelector: 'x=1' })).toEqual(['b']);
    expect(await items({ namespace: 'nowhere' })).toEqual([]);
    expect((await reader.get(ConfigMap, { name: 'b', namespace: 'default' })).metadata.name).toBe('b');
    expect(await reader.find(ConfigMap, { name: 'b', namespace: 'other' })).toBeUndefined();
    await expect(reader.get(ConfigMap, { name: 'b', namespace: 'other' })).rejects.toSatisfy(isNotFound);
    await expect(reader.list(ConfigMap, { fieldSelector: 'metadata.name=a' })).rejects.toThrow(
      /cached-field-selector/,
    );
    expect(await items({ namespace: '' })).toEqual(['a', 'b', 'a']);
    // As the API server would: a key that can be no object's is a mistake, not an object that is not there.
    await expect(reader.find(ConfigMap, { name: 'b' })).rejects.toThrow(/kube\/invalid-request.*namespace/);
    stop.abort();
    await running;
  });

  it('stop waiting when they are aborted', async () => {
    const { cache, reader, stop } = setUp();
    cache.declare(ConfigMap);
    const running = cache.start(stop.signal);
    const call = new AbortController();
    const waiting = reader.list(ConfigMap, { signal: call.signal });
    call.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    stop.abort();
    await running;
  });

  it('know the namespaces that are watched, one informer each, and cluster-scoped kinds', async () => {
    const { cache, reader, handlers, stop } = setUp(['a', 'b', 'a']);
    cache.declare(ConfigMap);
    cache.declare(Namespace);
    expect(cache.declare(ConfigMap)).toBe(cache.declare(ConfigMap));
    const running = cache.start(stop.signal);
    expect([...handlers.keys()]).toEqual(['configmaps a', 'configmaps b', 'namespaces *']);
    handlers.get('configmaps a')?.replace([configMap('x', { namespace: 'a' })], '1');
    expect(await reader.find(ConfigMap, { name: 'x', namespace: 'a' })).toBeDefined();
    expect(cache.unsynced.map((i) => `${i.resource.plural} ${i.namespace ?? '*'}`)).toEqual([
      'configmaps b',
      'namespaces *',
    ]);
    handlers.get('configmaps b')?.replace([configMap('x', { namespace: 'b' })], '1');
    expect((await reader.list(ConfigMap)).items).toHaveLength(2);
    await expect(reader.list(ConfigMap, { namespace: 'c' })).rejects.toThrow(
      /runtime\/outside-cache.*: a, b/,
    );
    handlers.get('namespaces *')?.replace([configMap('n', { namespace: undefined })], '1');
    expect(await reader.get(Namespace, { name: 'n' })).toBeDefined();
    await expect(reader.find(Namespace, { name: 'n', namespace: 'a' })).rejects.toThrow(
      /kube\/invalid-request/,
    );
    await expect(reader.list(Namespace, { namespace: 'a' })).rejects.toThrow(/kube\/invalid-request/);
    expect(cache.lookUp(ConfigMap, 'b/x')?.metadata.namespace).toBe('b');
    expect(cache.lookUp(ConfigMap, 'c/x')).toBeUndefined();
    stop.abort();
    await running;
  });
});

describe('the first sync', () => {
  it('ends with the reason for every kind that is missing', async () => {
    const { cache, clock, statuses, handlers, stop, lines } = setUp();
    cache.declare(ConfigMap);
    cache.declare(Site);
    cache.declare(Namespace);
    const running = cache.start(stop.signal);
    const sync = cache.waitForSync(120_000, stop.signal);
    handlers.get('namespaces *')?.replace([], '1');
    await new Promise(setImmediate);
    statuses.get('configmaps *')?.({ synced: false, error: new Error('no route') });
    statuses.get('configmaps *')?.({ synced: false, error: new Error('no route') });
    const ended = expect(sync).rejects.toThrow(
      expect.objectContaining({
        findings: [
          expect.objectContaining({ message: 'no complete list of configmaps.v1 within 120 s: no route' }),
          expect.objectContaining({
            message:
              'no complete list of sites.v1.web.example.com within 120 s: the API server has not answered yet',
          }),
        ],
      }),
    );
    clock.advance(119_999);
    clock.advance(1);
    await ended;
    expect(lines.filter((l) => l.level === 'warn')).toHaveLength(1);
    statuses.get('configmaps *')?.({ synced: false });
    statuses.get('configmaps *')?.({ synced: false, error: new Error('no route') });
    expect(lines.filter((l) => l.level === 'warn')).toHaveLength(2);
    stop.abort();
    await running;
  });

  it('leaves no timer behind, and ends when it is aborted', async () => {
    const { cache, clock, handlers, stop } = setUp();
    cache.declare(ConfigMap);
    const running = cache.start(stop.signal);
    const aborted = new AbortController();
    const waiting = cache.waitForSync(1000, aborted.signal);
    aborted.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    const sync = cache.waitForSync(1000, stop.signal);
    handlers.get('configmaps *')?.replace([], '1');
    await sync;
    expect(clock.timers).toBe(0);
    stop.abort();
    await running;
  });
});
