import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Store, type ObjectEvent } from '../../../../src/sdk/runtime/cache/index.ts';
import { replace } from './replace.ts';
import { ConfigMap, configMap } from './kinds.ts';

const told = (changes: readonly ObjectEvent[]) => changes.map((c) => `${c.type} ${c.object.metadata.name}`);

function filled() {
  const store = new Store(ConfigMap);
  replace(store, [configMap('a'), configMap('b'), configMap('c')], '10');
  return store;
}

describe('store', () => {
  it('R12: tells only what a new list changes, deletes first, with their last state', () => {
    const store = filled();
    const changes = replace(
      store,
      [configMap('b'), configMap('c', { resourceVersion: '2' }), configMap('d')],
      '20',
    );
    expect(told(changes)).toEqual(['delete a', 'update c', 'create d']);
    expect(changes[0]).toMatchObject({ object: { metadata: { uid: 'uid-a' } } });
    expect(changes[1]).toMatchObject({ oldObject: { metadata: { resourceVersion: '1' } } });
    expect(store.size).toBe(3);
  });

  it('R12: another uid under a name is a delete and a create, by list and by watch', () => {
    expect(
      told(replace(filled(), [configMap('a', { uid: 'new' }), configMap('b'), configMap('c')], '20')),
    ).toEqual(['delete a', 'create a']);
    expect(told(filled().apply('MODIFIED', configMap('a', { uid: 'new', resourceVersion: '2' })))).toEqual([
      'delete a',
      'create a',
    ]);
  });

  it('tells the events of a watch, but no repetition', () => {
    const store = filled();
    expect(told(store.apply('ADDED', configMap('d')))).toEqual(['create d']);
    expect(told(store.apply('ADDED', configMap('d')))).toEqual([]);
    expect(told(store.apply('MODIFIED', configMap('d', { resourceVersion: '2' })))).toEqual(['update d']);
    expect(told(store.apply('DELETED', configMap('d', { resourceVersion: '3' })))).toEqual(['delete d']);
    expect(told(store.apply('DELETED', configMap('d')))).toEqual([]);
    expect(store.get('default/d')).toBeUndefined();
  });

  it('freezes objects and fills in apiVersion and kind', () => {
    const store = new Store(ConfigMap);
    const bare = { ...configMap('a', { labels: { a: 'b' } }), apiVersion: '', kind: '' };
    replace(store, [bare], '1');
    const kept = store.get('default/a');
    expect(kept).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    expect(() => Object.assign(kept?.metadata.labels ?? {}, { a: 'c' })).toThrow(TypeError);
  });

  it('takes lists longer than the arguments that a call can have', () => {
    const store = new Store(ConfigMap);
    replace(
      store,
      Array.from({ length: 200_000 }, (_, i) => configMap(`n${i}`)),
      '1',
    );
    expect(replace(store, [], '2')).toHaveLength(200_000);
  });

  it('adding up all changes gives the state, whatever the events', () => {
    const object = fc
      .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('u', 'v'), fc.constantFrom('1', '2', '3'))
      .map(([name, uid, resourceVersion]) => configMap(name, { uid, resourceVersion }));
    const event = fc.oneof(
      fc.record({ type: fc.constantFrom('ADDED' as const, 'MODIFIED' as const, 'DELETED' as const), object }),
      fc
        .uniqueArray(object, { selector: (o) => o.metadata.name })
        .map((list) => ({ type: 'LIST' as const, list })),
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const store = new Store(ConfigMap);
        const seen = new Map<string, string>();
        for (const each of events) {
          const changes =
            each.type === 'LIST'
              ? replace(store, structuredClone(each.list), '1')
              : store.apply(each.type, structuredClone(each.object));
          for (const change of changes) {
            const { name, uid } = change.object.metadata;
            expect(seen.has(name)).toBe(change.type !== 'create');
            if (change.type === 'update') expect(change.oldObject.metadata.uid).toBe(uid);
            if (change.type === 'delete') seen.delete(name);
            else seen.set(name, JSON.stringify(change.object));
          }
        }
        expect([...seen.values()].sort()).toEqual(
          [...store.entries()].map(([, o]) => JSON.stringify(o)).sort(),
        );
      }),
    );
  });
});
