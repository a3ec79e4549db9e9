import {
  agree,
  requestsAt,
  widget,
  widgets as w,
  type AnyStep,
  type Case,
  type Reply,
  type Step,
} from '../case.ts';

const maps = requestsAt('/api/v1/namespaces/$NS/configmaps');
const options = (propagationPolicy: string): unknown => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  propagationPolicy,
});
const owner = (reply: Reply | undefined, more = {}): unknown => {
  const { apiVersion, kind, metadata } = reply?.body;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, ...more };
};
const map = (name: string, ownerReferences: readonly unknown[], metadata = {}): Step =>
  maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ownerReferences, ...metadata } });
const create = w.create(widget('a'));
const dependent: AnyStep = (r) => map('d', [owner(r[0], { controller: true, blockOwnerDeletion: true })]);

export const cases: readonly Case[] = [
  agree('background', create, dependent, w.remove('a', options('Background')), maps.until('d', 404)),
  agree('without a policy', create, dependent, w.remove('a'), maps.until('d', 404)),
  agree(
    'foreground',
    create,
    dependent,
    w.remove('a', options('Foreground')),
    w.until('a', 404),
    maps.get('d'),
  ),
  agree(
    'foreground, a dependent that does not block',
    create,
    (r) => map('d', [owner(r[0])]),
    w.remove('a', options('Foreground')),
    w.until('a', 404),
    maps.until('d', 404),
  ),
  agree('orphan', create, dependent, w.remove('a', options('Orphan')), w.until('a', 404), maps.get('d')),
  agree(
    'two owners, both go',
    create,
    w.create(widget('b')),
    (r) => map('d', [owner(r[0]), owner(r[1])]),
    w.remove('a'),
    w.remove('b'),
    maps.until('d', 404),
  ),
  agree(
    'an owner that never was',
    map('d', [
      {
        apiVersion: 'agreement.example.com/v1',
        kind: 'Widget',
        name: 'none',
        uid: '123e4567-e89b-42d3-a456-426614174000',
      },
    ]),
    maps.until('d', 404),
  ),
  agree(
    'an owner of another uid',
    create,
    map('d', [
      {
        apiVersion: 'agreement.example.com/v1',
        kind: 'Widget',
        name: 'a',
        uid: '123e4567-e89b-42d3-a456-426614174000',
      },
    ]),
    maps.until('d', 404),
  ),
  agree('a chain', create, dependent, (r) => map('e', [owner(r[1])]), w.remove('a'), maps.until('e', 404)),
  agree(
    'a custom resource as a dependent',
    create,
    (r) => w.create(widget('b', {}, { ownerReferences: [owner(r[0])] })),
    w.remove('a'),
    w.until('b', 404),
  ),
  agree(
    'a dependent with a finalizer',
    create,
    (r) => map('d', [owner(r[0])], { finalizers: ['example.com/d'] }),
    w.remove('a'),
    w.until('a', 404),
    maps.get('none'),
  ),
];
