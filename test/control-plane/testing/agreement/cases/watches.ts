import { agree, widget, widgets as w, type Case } from '../case.ts';

const initial = {
  sendInitialEvents: 'true',
  resourceVersionMatch: 'NotOlderThan',
  allowWatchBookmarks: 'true',
};

export const cases: readonly Case[] = [
  agree('what exists', w.create(widget('a')), w.create(widget('b')), w.watch(2)),
  agree(
    'a new object',
    w.list(),
    (r) => w.watch(1, { resourceVersion: r[0]?.body.metadata.resourceVersion }),
    w.create(widget('a')),
  ),
  agree(
    'a change',
    w.create(widget('a')),
    (r) => w.watch(1, { resourceVersion: r[0]?.body.metadata.resourceVersion }),
    w.merge('a', { spec: { size: 1 } }),
  ),
  agree(
    'no change',
    w.create(widget('a')),
    (r) => w.watch(1, { resourceVersion: r[0]?.body.metadata.resourceVersion }),
    w.merge('a', {}),
    w.merge('a', { spec: { size: 1 } }),
  ),
  agree(
    'a deletion',
    w.create(widget('a')),
    (r) => w.watch(1, { resourceVersion: r[0]?.body.metadata.resourceVersion }),
    w.remove('a'),
  ),
  agree(
    'a deletion with a finalizer',
    w.create(widget('a', {}, { finalizers: ['example.com/a'] })),
    (r) => w.watch(2, { resourceVersion: r[0]?.body.metadata.resourceVersion }),
    w.remove('a'),
    w.merge('a', { metadata: { finalizers: null } }),
  ),
  agree(
    'from a version',
    w.create(widget('a')),
    w.merge('a', { spec: { size: 1 } }),
    w.merge('a', { spec: { size: 2 } }),
    (r) => w.watch(2, { resourceVersion: r[0]?.body.metadata.resourceVersion }),
  ),
  agree('initial events', w.create(widget('a')), w.create(widget('b')), w.watch(3, initial)),
  agree(
    'initial events, then a new object',
    w.create(widget('a')),
    w.watch(3, initial),
    w.create(widget('b')),
  ),
  agree(
    'a selector: an object that comes to match',
    w.create(widget('a')),
    (r) => w.watch(1, { resourceVersion: r[0]?.body.metadata.resourceVersion, labelSelector: 'x=1' }),
    w.merge('a', { metadata: { labels: { x: '1' } } }),
  ),
  agree(
    'a selector: an object that no longer matches',
    w.create(widget('a', {}, { labels: { x: '1' } })),
    (r) => w.watch(1, { resourceVersion: r[0]?.body.metadata.resourceVersion, labelSelector: 'x=1' }),
    w.merge('a', { metadata: { labels: { x: '2' } } }),
  ),
  agree(
    'a selector: a change while it matches',
    w.create(widget('a', {}, { labels: { x: '1' } })),
    (r) => w.watch(1, { resourceVersion: r[0]?.body.metadata.resourceVersion, labelSelector: 'x=1' }),
    w.merge('a', { spec: { size: 1 } }),
  ),
  agree(
    'a field selector',
    w.create(widget('a')),
    w.create(widget('b')),
    w.watch(1, { fieldSelector: 'metadata.name=b' }),
  ),
  agree(
    'a selectable field',
    w.create(widget('a', { spec: { mode: 'Fast' } })),
    (r) =>
      w.watch(1, { resourceVersion: r[0]?.body.metadata.resourceVersion, fieldSelector: 'spec.mode=Fast' }),
    w.merge('a', { spec: { mode: 'Slow' } }),
  ),
];
