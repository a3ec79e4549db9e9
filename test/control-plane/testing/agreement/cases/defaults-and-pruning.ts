import { agree, requestsAt, widget, widgets as w, type Case } from '../case.ts';

const gadgets = requestsAt('/apis/agreement.example.com/v1/namespaces/$NS/gadgets');

const spec = (name: string, value: unknown): Case =>
  agree(name, w.create(widget('a', { spec: value }), { fieldValidation: 'Ignore' }), w.get('a'));

export const cases: readonly Case[] = [
  spec('no defaults without the object around them', undefined),
  spec('a default', {}),
  spec('a default beside a value', { size: 1 }),
  spec('a value instead of a default', { color: 'red' }),
  spec('an empty text instead of a default', { color: '' }),
  spec('null for a default', { color: null }),
  spec('null for a nullable default', { maybeDefault: null }),
  spec('a value for a nullable default', { maybeDefault: 'x' }),
  spec('null for what may not be null', { size: null }),
  spec('null for an object', { nested: null }),
  spec('null for a list', { list: null }),
  spec('null in a map', { labels: { a: null } }),
  spec('null in a list', { list: ['a', null] }),
  spec('defaults in a nested object', { nested: { key: 'x' } }),
  spec('defaults in the default of a nested object', { nested: { key: 'x', inner: {} } }),
  spec('defaults in the items of a list', { ports: [{ name: 'a' }, { name: 'b', number: 1 }] }),
  spec('defaults in the values of a map', { counts: { a: {}, b: { n: 5 } } }),
  spec('defaults of keys', { pairs: [{ port: 1 }] }),
  spec('an unknown field', { bogus: 1, size: 1 }),
  spec('an unknown nested field', { nested: { key: 'x', bogus: { a: 1 } } }),
  spec('an unknown field of an item', { ports: [{ name: 'a', bogus: 1 }] }),
  spec('unknown fields where they are kept', { free: { known: 1, other: { deep: [1, { x: 2 }] } } }),
  spec('anything', { any: { a: [1, 'x', { b: null }] } }),
  spec('a scalar for anything', { any: 5 }),
  spec('an embedded resource with unknown fields', {
    template: { apiVersion: 'v1', kind: 'X', spec: { a: 1 }, data: { a: 'b' } },
  }),
  spec('an embedded resource with unknown metadata', {
    template: { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', bogus: 1 } },
  }),
  agree(
    'an unknown field of the root',
    w.create(widget('a', { bogus: 1 }), { fieldValidation: 'Ignore' }),
    w.get('a'),
  ),
  agree(
    'an unknown field of metadata',
    w.create(widget('a', {}, { bogus: 1 }), { fieldValidation: 'Ignore' }),
    w.get('a'),
  ),
  agree(
    'an unknown field of an update',
    w.create(widget('a')),
    w.merge('a', { spec: { bogus: 1 } }, { fieldValidation: 'Ignore' }),
  ),
  agree(
    'an unknown field of a patch, strictly',
    w.create(widget('a')),
    w.merge('a', { spec: { bogus: 1 } }, { fieldValidation: 'Strict' }),
  ),
  agree(
    'an unknown field of a patch, with a warning',
    w.create(widget('a')),
    w.merge('a', { spec: { bogus: 1 } }),
  ),
  agree(
    'a default is filled in again by an update',
    w.create(widget('a', { spec: { color: 'red' } })),
    w.merge('a', { spec: { color: null } }),
  ),
  agree('the default of a status', w.create(widget('a')), {
    ...w.merge('a', { status: { phase: 'Ready' } }),
    path: `${w.get('a').path}/status`,
  }),
  agree(
    'a kind without defaults',
    gadgets.create(
      {
        apiVersion: 'agreement.example.com/v1',
        kind: 'Gadget',
        metadata: { name: 'a' },
        spec: { bogus: 1, size: 2 },
      },
      { fieldValidation: 'Ignore' },
    ),
  ),
];
