import { agree, requestsAt, widget, widgets as w, type AnyStep, type Case } from '../case.ts';

const gadgets = requestsAt('/apis/agreement.example.com/v1/namespaces/$NS/gadgets');
type Spec = Readonly<Record<string, unknown>>;
/** An apply of a spec, by the manager `one` unless told otherwise. */
const a = (spec: Spec | undefined, parameters = {}): AnyStep =>
  w.apply('a', widget('a', spec === undefined ? {} : { spec }), parameters);
const two = { fieldManager: 'two' };
const force = { fieldManager: 'two', force: 'true' };
const create = (spec: Spec): AnyStep => w.create(widget('a', { spec }), { fieldManager: 'creator' });

export const cases: readonly Case[] = [
  agree('a new object', a({ size: 1 }), w.get('a')),
  agree('an empty object', a(undefined)),
  agree('the same again', a({ size: 1 }), a({ size: 1 })),
  agree('a changed value', a({ size: 1 }), a({ size: 2 })),
  agree('a field more', a({ size: 1 }), a({ size: 1, mode: 'Fast' })),
  agree('a field less', a({ size: 1, mode: 'Fast' }), a({ size: 1 })),
  agree('everything less', a({ size: 1, mode: 'Fast' }), a(undefined)),
  agree('an empty spec', a({})),
  agree('an empty spec after a full one', a({ size: 1 }), a({})),
  agree('a field with a default less', a({ color: 'red' }), a({})),
  agree('another manager, another field', a({ size: 1 }), a({ mode: 'Fast' }, two)),
  agree('another manager, the same value', a({ size: 1 }), a({ size: 1 }, two)),
  agree('another manager, another value', a({ size: 1 }), a({ size: 2 }, two)),
  agree('another manager, two conflicts', a({ size: 1, mode: 'Fast' }), a({ size: 2, mode: 'Slow' }, two)),
  agree('a forced conflict', a({ size: 1 }), a({ size: 2 }, force)),
  agree('a forced conflict, then the first again', a({ size: 1 }), a({ size: 2 }, force), a({ size: 1 })),
  agree('a shared field that one removes', a({ size: 1 }), a({ size: 1 }, two), a({})),
  agree('a shared field that both remove', a({ size: 1 }), a({ size: 1 }, two), a({}), a({}, two)),
  agree(
    'three managers',
    a({ size: 1 }),
    a({ mode: 'Fast' }, two),
    a({ level: 1 }, { fieldManager: 'three' }),
  ),
  agree(
    'a conflict with two managers',
    a({ size: 1 }),
    a({ size: 1 }, two),
    a({ size: 2 }, { fieldManager: 'three' }),
  ),
  agree('over a created object', create({ size: 1 }), a({ mode: 'Fast' })),
  agree('over a created object, the same value', create({ size: 1 }), a({ size: 1 })),
  agree('over a created object, another value', create({ size: 1 }), a({ size: 2 })),
  agree('over a created object, forced', create({ size: 1 }), a({ size: 2 }, force)),
  agree(
    'an update of an applied field',
    a({ size: 1 }),
    w.merge('a', { spec: { size: 5 } }, two),
    a({ size: 1 }),
  ),
  agree(
    'an update of an applied field, then a forced apply',
    a({ size: 1 }),
    w.merge('a', { spec: { size: 5 } }, two),
    a({ size: 1 }, { force: 'true' }),
  ),
  agree(
    'an update that removes an applied field',
    a({ size: 1, mode: 'Fast' }),
    w.merge('a', { spec: { mode: null } }, two),
    a({ size: 1 }),
  ),
  agree(
    'an update by the same manager',
    a({ size: 1 }),
    w.merge('a', { spec: { mode: 'Fast' } }, { fieldManager: 'one' }),
    a({ size: 1 }),
  ),
  agree(
    'the same manager applies what it has updated',
    create({ size: 1 }),
    a({ size: 2 }, { fieldManager: 'creator' }),
  ),
  agree('list map: items', a({ ports: [{ name: 'a' }, { name: 'b', number: 5 }] })),
  agree(
    'list map: an item more',
    a({ ports: [{ name: 'a' }] }),
    a({ ports: [{ name: 'a' }, { name: 'b' }] }),
  ),
  agree(
    'list map: an item less',
    a({ ports: [{ name: 'a' }, { name: 'b' }] }),
    a({ ports: [{ name: 'b' }] }),
  ),
  agree('list map: no items', a({ ports: [{ name: 'a' }] }), a({ ports: [] })),
  agree('list map: items of two managers', a({ ports: [{ name: 'a' }] }), a({ ports: [{ name: 'b' }] }, two)),
  agree(
    'list map: an item of two managers',
    a({ ports: [{ name: 'a', protocol: 'x' }] }),
    a({ ports: [{ name: 'a', number: 80 }] }, two),
  ),
  agree(
    'list map: an item that one of two managers removes',
    a({ ports: [{ name: 'a' }] }),
    a({ ports: [{ name: 'a' }, { name: 'b' }] }, two),
    a({ ports: [] }),
  ),
  agree(
    'list map: a conflict in an item',
    a({ ports: [{ name: 'a', protocol: 'x' }] }),
    a({ ports: [{ name: 'a', protocol: 'y' }] }, two),
  ),
  agree(
    'list map: another order',
    a({ ports: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }),
    a({ ports: [{ name: 'c' }, { name: 'a' }, { name: 'b' }] }),
  ),
  agree(
    'list map: orders of two managers',
    a({ ports: [{ name: 'a' }, { name: 'c' }] }),
    a({ ports: [{ name: 'c' }, { name: 'b' }, { name: 'a' }] }, two),
  ),
  agree('list map: a key twice', a({ ports: [{ name: 'a' }, { name: 'a' }] })),
  agree('list map: no key', a({ ports: [{ number: 1 }] })),
  agree(
    'list map: two keys with a default',
    a({ pairs: [{ port: 1 }] }),
    a({ pairs: [{ port: 1, protocol: 'UDP' }] }, two),
  ),
  agree(
    'list map: a field of an item less',
    a({ ports: [{ name: 'a', protocol: 'x' }] }),
    a({ ports: [{ name: 'a' }] }),
  ),
  agree('set: items of two managers', a({ tags: ['a', 'b'] }), a({ tags: ['b', 'c'] }, two)),
  agree('set: an item less', a({ tags: ['a', 'b'] }), a({ tags: ['b'] })),
  agree('set: a shared item less', a({ tags: ['a', 'b'] }), a({ tags: ['b', 'c'] }, two), a({ tags: ['a'] })),
  agree('set: an item twice', a({ tags: ['a', 'a'] })),
  agree('atomic list: replaced', a({ list: ['a'] }), a({ list: ['b', 'c'] })),
  agree('atomic list: a conflict', a({ list: ['a'] }), a({ list: ['b'] }, two)),
  agree('atomic map: a conflict', a({ atomicMap: { a: '1' } }), a({ atomicMap: { b: '2' } }, two)),
  agree('atomic map: a key less', a({ atomicMap: { a: '1', b: '2' } }), a({ atomicMap: { a: '1' } })),
  agree('map: keys of two managers', a({ labels: { a: '1' } }), a({ labels: { b: '2' } }, two)),
  agree('map: a key less', a({ labels: { a: '1', b: '2' } }), a({ labels: { b: '2' } })),
  agree('map: an empty one', a({ labels: {} })),
  agree(
    'free object: fields of two managers',
    a({ free: { x: { y: 1 } } }),
    a({ free: { x: { z: [1] } } }, two),
  ),
  agree('free object: a field less', a({ free: { x: { y: 1, z: 2 } } }), a({ free: { x: { y: 1 } } })),
  agree('anything: a scalar, then an object', a({ any: 1 }), a({ any: { a: 1 } })),
  agree('nested defaults', a({ nested: { key: 'x' } }), a({ nested: { key: 'y', depth: 5 } })),
  agree('nested object less', a({ nested: { key: 'x' }, size: 1 }), a({ size: 1 })),
  agree(
    'labels and annotations',
    w.apply('a', widget('a', {}, { labels: { a: '1' }, annotations: { b: '2' } })),
    w.apply('a', widget('a', {}, { labels: { c: '3' } })),
  ),
  agree(
    'finalizers',
    w.apply('a', widget('a', {}, { finalizers: ['example.com/a'] })),
    w.apply('a', widget('a', {}, { finalizers: ['example.com/b'] }), two),
  ),
  agree(
    'owners',
    w.apply(
      'a',
      widget('a', {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x' }] }),
    ),
    w.apply(
      'a',
      widget('a', {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'y', uid: 'y' }] }),
      two,
    ),
  ),
  agree('a status is ignored', w.apply('a', widget('a', { spec: { size: 1 }, status: { phase: 'Ready' } }))),
  agree('an unknown field', a({ bogus: 1 })),
  agree('an unknown field of metadata', w.apply('a', widget('a', {}, { bogus: 1 }))),
  agree('a value of the wrong type', a({ size: 'x' })),
  agree('a list for an object', a({ nested: [] })),
  agree('an invalid value', a({ size: -1 })),
  agree('a value of null', a({ size: null })),
  agree('without a manager', { ...w.apply('a', widget('a')), path: w.get('a').path }),
  agree('managedFields', w.apply('a', widget('a', {}, { managedFields: [] }))),
  agree(
    'another kind',
    w.apply('a', { apiVersion: 'agreement.example.com/v1', kind: 'Gadget', metadata: { name: 'a' } }),
  ),
  agree('another name', w.apply('a', widget('b'))),
  agree('without a name', w.apply('a', { apiVersion: 'agreement.example.com/v1', kind: 'Widget', spec: {} })),
  agree('a uid of nothing', w.apply('a', widget('a', {}, { uid: 'x' }))),
  agree('another uid', a({}), w.apply('a', widget('a', {}, { uid: 'x' }))),
  agree(
    'a stale resourceVersion',
    a({}),
    (r) =>
      w.apply(
        'a',
        widget('a', { spec: { size: 1 } }, { resourceVersion: r[0]?.body.metadata.resourceVersion }),
      ),
    (r) =>
      w.apply(
        'a',
        widget('a', { spec: { size: 2 } }, { resourceVersion: r[0]?.body.metadata.resourceVersion }),
      ),
  ),
  agree('a dry run of a new object', a({ size: 1 }, { dryRun: 'All' }), w.get('a')),
  agree('a dry run of a change', a({ size: 1 }), a({ size: 2 }, { dryRun: 'All' }), w.get('a')),
  agree(
    'after a reset of managedFields',
    create({ size: 1 }),
    w.merge('a', { metadata: { managedFields: [{}] } }),
    a({ size: 2 }),
    a({ size: 2 }, { force: 'true' }),
  ),
  agree(
    'under deletion',
    w.create(widget('a', {}, { finalizers: ['example.com/a'] })),
    w.remove('a'),
    a({ size: 1 }),
  ),
  agree(
    'a kind without subresources',
    gadgets.apply('a', {
      apiVersion: 'agreement.example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'a' },
      spec: { size: 1 },
      status: { phase: 'x' },
    }),
  ),
  agree(
    'an embedded resource',
    a({
      template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels: { a: 'b' } }, data: { x: 'y' } },
    }),
    a({ template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels: { c: 'd' } } } }, two),
  ),
];
