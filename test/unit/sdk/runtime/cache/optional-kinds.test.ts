import { expect, test } from 'vitest';
import { ifServed, metadataOnly } from '../../../../../src/sdk/api/index.ts';
import { ApiError, type ReflectorHandler, type ReflectorState } from '../../../../../src/sdk/kube/index.ts';
import { Cache, StoreReader } from '../../../../../src/sdk/runtime/cache/index.ts';
import { Turn } from '../../../../../src/sdk/runtime/yielding.ts';
import { ConfigMap, Site, site } from '../kinds.ts';
import { ManualClock } from '../manual-clock.ts';
import { memoryLog } from '../memory-log.ts';

const target = { verb: 'list', resource: Site } as const;
const missing = ApiError.fromResponse(target, 404, {}, '404 page not found\n');
const forbidden = new ApiError(target, 403, { kind: 'Status', reason: 'Forbidden', message: 'forbidden' });
const failed = (error: Error): ReflectorState => ({ synced: false, error });

/** A cache of one kind whose list and watch the test plays. */
function start(...declarations: readonly (typeof Site)[]) {
  return startIn([undefined], ...declarations);
}

/** The same in several namespaces, of which the first is meant if none is named. */
function startIn(
  [first, ...others]: readonly (string | undefined)[],
  ...declarations: readonly (typeof Site)[]
) {
  const watches = new Map<
    string | undefined,
    { readonly handler: ReflectorHandler; readonly setState: (state: ReflectorState) => void }
  >();
  const namespaces = first === undefined ? undefined : [first, ...others].map(String);
  const watch = (namespace = first) => watches.get(namespace)!;
  const clock = new ManualClock();
  const { log, lines } = memoryLog();
  const cache = new Cache({
    namespaces,
    reflect: ({ namespace }, handler, setState, signal) => {
      watches.set(namespace, { handler, setState });
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    },
    ...{ log, clock, turn: new Turn({ now: () => clock.now() }) },
  });
  const calls: string[] = [];
  for (const declaration of declarations) cache.declare(declaration);
  const [kind] = cache.declared(Site);
  if (kind === undefined) throw new Error('expected a declaration');
  kind.listen(({ type, object }) => calls.push(`${type} ${object.metadata.name}`));
  kind.listenServed(() => calls.push(kind.isServed ? 'served' : 'absent'));
  void cache.start(new AbortController().signal);
  const idle = () => new Promise(setImmediate);
  return {
    ...{ cache, calls, kind, lines },
    unsynced: () => cache.unsynced.length,
    becomes: async (state: ReflectorState, namespace?: string) => {
      watch(namespace).setState(state);
      await idle();
    },
    lists: async (...names: readonly string[]) => {
      watch().handler.replace(
        names.map((name) => site(name)),
        '1',
      );
      watch().setState({ synced: true });
      await idle();
    },
    listsIn: async (namespace: string) => {
      watch(namespace).handler.replace([], '1');
      watch(namespace).setState({ synced: true });
      await idle();
    },
  };
}

test('a kind that is not there is ready and empty, comes, and goes with its objects', async () => {
  const { calls, kind, unsynced, becomes, lists, lines } = start(ifServed(Site));
  expect(unsynced()).toBe(1);
  await becomes(failed(missing));
  expect([unsynced(), kind.isServed]).toEqual([0, false]);
  await lists('a');
  expect([unsynced(), kind.isServed]).toEqual([0, true]);
  await becomes(failed(missing));
  expect([unsynced(), kind.isServed]).toEqual([0, false]);
  expect(calls).toEqual(['create a', 'served', 'delete a', 'absent']);
  expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
    'info Kind not served; going on without it',
    'info Listing and watching again',
    'info Kind not served; going on without it',
  ]);
});

test('a kind that is absent stays so while the API server cannot be reached', async () => {
  const { calls, kind, unsynced, becomes } = start(ifServed(Site));
  await becomes(failed(missing));
  await becomes(failed(new Error('connection refused')));
  expect([unsynced(), kind.isServed]).toEqual([0, false]);
  expect(calls).toEqual([]);
});

test('a kind whose list is refused is not absent', async () => {
  const { kind, unsynced, becomes, lists } = start(ifServed(Site));
  await becomes(failed(forbidden));
  expect([unsynced(), kind.isServed]).toEqual([1, false]);
  await lists('a');
  await becomes(failed(forbidden));
  expect([unsynced(), kind.isServed, kind.get({ namespace: 'default', name: 'a' })]).toMatchObject([
    1,
    true,
    {},
  ]);
});

test('a kind that is absent and then refused may have come, which is a warning, once', async () => {
  const { kind, unsynced, becomes, lines } = start(ifServed(Site));
  await becomes(failed(missing));
  await becomes(failed(forbidden));
  await becomes(failed(forbidden));
  expect([unsynced(), kind.isServed]).toEqual([1, false]);
  const told = lines.filter(({ level }) => level !== 'debug').map(({ level, msg }) => `${level} ${msg}`);
  expect(told).toEqual(['info Kind not served; going on without it', 'warn Failed to list and watch']);
});

test('a write whose answer comes when the kind is gone leaves nothing in the cache', async () => {
  const { kind, becomes, lists } = start(ifServed(Site));
  const key = { namespace: 'default', name: 'a' };
  await lists('a');
  expect(kind.hasWhole(key)).toBe(true);
  await becomes(failed(missing));
  kind.wrote(site('a', { resourceVersion: '7' }));
  expect(kind.get(key)).toBeUndefined();
  expect(kind.hasWhole(key)).toBe(false);
});

test('a write before the first answer about the kind leaves nothing in the cache, either', async () => {
  const { kind, becomes } = start(ifServed(Site));
  kind.wrote(site('a', { resourceVersion: '7' }));
  await becomes(failed(missing));
  expect(kind.get({ namespace: 'default', name: 'a' })).toBeUndefined();
});

test('a kind is served when the objects of all namespaces are in the cache', async () => {
  const { calls, kind, becomes, listsIn } = startIn(['one', 'two'], ifServed(Site));
  await becomes(failed(missing), 'one');
  await becomes(failed(missing), 'two');
  await listsIn('one');
  expect(kind.isServed).toBe(false);
  await listsIn('two');
  expect(kind.isServed).toBe(true);
  expect(calls.at(-1)).toBe('served');
});

test('a kind stays served, or absent, until namespaces that are watched later say otherwise', async () => {
  const { cache, calls, kind, becomes, listsIn } = startIn(['one'], ifServed(Site));
  await listsIn('one');
  cache.setNamespaces(['two']);
  expect(kind.isServed).toBe(true);
  await listsIn('two');
  expect([kind.isServed, calls]).toEqual([true, []]);
  cache.setNamespaces(['three']);
  await becomes(failed(missing), 'three');
  expect([kind.isServed, calls]).toEqual([false, ['absent']]);
  cache.setNamespaces(['four']);
  await listsIn('four');
  expect([kind.isServed, calls]).toEqual([true, ['absent', 'served']]);
});

test('whether a kind is served can be asked of the kind if only its metadata is declared', async () => {
  const { cache, lists } = start(metadataOnly(ifServed(Site)) as typeof Site);
  await lists('a');
  expect(new StoreReader(cache).isServed(Site)).toBe(true);
  expect(() => new StoreReader(cache).isServed(ConfigMap)).toThrow('runtime/undeclared-kind');
});

test.each([
  ['first', [Site, ifServed(Site)]],
  ['last', [ifServed(Site), Site]],
])('a kind that another controller declares without ifServed, %s, is required', async (_, declarations) => {
  const { calls, unsynced, becomes, lists } = start(...declarations);
  await becomes(failed(missing));
  expect(unsynced()).toBe(1);
  await lists('a');
  await becomes(failed(missing));
  expect(unsynced()).toBe(1);
  expect(calls).toEqual(['create a']);
});
