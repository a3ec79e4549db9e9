import { describe, expect, it } from 'vitest';
import { defaultPredicate, defineController, watch } from '../../../src/index.ts';
import { ownerKeys } from '../../../src/runtime/controller/owner-keys.ts';
import { ConfigMap, configMap, Namespace, Site, site } from './kinds.ts';

const update = (change: object) => {
  const old = site('a');
  return {
    type: 'update',
    oldObject: old,
    object: { ...old, metadata: { ...old.metadata, resourceVersion: '2', ...change } },
  } as const;
};

describe('the default predicate', () => {
  it.each([
    ['generation', { generation: 2 }],
    ['labels', { labels: { a: 'b' } }],
    ['annotations', { annotations: { a: 'b' } }],
    ['finalizers', { finalizers: ['example.com/x'] }],
    ['deletionTimestamp', { deletionTimestamp: '2026-01-01T00:00:00Z' }],
  ])('passes a change of %s', (_, change) => {
    expect(defaultPredicate(update(change))).toBe(true);
  });

  it('leaves out updates of status alone, also where an empty map appears', () => {
    expect(defaultPredicate(update({}))).toBe(false);
    expect(defaultPredicate(update({ labels: {}, annotations: {}, finalizers: [] }))).toBe(false);
  });

  it('passes creates, deletes, and kinds without a generation', () => {
    expect(defaultPredicate({ type: 'create', object: site('a') })).toBe(true);
    expect(defaultPredicate({ type: 'delete', object: site('a') })).toBe(true);
    const oldObject = configMap('c');
    const object = { ...configMap('c', { resourceVersion: '2' }), data: { a: 'b' } };
    expect(defaultPredicate({ type: 'update', oldObject, object })).toBe(true);
  });

  it('is replaced by those of the controller, of which all must agree', () => {
    const reconcile = () => undefined;
    const change = update({});
    expect(defineController({ for: Site, reconcile }).accepts(change)).toBe(false);
    expect(defineController({ for: Site, reconcile, predicates: [] }).accepts(change)).toBe(true);
    expect(
      defineController({ for: Site, reconcile, predicates: [() => true, () => false] }).accepts(change),
    ).toBe(false);
  });
});

describe('watch', () => {
  it('has predicates of its own, and none by default', () => {
    const map = () => [];
    expect(watch(ConfigMap, { map }).accepts(update({}))).toBe(true);
    expect(
      watch(ConfigMap, { map, predicates: [(c) => c.object.data !== undefined] }).accepts(update({})),
    ).toBe(false);
  });
});

describe('the owner of an object', () => {
  const owned = (change: object) => configMap('c', { ownerReferences: [{ ...base, ...change }] });
  const base = { apiVersion: 'web.example.com/v2', kind: 'Site', name: 'a', uid: 'u', controller: true };

  it('is found by kind and group of the controller reference, whatever its version', () => {
    expect(ownerKeys(Site, owned({}))).toEqual([{ name: 'a', namespace: 'default' }]);
    expect(ownerKeys(Site, owned({ controller: false }))).toEqual([]);
    expect(ownerKeys(Site, owned({ kind: 'Other' }))).toEqual([]);
    expect(ownerKeys(Site, owned({ apiVersion: 'other.example.com/v1' }))).toEqual([]);
    expect(ownerKeys(Site, configMap('c'))).toEqual([]);
  });

  it('has no namespace if its kind has none', () => {
    expect(ownerKeys(Namespace, owned({ apiVersion: 'v1', kind: 'Namespace' }))).toEqual([{ name: 'a' }]);
  });

  it('does not exist for a cluster-scoped object that names a namespaced one', () => {
    const object = { ...owned({}), metadata: { ...owned({}).metadata, namespace: undefined } };
    expect(ownerKeys(Site, object)).toEqual([]);
  });
});

describe('defineController', () => {
  it('is named after its kind and works on one object at a time', () => {
    expect(defineController({ for: Site, reconcile: () => undefined })).toMatchObject({
      name: 'site',
      concurrency: 1,
    });
  });

  it('refuses bad names and concurrency, both at once', () => {
    expect(() =>
      defineController({ name: 'a b', concurrency: 0.5, for: Site, reconcile: () => undefined }),
    ).toThrow(/invalid-controller.*and 1 more/);
  });
});
