import { expect, it } from 'vitest';
import { defineController, watch, type ControllerOptions } from '../../../src/index.ts';
import type { ReflectorHandler } from '../../../src/kube/index.ts';
import { Cache, StoreReader } from '../../../src/runtime/cache/index.ts';
import { wireController } from '../../../src/runtime/manager/wire-controller.ts';
import { WorkQueue } from '../../../src/runtime/queue/index.ts';
import { ConfigMap, configMap, Namespace, Site, site } from './kinds.ts';
import { ManualClock } from './manual-clock.ts';
import { memoryLog } from './memory-log.ts';

/** A controller whose kinds the test delivers, and the keys that it is to reconcile then. */
function setUp(options: Partial<ControllerOptions<Site>>) {
  const handlers = new Map<string, ReflectorHandler>();
  const clock = new ManualClock();
  const { log, lines } = memoryLog();
  const cache = new Cache({
    log,
    clock,
    reflect: async ({ resource }, handler) => void handlers.set(resource.plural, handler),
  });
  const queue = new WorkQueue({ clock });
  const controller = defineController({ name: 'wired', for: Site, reconcile: () => undefined, ...options });
  wireController(controller, { cache, queue, reader: new StoreReader(cache), log });
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
  return { asked, lines, deliver: (plural: string) => handlers.get(plural) as ReflectorHandler };
}

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

it('says what is wrong with a map that fails, or that gives keys of no object', async () => {
  let map: () => { name: string; namespace?: string }[] = () => {
    throw new Error('oops');
  };
  const { asked, deliver, lines } = setUp({ watches: [watch(Namespace, { map: () => map() })] });
  const namespaces = deliver('namespaces');
  namespaces.apply('ADDED', configMap('n', { namespace: undefined }));
  expect(await asked()).toEqual([]);
  map = () => [{ name: 'a' }];
  namespaces.apply('MODIFIED', configMap('n', { namespace: undefined, resourceVersion: '2' }));
  expect(await asked()).toEqual([]);
  expect(lines.map(({ error }) => (error as Error).message)).toEqual([
    'oops',
    'invalid key of a Site: expected name and namespace, got {"name":"a"}',
    'invalid key of a Site: expected name and namespace, got {"name":"a"}',
  ]);
  map = () => [{ name: 'a', namespace: 'default' }];
  namespaces.apply('DELETED', configMap('n', { namespace: undefined, resourceVersion: '3' }));
  expect(await asked()).toEqual(['default/a']);
});
