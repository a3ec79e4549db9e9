import {
  agree,
  requestsAt,
  widget,
  widgets as w,
  type Case,
  type Loose,
  type Reply,
  type Step,
} from '../case.ts';

const gadgets = requestsAt('/apis/agreement.example.com/v1/namespaces/$NS/gadgets');
const planets = requestsAt('/apis/agreement.example.com/v1/planets');

/** The last answer, changed, sent back. */
const putBack =
  (change: (object: Loose) => unknown, parameters = {}) =>
  (replies: readonly Reply[]): Step => {
    const object = structuredClone(replies.at(-1)?.body);
    return w.put(object.metadata.name, change(object) ?? object, parameters);
  };
const create = w.create(widget('a', { spec: { size: 1 } }));

export const cases: readonly Case[] = [
  agree(
    'a change of the spec',
    create,
    putBack((o) => void (o.spec.size = 2)),
    w.get('a'),
  ),
  agree(
    'no change',
    create,
    putBack(() => undefined),
    w.get('a'),
  ),
  agree(
    'a change of labels leaves the generation',
    create,
    putBack((o) => void (o.metadata.labels = { a: 'b' })),
  ),
  agree(
    'a change of annotations leaves the generation',
    create,
    putBack((o) => void (o.metadata.annotations = { a: 'b' })),
  ),
  agree(
    'a status is ignored',
    create,
    putBack((o) => void (o.status = { phase: 'Ready' })),
  ),
  agree(
    'a removed field',
    create,
    putBack((o) => void delete o.spec),
  ),
  agree('a stale resourceVersion', create, w.merge('a', { spec: { size: 2 } }), (r) =>
    w.put('a', r[0]?.body),
  ),
  agree(
    'without a resourceVersion',
    create,
    putBack((o) => void delete o.metadata.resourceVersion),
  ),
  agree(
    'an odd resourceVersion',
    create,
    putBack((o) => void (o.metadata.resourceVersion = 'abc')),
  ),
  agree('an object that does not exist', w.put('a', widget('a', {}, { resourceVersion: '1' }))),
  agree('another name', create, (r) =>
    w.put('a', { ...r[0]?.body, metadata: { ...r[0]?.body.metadata, name: 'b' } }),
  ),
  agree('without a name', create, (r) =>
    w.put('a', { ...r[0]?.body, metadata: { resourceVersion: r[0]?.body.metadata.resourceVersion } }),
  ),
  agree('another namespace', create, (r) =>
    w.put('a', { ...r[0]?.body, metadata: { ...r[0]?.body.metadata, namespace: 'other' } }),
  ),
  agree(
    'without a namespace',
    create,
    putBack((o) => void delete o.metadata.namespace),
  ),
  agree('another kind', create, (r) => w.put('a', { ...r[0]?.body, kind: 'Gadget' })),
  agree('another apiVersion', create, (r) =>
    w.put('a', { ...r[0]?.body, apiVersion: 'agreement.example.com/v9' }, { fieldValidation: 'Ignore' }),
  ),
  agree(
    'the creationTimestamp',
    create,
    putBack((o) => void (o.metadata.creationTimestamp = '2000-01-01T00:00:00Z')),
  ),
  agree(
    'the generation',
    create,
    putBack((o) => void (o.metadata.generation = 77)),
  ),
  agree(
    'the uid removed',
    create,
    putBack((o) => void delete o.metadata.uid),
  ),
  agree(
    'a deletionTimestamp',
    create,
    putBack((o) => void (o.metadata.deletionTimestamp = '2000-01-01T00:00:00Z')),
  ),
  agree(
    'a dry run',
    create,
    putBack((o) => void (o.spec.size = 2), { dryRun: 'All' }),
    w.get('a'),
  ),
  agree(
    'a new finalizer',
    create,
    putBack((o) => void (o.metadata.finalizers = ['example.com/a', 'plain.name'])),
  ),
  agree(
    'an invalid label',
    create,
    putBack((o) => void (o.metadata.labels = { 'a b': 'c' })),
  ),
  agree(
    'an unknown field, strictly',
    create,
    putBack((o) => void (o.spec.bogus = 1), { fieldValidation: 'Strict' }),
  ),
  agree(
    'an invalid value',
    create,
    putBack((o) => void (o.spec.size = 'x')),
  ),
  agree(
    'two writers of one field',
    create,
    putBack((o) => void (o.spec.size = 2), { fieldManager: 'two' }),
    putBack((o) => void (o.spec.size = 3), { fieldManager: 'three' }),
  ),
  agree(
    'a writer of another field',
    create,
    putBack((o) => void (o.spec.mode = 'Fast'), { fieldManager: 'two' }),
  ),
  agree(
    'the same writer twice',
    create,
    putBack((o) => void (o.spec.mode = 'Fast')),
    putBack((o) => void (o.spec.level = 1)),
  ),
  agree(
    'a field that a writer removes',
    create,
    putBack((o) => void (o.spec.mode = 'Fast'), { fieldManager: 'two' }),
    putBack((o) => void delete o.spec.mode, { fieldManager: 'three' }),
  ),
  agree(
    'managedFields reset',
    create,
    putBack((o) => void (o.metadata.managedFields = [])),
  ),
  agree(
    'managedFields removed',
    create,
    putBack((o) => void delete o.metadata.managedFields),
  ),
  agree(
    'managedFields reset by an empty entry',
    create,
    putBack((o) => void (o.metadata.managedFields = [{}])),
  ),
  agree(
    'an update after a reset',
    create,
    putBack((o) => void (o.metadata.managedFields = [])),
    putBack((o) => void (o.spec.size = 5)),
  ),
  agree(
    'eleven writers',
    create,
    ...Array.from({ length: 11 }, (_, i) =>
      putBack((o) => void (o.spec.size = i + 10), { fieldManager: `writer-${i}` }),
    ),
  ),
  agree(
    'items of a list map',
    w.create(widget('a', { spec: { ports: [{ name: 'a' }, { name: 'b' }] } })),
    putBack((o) => void (o.spec.ports = [{ name: 'b', number: 80 }]), { fieldManager: 'two' }),
  ),
  agree(
    'items of a set',
    w.create(widget('a', { spec: { tags: ['a', 'b'] } })),
    putBack((o) => void (o.spec.tags = ['b', 'c']), { fieldManager: 'two' }),
  ),
  agree(
    'items of an atomic list',
    w.create(widget('a', { spec: { list: ['a', 'b'] } })),
    putBack((o) => void (o.spec.list = ['b', 'c']), { fieldManager: 'two' }),
  ),
  agree(
    'an atomic map',
    w.create(widget('a', { spec: { atomicMap: { a: '1' } } })),
    putBack((o) => void (o.spec.atomicMap.b = '2'), { fieldManager: 'two' }),
  ),
  agree(
    'a free object',
    w.create(widget('a', { spec: { free: { x: { y: [1] } } } })),
    putBack((o) => void (o.spec.free.x.z = 1), { fieldManager: 'two' }),
  ),
  agree(
    'a kind without subresources: the status too, and the generation',
    gadgets.create({ apiVersion: 'agreement.example.com/v1', kind: 'Gadget', metadata: { name: 'a' } }),
    (r) => gadgets.put('a', { ...r[0]?.body, status: { phase: 'x' } }),
  ),
  agree(
    'a cluster-scoped kind',
    planets.create({
      apiVersion: 'agreement.example.com/v1',
      kind: 'Planet',
      metadata: { name: 'u-$NS' },
      spec: { size: 1 },
    }),
    (r) => planets.put('u-$NS', { ...r[0]?.body, spec: { size: 2 } }),
  ),
];
