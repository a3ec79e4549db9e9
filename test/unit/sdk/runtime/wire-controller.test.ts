import { expect, it } from 'vitest';
import {
  defineController,
  ifServed,
  terminalError,
  watch,
  type ControllerOptions,
  type ObjectEvent,
  type Resource,
} from '../../../../src/index.ts';
import { ApiError, type ReflectorHandler, type ReflectorState } from '../../../../src/sdk/kube/index.ts';
import { Cache, StoreReader } from '../../../../src/sdk/runtime/cache/index.ts';
import { wireController } from '../../../../src/sdk/runtime/manager/prepare-controller.ts';
import { WorkQueue } from '../../../../src/sdk/runtime/queue/index.ts';
import { ConfigMap, configMap, Namespace, Site, site } from './kinds.ts';
import { ManualClock } from './manual-clock.ts';
import { memoryLog } from './memory-log.ts';
import { Turn } from '../../../../src/sdk/runtime/yielding.ts';

/** A controller whose kinds the test delivers, and the keys that it is to reconcile then. */
function setUp(options: Partial<ControllerOptions<Site>>, keeps?: (key: string) => boolean) {
  const handlers = new Map<string, ReflectorHandler>();
  const states = new Map<string, (state: ReflectorState) => void>();
  const clock = new ManualClock();
  const { log, lines } = memoryLog();
  const turn = new Turn({ now: () => clock.now() });
  const cache = new Cache({
    log,
    clock,
    turn,
    reflect: async ({ resource: { plural } }, handler, onState) => {
      handlers.set(plural, handler);
      states.set(plural, onState);
    },
  });
  const queue = new WorkQueue({ clock });
  const controller = defineController({ name: 'wired', for: Site, reconcile: () => undefined, ...options });
  const stop = new AbortController();
  const { signal } = stop;
  wireController(controller, {
    cacheOf: () => cache,
    queue,
    ...(keeps === undefined ? {} : { keeps }),
    reader: new StoreReader(cache),
    log,
    signal,
    clock,
    turn,
  });
  void cache.start(new AbortController().signal);
  const asked = async (): Promise<string[]> => {
    await new Promise(setImmediate);
    const keys: string[] = [];
    while (queue.length > 0) {
      const key = (await queue.get()) ?? '';
      keys.push(key);
      queue.done(key);
    }
    return keys.sort();
  };
  return {
    asked,
    lines,
    clock,
    stop,
    cache,
    queue,
    deliver: (plural: string) => handlers.get(plural) as ReflectorHandler,
    become: (plural: string, state: ReflectorState) => states.get(plural)?.(state),
  };
}

it('asks for the objects that predicates let pass when an optional kind comes and goes', async () => {
  const { asked, deliver, become } = setUp({
    owns: [ifServed(ConfigMap)],
    predicates: [({ object }) => object.metadata.name === 'mine'],
  });
  const error = ApiError.fromResponse({ verb: 'list', resource: ConfigMap }, 404, {}, '404 page not found');
  deliver('sites').replace([site('mine'), site('theirs')], '1');
  become('configmaps', { synced: false, error });
  expect(await asked()).toEqual(['default/mine']);
  deliver('configmaps').replace([], '1');
  become('configmaps', { synced: true });
  expect(await asked()).toEqual(['default/mine']);
  become('configmaps', { synced: false, error });
  expect(await asked()).toEqual(['default/mine']);
});

it('asks for a deleted object that predicates reject only if the process keeps something for it', async () => {
  const rejecting = { predicates: [() => false], forget: () => undefined };
  const { asked, deliver } = setUp(rejecting, (key) => key === 'default/kept');
  deliver('sites').replace([site('kept'), site('theirs')], '1');
  // Another object of the name, which the predicates reject, would be reconciled in place of the deleted one.
  const twin = site('theirs', { uid: 'twin', resourceVersion: '2' });
  deliver('sites').replace([twin], '2');
  expect(await asked()).toEqual(['default/kept']);
});

const ownedBy = (name: string) => ({
  ownerReferences: [
    { apiVersion: Site.apiVersion, kind: 'Site', name, uid: `uid-${name}`, controller: true },
  ],
});

it('asks for both owners when an object goes from one to another, and for the last when it is deleted', async () => {
  const { asked, deliver } = setUp({ owns: [ConfigMap] });
  const configMaps = deliver('configmaps');
  configMaps.apply('ADDED', configMap('c', ownedBy('a')));
  expect(await asked()).toEqual(['default/a']);
  configMaps.apply('MODIFIED', configMap('c', { ...ownedBy('b'), resourceVersion: '2' }));
  expect(await asked()).toEqual(['default/a', 'default/b']);
  configMaps.apply('DELETED', configMap('c', { ...ownedBy('b'), resourceVersion: '3' }));
  expect(await asked()).toEqual(['default/b']);
});

it('asks for an object that was created again during an outage, whatever its generation', async () => {
  const { asked, deliver } = setUp({});
  deliver('sites').replace([site('a')], '1');
  expect(await asked()).toEqual(['default/a']);
  deliver('sites').replace([site('a', { uid: 'other', resourceVersion: '9' })], '9');
  expect(await asked()).toEqual(['default/a']);
  deliver('sites').replace([site('a', { uid: 'other', resourceVersion: '10' })], '10');
  expect(await asked()).toEqual([]);
});

it('a predicate that throws costs neither the change nor the operator', async () => {
  const predicates = [
    () => {
      throw new Error('oops');
    },
  ];
  const { asked, deliver, lines } = setUp({
    predicates,
    watches: [watch(ConfigMap, { predicates, map: () => [{ name: 'mapped', namespace: 'default' }] })],
  });
  deliver('sites').apply('ADDED', site('a'));
  deliver('configmaps').apply('ADDED', configMap('c'));
  expect(await asked()).toEqual(['default/a', 'default/mapped']);
  expect(lines).toMatchObject([
    {
      msg: 'Predicate failed; treating the event as accepted',
      level: 'error',
      controller: 'wired',
      kind: 'Site',
      name: 'a',
    },
    {
      msg: 'Predicate failed; treating the event as accepted',
      level: 'error',
      controller: 'wired',
      kind: 'ConfigMap',
      name: 'c',
    },
  ]);
});

it('says what is wrong with a map that fails, or that gives keys of no object, and repeats it until it succeeds', async () => {
  let map: () => { name: string; namespace?: string }[] = () => {
    throw new Error('oops');
  };
  const { asked, clock, deliver, lines } = setUp({ watches: [watch(Namespace, { map: () => map() })] });
  const namespaces = deliver('namespaces');
  namespaces.apply('ADDED', configMap('n', { namespace: undefined }));
  expect(await asked()).toEqual([]);
  clock.advance(4);
  expect(await asked()).toEqual([]);
  clock.advance(1);
  expect(await asked()).toEqual([]);
  map = () => [{ name: 'a' }];
  clock.advance(10);
  expect(await asked()).toEqual([]);
  expect(lines).toMatchObject([
    {
      msg: 'Watch map function failed',
      controller: 'wired',
      name: 'n',
      attempt: 1,
      retryAfter: '5ms',
      error: { message: 'oops' },
    },
    { attempt: 2, retryAfter: '10ms', error: { message: 'oops' } },
    {
      attempt: 3,
      retryAfter: '20ms',
      error: { message: 'invalid key of a Site: expected name and namespace, got {"name":"a"}' },
    },
  ]);
  map = () => [{ name: 'a', namespace: 'default' }];
  clock.advance(20);
  expect(await asked()).toEqual(['default/a']);
  clock.advance(1_000_000);
  expect(await asked()).toEqual([]);
  expect(lines).toHaveLength(3);
  // The next failure is a first one.
  map = () => {
    throw terminalError(new Error('hopeless'));
  };
  namespaces.apply('DELETED', configMap('n', { namespace: undefined, resourceVersion: '3' }));
  expect(await asked()).toEqual([]);
  clock.advance(1_000_000);
  expect(await asked()).toEqual([]);
  expect(lines.slice(3)).toMatchObject([{ attempt: 1, error: { message: 'hopeless' } }]);
  expect(lines[3]).not.toHaveProperty('retryAfter');
});

it('a map that fails for one state of an object does not hold back the other', async () => {
  const { asked, clock, deliver } = setUp({
    watches: [
      watch(ConfigMap, {
        map: ({ metadata }) => {
          if (metadata.resourceVersion === '1') throw new Error('oops');
          return [{ name: 'a', namespace: 'default' }];
        },
      }),
    ],
  });
  const configMaps = deliver('configmaps');
  configMaps.apply('ADDED', configMap('c'));
  expect(await asked()).toEqual([]);
  configMaps.apply('MODIFIED', configMap('c', { resourceVersion: '2' }));
  expect(await asked()).toEqual(['default/a']);
  clock.advance(1_000_000);
  expect(await asked()).toEqual([]);
});

/** A watch whose maps end when the test says so. */
function slowMaps() {
  const running: { readonly version: string; end(): void }[] = [];
  const watches = [
    watch(ConfigMap, {
      map: async ({ metadata: { name, resourceVersion } }) => {
        const version = `${name}@${resourceVersion}`;
        await new Promise<void>((resolve) => running.push({ version, end: resolve }));
        return [{ name, namespace: 'default' }];
      },
    }),
  ];
  const endAll = async (): Promise<string[]> => {
    const versions: string[] = [];
    for (let map = running.shift(); map !== undefined; map = running.shift()) {
      versions.push(map.version);
      map.end();
      await new Promise(setImmediate);
    }
    return versions;
  };
  return { watches, running, endAll };
}

it('runs at most 16 maps of a controller at a time; each object gets its turn', async () => {
  const { watches, running, endAll } = slowMaps();
  const { asked, deliver } = setUp({ watches });
  for (let i = 0; i < 40; i++) deliver('configmaps').apply('ADDED', configMap(`c${i}`));
  expect(await asked()).toEqual([]);
  expect(running).toHaveLength(16);
  expect(await endAll()).toHaveLength(40);
  expect(await asked()).toHaveLength(40);
});

it('changes of an object that come while its map runs are mapped together: the first, and the last two states', async () => {
  const { watches, running, endAll } = slowMaps();
  const { asked, deliver } = setUp({ watches });
  const configMaps = deliver('configmaps');
  configMaps.apply('ADDED', configMap('c'));
  await asked();
  for (let version = 2; version <= 50; version++)
    configMaps.apply('MODIFIED', configMap('c', { resourceVersion: `${version}` }));
  configMaps.apply('DELETED', configMap('c', { resourceVersion: '51' }));
  // Another object of that name is another matter.
  configMaps.apply('ADDED', configMap('c', { uid: 'other', resourceVersion: '52' }));
  await asked();
  expect(running.map(({ version }) => version)).toEqual(['c@1', 'c@52']);
  expect(await endAll()).toEqual(['c@1', 'c@52', 'c@1', 'c@50', 'c@51']);
  expect(await asked()).toEqual(['default/c']);
});

it('maps end with the manager: none begins, none is repeated, none is logged', async () => {
  const { watches, running, endAll } = slowMaps();
  const failing = watch(Namespace, {
    map: () => {
      throw new Error('oops');
    },
  });
  const { asked, clock, deliver, lines, stop } = setUp({ watches: [...watches, failing] });
  deliver('namespaces').apply('ADDED', configMap('n', { namespace: undefined }));
  for (let i = 0; i < 40; i++) deliver('configmaps').apply('ADDED', configMap(`c${i}`));
  await asked();
  expect(lines).toHaveLength(1);
  stop.abort();
  expect(clock.timers).toBe(0);
  deliver('namespaces').apply('ADDED', configMap('m', { namespace: undefined }));
  const begun = running.length;
  expect(await endAll()).toHaveLength(begun);
  expect(lines).toHaveLength(1);
});

it('W9: objects of the first list are reconciled at low priority, whatever kind they are of', async () => {
  const listeners = new Map<string, (change: ObjectEvent, info: { initial: boolean }) => void>();
  const declare = ({ plural }: Resource) => ({
    listen: (listener: () => void) => listeners.set(plural, listener),
  });
  const clock = new ManualClock();
  const turn = new Turn({ now: () => clock.now() });
  const queue = new WorkQueue({ clock });
  const controller = defineController({
    for: Site,
    owns: [ConfigMap],
    watches: [watch(Namespace, { map: () => [{ name: 'mapped', namespace: 'default' }] })],
    reconcile: () => undefined,
  });
  const cache = { declare } as unknown as Cache;
  const reader = new StoreReader(cache);
  const { signal } = new AbortController();
  wireController(controller, {
    cacheOf: () => cache,
    queue,
    reader,
    log: memoryLog().log,
    signal,
    clock,
    turn,
  });
  const tell = ({ plural }: Resource, change: ObjectEvent, info = { initial: false }): void =>
    listeners.get(plural)?.(change, info);
  tell(Site, { type: 'create', object: site('a') }, { initial: true });
  tell(ConfigMap, { type: 'create', object: configMap('c', ownedBy('b')) }, { initial: true });
  tell(Namespace, { type: 'create', object: configMap('n', { namespace: undefined }) }, { initial: true });
  tell(Site, { type: 'create', object: site('new') }, { initial: false });
  tell(Site, { type: 'create', object: site('newer') });
  await new Promise(setImmediate);
  const order: [string, number | undefined][] = [];
  while (queue.length > 0) {
    const key = (await queue.get()) ?? '';
    order.push([key, queue.held(key)?.priority]);
    queue.done(key);
  }
  expect(order).toEqual([
    ['default/new', 0],
    ['default/newer', 0],
    ['default/a', -100],
    ['default/b', -100],
    ['default/mapped', -100],
  ]);
});

it('a map that does not end is named each minute', async () => {
  const { deliver, clock, lines, stop } = setUp({
    watches: [watch(ConfigMap, { map: () => new Promise(() => undefined) })],
  });
  deliver('configmaps').apply('ADDED', configMap('c'));
  await new Promise(setImmediate);
  clock.advance(60_000);
  clock.advance(60_000);
  expect(lines).toMatchObject(
    ['1m', '2m'].map((running) => ({
      level: 'warn',
      msg: 'Watch map function still running',
      ...{ controller: 'wired', kind: 'ConfigMap', name: 'c', running },
    })),
  );
  stop.abort();
});
