import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allOf,
  annotationsChanged,
  anyOf,
  defaultPredicate,
  defineController,
  generationChanged,
  labelsChanged,
  matchesLabels,
  not,
  resourceVersionChanged,
  watch,
  type Predicate,
} from '../../../../src/index.ts';
import { ownerKeys } from '../../../../src/sdk/runtime/controller/predicates.ts';
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

describe('the predicates of controller-runtime', () => {
  const created = { type: 'create', object: site('a') } as const;
  const deleted = { type: 'delete', object: site('a') } as const;
  const changes = {
    create: created,
    delete: deleted,
    nothing: update({ resourceVersion: '1' }),
    status: update({}),
    generation: update({ generation: 2 }),
    labels: update({ labels: { a: 'b' } }),
    annotations: update({ annotations: { a: 'b' } }),
  };
  const accepted = (predicate: Predicate) =>
    Object.entries(changes)
      .filter(([, change]) => predicate(change))
      .map(([name]) => name);

  it.each([
    ['generationChanged', generationChanged, ['generation']],
    ['labelsChanged', labelsChanged, ['labels']],
    ['annotationsChanged', annotationsChanged, ['annotations']],
    ['resourceVersionChanged', resourceVersionChanged, ['status', 'generation', 'labels', 'annotations']],
    ['anyOf', anyOf(generationChanged, labelsChanged), ['generation', 'labels']],
    ['allOf', allOf(resourceVersionChanged, labelsChanged), ['labels']],
    ['allOf of none', allOf(), ['nothing', 'status', 'generation', 'labels', 'annotations']],
  ])('%s accepts creates, deletes and some updates', (_, predicate, updates) => {
    expect(accepted(predicate)).toEqual(['create', 'delete', ...updates]);
  });

  it('anyOf of none accepts nothing; not turns around what it is given, creates and deletes included', () => {
    expect(accepted(anyOf())).toEqual([]);
    expect(accepted(not(generationChanged))).toEqual(['nothing', 'status', 'labels', 'annotations']);
  });

  it('combine predicates of one kind, and do not ask more of them than they must', () => {
    const asked: string[] = [];
    const big: Predicate<Site> = (change) => {
      asked.push(change.type);
      return change.object.spec.replicas > 1;
    };
    const reconcile = () => undefined;
    const accepts = (predicate: Predicate<Site>) =>
      defineController({ for: Site, predicates: [predicate], reconcile }).accepts(created);
    expect(accepts(anyOf(generationChanged, big))).toBe(true);
    expect(accepts(allOf(not(generationChanged), big))).toBe(false);
    expect(asked).toEqual([]);
    expect(accepts(allOf(generationChanged, not(big)))).toBe(true);
    expect(asked).toEqual(['create']);
  });

  it('matchesLabels looks at the new labels, and at its selector at once', () => {
    const web = matchesLabels('app=web,!canary');
    expect(accepted(web)).toEqual([]);
    expect(web(update({ labels: { app: 'web' } }))).toBe(true);
    expect(web(update({ labels: { app: 'web', canary: '' } }))).toBe(false);
    expect(web({ type: 'delete', object: site('a', { labels: { app: 'web' } }) })).toBe(true);
    expect(() => matchesLabels('app in web')).toThrow(/invalid-selector/);
  });

  it('compare maps by their content', () => {
    const small = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'toString'), fc.constantFrom('', 'x'));
    const maps = fc.option(small, { nil: undefined });
    fc.assert(
      fc.property(maps, maps, (before, now) => {
        const oldObject = site('a', { labels: before, annotations: now, finalizers: Object.keys(now ?? {}) });
        const object = site('a', { labels: now, annotations: now, finalizers: Object.keys(now ?? {}) });
        const change = { type: 'update', oldObject, object } as const;
        const differs = !isDeepStrictEqual({ ...before }, { ...now });
        expect(labelsChanged(change)).toBe(differs);
        expect(annotationsChanged(change)).toBe(false);
        expect(defaultPredicate(change)).toBe(differs);
      }),
    );
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
