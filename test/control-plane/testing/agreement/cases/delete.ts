import { agree, widget, widgets as w, type Case, type Step } from '../case.ts';

const create = w.create(widget('a'));
const held = w.create(widget('a', {}, { finalizers: ['example.com/a'] }));
const options = (fields: object): unknown => ({ apiVersion: 'v1', kind: 'DeleteOptions', ...fields });
const release: Step = w.merge('a', { metadata: { finalizers: null } });

export const cases: readonly Case[] = [
  agree('an object', create, w.remove('a'), w.get('a')),
  agree('an object that does not exist', w.remove('a')),
  agree('with a finalizer', held, w.remove('a'), w.get('a')),
  agree('with a finalizer, twice', held, w.remove('a'), w.remove('a')),
  agree('the finalizer is removed', held, w.remove('a'), release, w.get('a')),
  agree(
    'one of two finalizers is removed',
    w.create(widget('a', {}, { finalizers: ['example.com/a', 'example.com/b'] })),
    w.remove('a'),
    w.merge('a', { metadata: { finalizers: ['example.com/b'] } }),
    w.get('a'),
  ),
  agree(
    'a new finalizer under deletion',
    held,
    w.remove('a'),
    w.merge('a', { metadata: { finalizers: ['example.com/a', 'example.com/b'] } }),
  ),
  agree('a change of the spec under deletion', held, w.remove('a'), w.merge('a', { spec: { size: 1 } })),
  agree(
    'the right uid',
    create,
    (r) => w.remove('a', options({ preconditions: { uid: r[0]?.body.metadata.uid } })),
    w.get('a'),
  ),
  agree(
    'another uid',
    create,
    w.remove('a', options({ preconditions: { uid: '123e4567-e89b-42d3-a456-426614174000' } })),
    w.get('a'),
  ),
  agree(
    'the right resourceVersion',
    create,
    (r) =>
      w.remove('a', options({ preconditions: { resourceVersion: r[0]?.body.metadata.resourceVersion } })),
    w.get('a'),
  ),
  agree('a stale resourceVersion', create, w.merge('a', { spec: { size: 1 } }), (r) =>
    w.remove('a', options({ preconditions: { resourceVersion: r[0]?.body.metadata.resourceVersion } })),
  ),
  agree('a dry run', create, w.remove('a', options({ dryRun: ['All'] })), w.get('a')),
  agree('a dry run with a finalizer', held, w.remove('a', options({ dryRun: ['All'] })), w.get('a')),
  agree('an unknown policy', create, w.remove('a', options({ propagationPolicy: 'Maybe' }))),
  agree(
    'foreground, at first',
    w.create(widget('a', {}, { finalizers: ['example.com/a'] })),
    w.remove('a', options({ propagationPolicy: 'Foreground' })),
  ),
  agree(
    'orphan, at first',
    w.create(widget('a', {}, { finalizers: ['example.com/a'] })),
    w.remove('a', options({ propagationPolicy: 'Orphan' })),
  ),
  agree('background', create, w.remove('a', options({ propagationPolicy: 'Background' })), w.get('a')),
  agree('the policy by query', create, w.remove('a', undefined, { propagationPolicy: 'Background' })),
  agree('a grace period of zero', create, w.remove('a', options({ gracePeriodSeconds: 0 })), w.get('a')),
  agree('a collection', create, w.create(widget('b')), w.removeAll(), w.list()),
  agree(
    'a collection by label',
    w.create(widget('a', {}, { labels: { x: '1' } })),
    w.create(widget('b')),
    w.removeAll({ labelSelector: 'x=1' }),
    w.get('a'),
    w.get('b'),
  ),
  agree(
    'a collection with a finalizer in it',
    held,
    w.create(widget('b')),
    w.removeAll(),
    w.get('a'),
    w.get('b'),
  ),
  agree('a new object of the same name', create, w.remove('a'), create),
  agree(
    'a deletionTimestamp by update',
    create,
    w.merge('a', { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } }),
  ),
];
