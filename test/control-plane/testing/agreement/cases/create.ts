import { agree, requestsAt, widget, widgets as w, type Case } from '../case.ts';

const planets = requestsAt('/apis/agreement.example.com/v1/planets');
const gadgets = requestsAt('/apis/agreement.example.com/v1/namespaces/$NS/gadgets');
const planet = (name: string, spec: unknown): unknown => ({
  apiVersion: 'agreement.example.com/v1',
  kind: 'Planet',
  metadata: { name },
  spec,
});

export const cases: readonly Case[] = [
  agree('an empty object', w.create(widget('a'))),
  agree('an object with a spec', w.create(widget('a', { spec: { size: 1 } })), w.get('a')),
  agree('without apiVersion and kind', w.create({ metadata: { name: 'a' } })),
  agree('a status is dropped', w.create(widget('a', { status: { phase: 'Ready' } })), w.get('a')),
  agree(
    'a status without the subresource is kept',
    gadgets.create({
      apiVersion: 'agreement.example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'a' },
      status: { phase: 'x' },
    }),
  ),
  agree('twice', w.create(widget('a')), w.create(widget('a'))),
  agree(
    'under deletion',
    w.create(widget('a', {}, { finalizers: ['example.com/x'] })),
    w.remove('a'),
    w.create(widget('a')),
  ),
  agree('generateName', w.create(widget('', {}, { name: undefined, generateName: 'gen-' }))),
  agree('name and generateName', w.create(widget('a', {}, { generateName: 'gen-' }))),
  agree('without a name', w.create(widget('', {}, { name: undefined }))),
  agree('an invalid name', w.create(widget('A_b'))),
  agree('a name that is too long', w.create(widget('a'.repeat(254)))),
  agree(
    'labels and annotations',
    w.create(widget('a', {}, { labels: { app: 'x' }, annotations: { note: 'hello world' } })),
  ),
  agree('an invalid label key', w.create(widget('a', {}, { labels: { 'bad key': 'x' } }))),
  agree('an invalid label value', w.create(widget('a', {}, { labels: { app: 'not ok' } }))),
  agree('a label value that is too long', w.create(widget('a', {}, { labels: { app: 'x'.repeat(64) } }))),
  agree('a label key with two slashes', w.create(widget('a', {}, { labels: { 'a/b/c': 'x' } }))),
  agree('an invalid annotation key', w.create(widget('a', {}, { annotations: { 'bad key': 'x' } }))),
  agree('an invalid finalizer', w.create(widget('a', {}, { finalizers: ['not ok'] }))),
  agree('a finalizer without a domain', w.create(widget('a', {}, { finalizers: ['plain'] }))),
  agree(
    'an owner without a uid',
    w.create(widget('a', {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x' }] })),
  ),
  agree(
    'an owner without anything but an apiVersion that is none',
    w.create(widget('a', {}, { ownerReferences: [{ apiVersion: 'a/b/c', kind: '', name: '', uid: '' }] })),
  ),
  agree(
    'an owner with an apiVersion without a version',
    w.create(widget('a', {}, { ownerReferences: [{ apiVersion: 'apps/', kind: 'A', name: 'x', uid: 'x' }] })),
  ),
  agree(
    'an Event as the second owner',
    w.create(
      widget(
        'a',
        {},
        {
          ownerReferences: ['ConfigMap', 'Event'].map((kind) => ({
            uid: 'x',
            name: 'x',
            kind,
            apiVersion: 'v1',
          })),
        },
      ),
    ),
  ),
  agree(
    'two controllers',
    w.create(
      widget(
        'a',
        {},
        {
          ownerReferences: ['x', 'y'].map((name) => ({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            name,
            uid: name,
            controller: true,
          })),
        },
      ),
    ),
  ),
  agree(
    'the same owner twice',
    w.create(
      widget(
        'a',
        {},
        { ownerReferences: [1, 2].map(() => ({ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x' })) },
      ),
    ),
  ),
  agree(
    'system fields are ignored',
    w.create(
      widget(
        'a',
        {},
        {
          uid: 'mine',
          generation: 9,
          creationTimestamp: '2020-01-01T00:00:00Z',
          deletionTimestamp: '2020-01-01T00:00:00Z',
          selfLink: '/x',
        },
      ),
    ),
  ),
  agree('a resourceVersion', w.create(widget('a', {}, { resourceVersion: '1' }))),
  agree('another namespace in the object', w.create(widget('a', {}, { namespace: 'other' }))),
  agree(
    'another kind in the object',
    w.create({ apiVersion: 'agreement.example.com/v1', kind: 'Gadget', metadata: { name: 'a' } }),
  ),
  agree(
    'another version in the object',
    w.create({ apiVersion: 'agreement.example.com/v2', kind: 'Widget', metadata: { name: 'a' } }),
  ),
  agree('a dry run', w.create(widget('a', { spec: { size: 1 } }), { dryRun: 'All' }), w.get('a')),
  agree('a field manager', w.create(widget('a', { spec: { size: 1 } }), { fieldManager: 'somebody' })),
  agree(
    'an unknown field, strictly',
    w.create(widget('a', { spec: { bogus: 1 } }), { fieldValidation: 'Strict' }),
  ),
  agree(
    'unknown fields in several places, strictly',
    w.create(
      widget('a', { bogus: 1, spec: { nested: { key: 'x', more: 1 }, ports: [{ name: 'a', extra: 1 }] } }),
      { fieldValidation: 'Strict' },
    ),
  ),
  agree(
    'an unknown field in metadata, strictly',
    w.create(widget('a', {}, { bogus: 1 }), { fieldValidation: 'Strict' }),
  ),
  agree(
    'an unknown field, with a warning',
    w.create(widget('a', { spec: { bogus: 1 } }), { fieldValidation: 'Warn' }),
  ),
  agree(
    'an unknown field, ignored',
    w.create(widget('a', { spec: { bogus: 1 } }), { fieldValidation: 'Ignore' }),
  ),
  agree('a cluster-scoped object', planets.create(planet('p-$NS', { size: 1 })), planets.get('p-$NS')),
  agree('a cluster-scoped object without what the root requires', planets.create(planet('p-$NS', undefined))),
  agree(
    'a namespace that does not exist',
    requestsAt('/apis/agreement.example.com/v1/namespaces/none-$NS/widgets').create(widget('a')),
  ),
  agree(
    'a kind that does not exist',
    requestsAt('/apis/agreement.example.com/v1/namespaces/$NS/nothings').create(widget('a')),
  ),
  agree(
    'a group that does not exist',
    requestsAt('/apis/nobody.example.com/v1/namespaces/$NS/nothings').list(),
  ),
  agree('an object that does not exist', w.get('a')),
  agree(
    'empty labels, annotations and owners are dropped',
    w.create(widget('a', {}, { labels: {}, annotations: {}, ownerReferences: [], finalizers: [] })),
  ),
];
