import { describe, expect, it } from 'vitest';
import { Store, type CachedObject, type ObjectEvent } from '../../../../../src/sdk/runtime/cache/index.ts';
import { KindCache } from '../../../../../src/sdk/runtime/cache/kind-cache.ts';
import type { Selection } from '../../../../../src/sdk/runtime/cache/cached-reader.ts';
import { Turn } from '../../../../../src/sdk/runtime/yielding.ts';
import { ConfigMap, configMap } from '../kinds.ts';
import { ManualClock } from '../manual-clock.ts';
import { replace } from '../replace.ts';

type Metadata = Parameters<typeof configMap>[1];

const version = (name: string, resourceVersion: string, metadata: Metadata = {}) =>
  configMap(name, { ...metadata, resourceVersion }) as CachedObject;

/** A kind whose list has `a` at version 5. */
function kindWith(selection: Selection = {}, metadata: Metadata = {}) {
  const kind = new KindCache({
    resource: ConfigMap,
    selection,
    namespaces: undefined,
    turn: new Turn(),
    clock: new ManualClock(),
    onIndexError: () => undefined,
  });
  const store = kind.informers[0]?.store ?? new Store(ConfigMap);
  replace(store, [version('a', '5', metadata)], '5');
  return { kind, store, seen: () => store.get('default/a')?.metadata };
}

const key = { namespace: 'default', name: 'a' };

describe('an object that was deleted by this operator stays hidden', () => {
  it('when an event of the object that it replaced comes after', () => {
    const { kind, store, seen } = kindWith({}, { uid: 'first' });
    kind.removed(key, 'first');
    kind.wrote(version('a', '9', { uid: 'second' }));
    kind.removed(key, 'second');
    store.apply('MODIFIED', version('a', '6', { uid: 'first' }));
    expect(seen()).toBeUndefined();
    store.apply('DELETED', version('a', '8', { uid: 'first' }));
    store.apply('ADDED', version('a', '9', { uid: 'second' }));
    expect(seen()).toBeUndefined();
    store.apply('DELETED', version('a', '10', { uid: 'second' }));
    store.apply('ADDED', version('a', '11', { uid: 'third' }));
    expect(seen()?.uid).toBe('third');
  });

  it('when the answer to an earlier write comes after', () => {
    const { kind, seen } = kindWith();
    kind.removed(key, 'uid-a');
    kind.wrote(version('a', '6'));
    expect(seen()).toBeUndefined();
  });

  it('when it goes with its last finalizer, although the answer has the version before', () => {
    const { kind, seen } = kindWith({}, { finalizers: ['x/y'], deletionTimestamp: 'now' });
    kind.wrote(version('a', '5', { deletionTimestamp: 'now' }));
    expect(seen()).toBeUndefined();
  });
});

describe('a list without an object that this operator has created', () => {
  it('tells of its deletion if the watch has never shown it, once', () => {
    const { kind, store } = kindWith();
    kind.wrote(version('b', '6'));
    const told = (listVersion: string): string[] =>
      replace(store, [version('a', '5')], listVersion).map(
        ({ type, object }) => `${type} ${object.metadata.name}`,
      );
    expect(told('5')).toEqual([]);
    expect(told('7')).toEqual(['delete b']);
    expect(told('8')).toEqual([]);
  });
});

describe('while a list is taken over in steps', () => {
  /** Takes a list over and does something after the given number of steps. */
  function during(store: Store, after: number, what: () => void): ObjectEvent[] {
    const steps = store.replace([], '20');
    for (let i = 0; ; i += 1) {
      if (i === after) what();
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  it('a delete between the steps is reported once', () => {
    const { kind, store } = kindWith();
    replace(store, [version('a', '5'), version('b', '6')], '7');
    const changes = during(store, 2, () => kind.removed(key, 'uid-a'));
    expect(changes.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
      'delete a',
      'delete b',
    ]);
  });

  it('a write between the steps that is newer than the list is still seen after it, an older one is not', () => {
    for (const [resourceVersion, expected] of [
      ['21', '21'],
      ['19', undefined],
    ] as const) {
      const { kind, store, seen } = kindWith();
      during(store, 1, () => kind.wrote(version('a', resourceVersion)));
      expect(seen()?.resourceVersion).toBe(expected);
    }
  });

  it('an object of the list that is deleted between the steps is not seen after it', () => {
    const { kind, store, seen } = kindWith();
    const steps = store.replace([version('a', '5')], '8');
    steps.next();
    kind.removed(key, 'uid-a');
    while (steps.next().done !== true);
    expect(seen()).toBeUndefined();
    store.apply('DELETED', version('a', '9'));
    expect(seen()).toBeUndefined();
  });
});

describe('a write to a kind of which the cache holds a part', () => {
  it('removes an object that loses the label, and shows it again when it gets it back', () => {
    const labels = { used: 'yes' };
    const { kind, store, seen } = kindWith({ labelSelector: 'used=yes' }, { labels });
    kind.wrote(version('a', '6'));
    expect(seen()).toBeUndefined();
    kind.wrote(version('a', '7', { labels }));
    expect(seen()?.resourceVersion).toBe('7');
    store.apply('DELETED', version('a', '6', { labels }));
    expect(seen()?.resourceVersion).toBe('7');
  });

  it('shows nothing of an object that was never selected', () => {
    const { kind, store } = kindWith({ labelSelector: 'used=yes' });
    kind.wrote(version('b', '6'));
    expect(store.get('default/b')).toBeUndefined();
  });

  it('leaves what a field selector selects to the watch', () => {
    const { kind, seen } = kindWith({ fieldSelector: 'metadata.name=a' });
    kind.wrote(version('a', '6'));
    expect(seen()?.resourceVersion).toBe('5');
  });

  it('shows metadata alone, or what the transform makes of it, without managedFields and without changing the answer', () => {
    const answer = { ...version('a', '6', { managedFields: [{ manager: 'x' }] }), data: { word: 'x' } };
    const whole = structuredClone(answer);
    const { kind, store } = kindWith({ metadataOnly: true });
    kind.wrote(answer);
    expect(Object.keys(store.get('default/a') ?? {})).toEqual(['apiVersion', 'kind', 'metadata']);
    expect(store.get('default/a')?.metadata).not.toHaveProperty('managedFields');
    const other = kindWith({ transform: (object) => Object.assign(object, { data: {} }) });
    other.kind.wrote(answer);
    expect(other.store.get('default/a')).toMatchObject({ data: {}, metadata: { resourceVersion: '6' } });
    expect(answer).toEqual(whole);
  });
});
