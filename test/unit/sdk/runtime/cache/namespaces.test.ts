import { describe, expect, test } from 'vitest';
import { type KubeObject, type Resource, metadataOnly } from '../../../../../src/sdk/api/index.ts';
import type { OpSdkError } from '../../../../../src/base/errors/index.ts';
import type { ReflectorHandler } from '../../../../../src/sdk/kube/index.ts';
import type { CacheOptions } from '../../../../../src/sdk/runtime/cache/cache.ts';
import {
  Cache,
  cached,
  defineIndex,
  StoreReader,
  type RunReflector,
} from '../../../../../src/sdk/runtime/cache/index.ts';
import { Turn } from '../../../../../src/sdk/runtime/yielding.ts';
import { ConfigMap, configMap, Namespace, Site, site } from '../kinds.ts';
import { ManualClock } from '../manual-clock.ts';
import { memoryLog } from '../memory-log.ts';

type Options = Pick<CacheOptions, 'namespaces' | 'kinds'>;

/** A cache whose lists and watches the test delivers; declares the kinds, but does not start. */
function setUp(options: Options, ...resources: readonly Resource[]) {
  /** What is listed and watched now. */
  const watches = new Map<string, ReflectorHandler>();
  const reflect: RunReflector = async ({ resource, namespace }, handler, onState, signal) => {
    const id = `${resource.plural} ${namespace ?? '*'}`;
    expect(watches.has(id)).toBe(false);
    watches.set(id, {
      ...handler,
      replace(objects, version) {
        handler.replace(objects, version);
        onState({ synced: true });
      },
    });
    signal.addEventListener('abort', () => watches.delete(id));
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };
  const clock = new ManualClock();
  const { log, lines } = memoryLog();
  const turn = new Turn({ now: () => clock.now() });
  const cache = new Cache({ reflect, log, clock, turn, ...options });
  const changes: string[] = [];
  for (const resource of resources) {
    cache.declare(resource).listen(({ type, object }, { initial }) => {
      changes.push(`${initial ? 'initial ' : ''}${type} ${nameOf(object)}`);
    });
  }
  const stop = new AbortController();
  const reader = new StoreReader(cache);
  const list = async (id: string, ...objects: KubeObject[]) => {
    const watch = watches.get(id);
    if (watch === undefined)
      throw new Error(`expected ${id} to be watched, got ${[...watches.keys()].join(', ')}`);
    watch.replace(objects, '1');
    await new Promise(setImmediate);
  };
  const namesOf = async (resource: Resource, namespace?: string) =>
    (await reader.list(resource, { namespace })).items.map(nameOf);
  return {
    ...{ cache, clock, lines, changes, watches, reader, list, namesOf },
    watched: () => [...watches.keys()],
    start: (): AsyncDisposable => {
      const ended = cache.start(stop.signal);
      return {
        async [Symbol.asyncDispose]() {
          stop.abort();
          await ended;
        },
      };
    },
  };
}

function nameOf({ metadata: { namespace, name } }: KubeObject): string {
  return namespace === undefined ? `${name}` : `${namespace}/${name}`;
}

const inNamespace = (namespace: string, name = 'x') =>
  configMap(name, { namespace, uid: `uid-${namespace}-${name}` });

describe('other namespaces for a cache that runs', () => {
  test('those that are added are listed and waited for; those that stay are not listed again', async () => {
    const { cache, start, list, watched, namesOf, changes } = setUp({ namespaces: ['a'] }, ConfigMap);
    await using _ = start();
    await list('configmaps a', inNamespace('a'));
    const before = cache.informers[0];
    const added = cache.setNamespaces(['a', 'b', 'c', 'b']);
    expect(cache.namespaces).toEqual(['a', 'b', 'c']);
    expect(added.map(({ namespace }) => namespace)).toEqual(['b', 'c']);
    expect(cache.informers[0]).toBe(before);
    expect(watched()).toEqual(['configmaps a', 'configmaps b', 'configmaps c']);
    expect(cache.unsynced).toEqual(added);

    const reading = namesOf(ConfigMap);
    expect(await namesOf(ConfigMap, 'a')).toEqual(['a/x']);
    await list('configmaps b', inNamespace('b'));
    await list('configmaps c', inNamespace('c'));
    expect(await reading).toEqual(['a/x', 'b/x', 'c/x']);
    expect(changes).toEqual(['initial create a/x', 'initial create b/x', 'initial create c/x']);
    expect(cache.unsynced).toEqual([]);
  });

  test('the new ones can be waited for alone', async () => {
    const { cache, clock, start, list } = setUp({ namespaces: ['a'] }, ConfigMap);
    await using _ = start();
    // That of `a` never comes.
    const { signal } = new AbortController();
    const synced = cache.waitForSync(1000, signal, cache.setNamespaces(['a', 'b']));
    await list('configmaps b');
    await synced;
    const late = cache.waitForSync(1000, signal, cache.setNamespaces(['a', 'b', 'c']));
    const refused = expect(late).rejects.toMatchObject({
      code: 'runtime/cache-not-synced',
      findings: [{ message: expect.stringContaining('configmaps.v1 in namespace c within 1 s') }],
    });
    clock.advance(1000);
    await refused;
    expect(clock.timers).toBe(0);
  });

  test('those that are removed stop, and are no longer read nor reported as deleted', async () => {
    const { cache, start, list, watches, watched, reader, namesOf, changes } = setUp(
      { namespaces: ['a', 'b'] },
      ConfigMap,
    );
    await using _ = start();
    await list('configmaps a', inNamespace('a'));
    await list('configmaps b', inNamespace('b'));
    changes.length = 0;
    expect(cache.setNamespaces(['a'])).toEqual([]);
    expect(watched()).toEqual(['configmaps a']);
    expect(changes).toEqual([]);
    expect(await namesOf(ConfigMap)).toEqual(['a/x']);
    expect(cache.lookUp(ConfigMap, 'b/x')).toBeUndefined();
    const outside = {
      code: 'runtime/outside-cache',
      message: expect.stringContaining(
        'configmaps.v1 in namespace b is outside the namespaces that are watched: a',
      ),
    };
    await expect(reader.find(ConfigMap, { name: 'x', namespace: 'b' })).rejects.toMatchObject(outside);
    await expect(reader.get(ConfigMap, { name: 'x', namespace: 'b' })).rejects.toMatchObject(outside);
    await expect(reader.list(ConfigMap, { namespace: 'b' })).rejects.toMatchObject(outside);
    expect(watches.size).toBe(1);
  });

  test('one that is removed before its first list ends the reads that wait for it', async () => {
    const { cache, start, list, reader } = setUp({ namespaces: ['a', 'b'] }, ConfigMap);
    await using _ = start();
    await list('configmaps a');
    const waiting = reader.find(ConfigMap, { name: 'x', namespace: 'b' });
    cache.setNamespaces(['a']);
    await expect(waiting).rejects.toMatchObject({ code: 'runtime/outside-cache' });
  });

  test('one that was removed and comes back is listed again from the start', async () => {
    const { cache, start, list, watched, namesOf, changes } = setUp({ namespaces: ['a', 'b'] }, ConfigMap);
    await using _ = start();
    await list('configmaps a');
    await list('configmaps b', inNamespace('b', 'old'));
    cache.setNamespaces(['a']);
    const [added] = cache.setNamespaces(['b', 'a']);
    expect(watched()).toEqual(['configmaps a', 'configmaps b']);
    expect(added?.hasSynced).toBe(false);
    const reading = namesOf(ConfigMap, 'b');
    await list('configmaps b', inNamespace('b', 'new'));
    expect(await reading).toEqual(['b/new']);
    expect(changes).toEqual(['initial create b/old', 'initial create b/new']);
  });

  test('all become some, and some become all', async () => {
    const { cache, start, list, watched, namesOf } = setUp({}, ConfigMap);
    await using _ = start();
    await list('configmaps *', inNamespace('a'), inNamespace('b'));
    expect(await namesOf(ConfigMap, 'b')).toEqual(['b/x']);

    cache.setNamespaces(['a']);
    expect(cache.namespaces).toEqual(['a']);
    expect(watched()).toEqual(['configmaps a']);
    await list('configmaps a', inNamespace('a'));
    expect(await namesOf(ConfigMap)).toEqual(['a/x']);
    await expect(namesOf(ConfigMap, 'b')).rejects.toThrow(/runtime\/outside-cache/);

    cache.setNamespaces(undefined);
    expect(cache.namespaces).toBeUndefined();
    expect(watched()).toEqual(['configmaps *']);
    await list('configmaps *', inNamespace('a'), inNamespace('b'));
    expect(await namesOf(ConfigMap)).toEqual(['a/x', 'b/x']);
    expect(await namesOf(ConfigMap, 'b')).toEqual(['b/x']);
  });

  test('none: nothing is watched nor read', async () => {
    const { cache, start, list, watched, namesOf } = setUp({ namespaces: ['a'] }, ConfigMap);
    await using _ = start();
    await list('configmaps a', inNamespace('a'));
    cache.setNamespaces([]);
    expect(watched()).toEqual([]);
    await expect(namesOf(ConfigMap, 'a')).rejects.toThrow(/runtime\/outside-cache/);
  });

  test('kinds without namespaces, and those with namespaces of their own, stay as they are', async () => {
    const { cache, start, list, watched, namesOf } = setUp(
      { namespaces: ['a'], kinds: [cached(Site, { namespaces: ['own', 'second'] })] },
      ...[ConfigMap, Namespace, Site],
    );
    await using _ = start();
    await list('namespaces *', configMap('n', { namespace: undefined }));
    await list('sites own', site('s', { namespace: 'own' }));
    await list('sites second');
    const untouched = ['namespaces *', 'sites own', 'sites second'];
    for (const namespaces of [['b'], undefined, ['own'], ['a', 'b']]) {
      const added = cache.setNamespaces(namespaces);
      expect(new Set(added.map(({ resource }) => resource.kind))).toEqual(new Set(['ConfigMap']));
      expect(watched().filter((id) => !id.startsWith('configmaps'))).toEqual(untouched);
      expect(await namesOf(Namespace)).toEqual(['n']);
      expect(await namesOf(Site)).toEqual(['own/s']);
    }
    await expect(namesOf(Site, 'a')).rejects.toThrow(/runtime\/outside-cache.*: own, second/);
  });

  test('an index finds objects of the new ones, and none of the removed ones', async () => {
    const byLetter = defineIndex(ConfigMap, 'letter', ({ metadata }) => metadata.name[0] ?? '');
    const { cache, start, list, reader } = setUp({ namespaces: ['a', 'b'] }, ConfigMap);
    cache.addIndex(byLetter);
    await using _ = start();
    await list('configmaps a', inNamespace('a'), inNamespace('a', 'y'));
    await list('configmaps b', inNamespace('b'));
    const found = async () => (await reader.byIndex(byLetter, 'x')).items.map(nameOf);
    expect(await found()).toEqual(['a/x', 'b/x']);
    cache.setNamespaces(['c', 'a']);
    await list('configmaps c', inNamespace('c'));
    expect(await found()).toEqual(['a/x', 'c/x']);
    await expect(reader.byIndex(byLetter, 'x', { namespace: 'b' })).rejects.toThrow(/runtime\/outside-cache/);
  });
});

test('before the start, namespaces are as if they were chosen at first: nothing is watched twice', async () => {
  const { cache, start, watched } = setUp({ namespaces: ['a'] }, ConfigMap);
  cache.setNamespaces(['b', 'c']);
  cache.declare(Site);
  expect(watched()).toEqual([]);
  await using _ = start();
  expect(watched()).toEqual(['configmaps b', 'configmaps c', 'sites b', 'sites c']);
});

test('the cache ends with the watches of namespaces that were added while it ran', async () => {
  const { cache, start, watched } = setUp({ namespaces: ['a'] }, ConfigMap);
  {
    await using _ = start();
    cache.setNamespaces(['b']);
    cache.setNamespaces(['b', 'c']);
    expect(watched()).toEqual(['configmaps b', 'configmaps c']);
  }
  expect(watched()).toEqual([]);
});

describe('kinds that nobody declares', () => {
  const byName = defineIndex(Site, 'name', ({ metadata }) => metadata.name);

  function refusal(cache: Cache): OpSdkError | undefined {
    try {
      cache.checkDeclared();
      return undefined;
    } catch (error) {
      return error as OpSdkError;
    }
  }

  test('are refused for indexes and entries of `cache`, all at once', () => {
    const { cache } = setUp({ kinds: [cached(Namespace, {}), cached(ConfigMap, {})] }, ConfigMap);
    cache.addIndex(byName);
    expect(refusal(cache)?.findings).toMatchObject([
      {
        code: 'runtime/undeclared-kind',
        message: 'the index name is of Site (sites.v1.web.example.com), but no controller declares that kind',
      },
      {
        code: 'runtime/undeclared-kind',
        message: 'an entry of `cache` is of Namespace (namespaces.v1), but no controller declares that kind',
      },
    ]);
  });

  test('are accepted once they are declared, before or after: whole, or with their metadata alone', () => {
    for (const resource of [Site, metadataOnly(Site)]) {
      const { cache } = setUp({ kinds: [cached(Site, {})] }, resource);
      cache.addIndex(byName);
      expect(refusal(cache)).toBeUndefined();
      const later = setUp({ kinds: [cached(Site, {})] }).cache;
      later.addIndex(byName);
      expect(refusal(later)?.findings).toHaveLength(2);
      later.declare(resource);
      expect(refusal(later)).toBeUndefined();
    }
  });
});

describe('a function of an index that throws', () => {
  function setUpFailing(namespaces?: readonly string[]) {
    const byData = defineIndex(ConfigMap, 'word', ({ metadata, data }) => {
      if (data === undefined) throw new Error(`${metadata.name} has no data`);
      return data['word'] ?? '';
    });
    const running = setUp({ namespaces }, ConfigMap);
    running.cache.addIndex(byData);
    return {
      ...running,
      found: async () => (await running.reader.byIndex(byData, 'hi')).items.map(nameOf),
      failures: () => running.lines.filter(({ msg }) => msg === 'Index function failed'),
    };
  }
  const good = { ...configMap('good'), data: { word: 'hi' } };

  test('is logged once for each state of an object, and the others are found', async () => {
    const { start, watches, list, found, failures } = setUpFailing();
    await using _ = start();
    const watch = watches.get('configmaps *');
    await list('configmaps *', configMap('bad'), good);
    expect(await found()).toEqual(['default/good']);
    expect(failures()).toMatchObject([
      {
        level: 'error',
        index: 'word',
        kind: 'ConfigMap',
        namespace: 'default',
        name: 'bad',
        error: { message: 'bad has no data' },
      },
    ]);
    // The same state comes again: from a list, and from the watch.
    watch?.replace([configMap('bad'), good], '5');
    await new Promise(setImmediate);
    watch?.apply('MODIFIED', configMap('bad'));
    expect(failures()).toHaveLength(1);
    // Another state is another failure, and removing the first from the index is none.
    watch?.apply('MODIFIED', configMap('bad', { resourceVersion: '6' }));
    expect(failures()).toHaveLength(2);
    watch?.apply('MODIFIED', {
      ...configMap('bad', { resourceVersion: '7' }),
      data: { word: 'hi' },
    } as KubeObject);
    expect(await found()).toEqual(['default/bad', 'default/good']);
    watch?.apply('MODIFIED', configMap('bad', { resourceVersion: '8' }));
    watch?.apply('DELETED', configMap('bad', { resourceVersion: '9' }));
    expect(await found()).toEqual(['default/good']);
    expect(failures()).toHaveLength(3);
  });

  test('is logged once for an object of a namespace that is added later', async () => {
    const { cache, start, list, failures } = setUpFailing(['a']);
    await using _ = start();
    await list('configmaps a', inNamespace('a'));
    cache.setNamespaces(['a', 'b']);
    await list('configmaps b', inNamespace('b'));
    expect(failures().map(({ namespace, name }) => `${String(namespace)}/${String(name)}`)).toEqual([
      'a/x',
      'b/x',
    ]);
  });
});
