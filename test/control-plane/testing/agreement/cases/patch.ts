import { agree, widget, widgets as w, type Case } from '../case.ts';

const create = w.create(
  widget(
    'a',
    { spec: { size: 1, labels: { a: '1', b: '2' }, list: ['x', 'y'], nested: { key: 'k' } } },
    { labels: { app: 'x' } },
  ),
);
const merge = (name: string, body: unknown, parameters = {}): Case =>
  agree(`merge: ${name}`, create, w.merge('a', body, parameters), w.get('a'));
const json = (name: string, ...operations: readonly unknown[]): Case =>
  agree(`json: ${name}`, create, w.json('a', operations), w.get('a'));

export const cases: readonly Case[] = [
  merge('a field', { spec: { size: 2 } }),
  merge('nothing', {}),
  merge('the same value', { spec: { size: 1 } }),
  merge('null removes', { spec: { labels: { a: null } } }),
  merge('null for what is not there', { spec: { mode: null } }),
  merge('a list is replaced', { spec: { list: ['z'] } }),
  merge('a whole object removed', { spec: null }),
  merge('an object over a scalar', { spec: { any: { a: 1 } } }),
  merge('labels', { metadata: { labels: { app: null, other: 'y' } } }),
  merge('a status', { status: { phase: 'Ready' } }),
  merge('a right resourceVersion is checked', { metadata: { resourceVersion: '1' }, spec: { size: 2 } }),
  merge('another name', { metadata: { name: 'b' } }),
  merge('another uid', { metadata: { uid: 'x' } }),
  merge('another kind', { kind: 'Gadget' }),
  merge('an invalid value', { spec: { size: -1 } }),
  merge('a list as a body', []),
  merge('a dry run', { spec: { size: 2 } }, { dryRun: 'All' }),
  merge('a field manager', { spec: { size: 2 } }, { fieldManager: 'two' }),
  merge('generation', { metadata: { generation: 50 } }),
  agree('merge: an object that does not exist', w.merge('a', { spec: { size: 1 } })),
  json('replace', { op: 'replace', path: '/spec/size', value: 2 }),
  json('add', { op: 'add', path: '/spec/mode', value: 'Fast' }),
  json('add to the end of a list', { op: 'add', path: '/spec/list/-', value: 'z' }),
  json('add in a list', { op: 'add', path: '/spec/list/1', value: 'm' }),
  json('remove', { op: 'remove', path: '/spec/labels/a' }),
  json('remove an item', { op: 'remove', path: '/spec/list/0' }),
  json('remove what is not there', { op: 'remove', path: '/spec/mode' }),
  json('replace what is not there', { op: 'replace', path: '/spec/mode', value: 'Fast' }),
  json('add below what is not there', { op: 'add', path: '/spec/free/x', value: 1 }),
  json('an index beyond the end', { op: 'add', path: '/spec/list/9', value: 'z' }),
  json(
    'test, met',
    { op: 'test', path: '/spec/size', value: 1 },
    { op: 'replace', path: '/spec/size', value: 3 },
  ),
  json(
    'test, not met',
    { op: 'test', path: '/spec/size', value: 5 },
    { op: 'replace', path: '/spec/size', value: 3 },
  ),
  json('copy', { op: 'copy', from: '/spec/labels/a', path: '/spec/labels/c' }),
  json('move', { op: 'move', from: '/spec/labels/a', path: '/spec/labels/c' }),
  json(
    'escaped names',
    { op: 'add', path: '/metadata/annotations', value: { 'a/b': '1' } },
    { op: 'replace', path: '/metadata/annotations/a~1b', value: '2' },
  ),
  json('an unknown operation', { op: 'increase', path: '/spec/size', value: 1 }),
  json('no operations'),
  json('an invalid value', { op: 'replace', path: '/spec/size', value: 'x' }),
  json('a test of the resourceVersion', { op: 'test', path: '/metadata/resourceVersion', value: 'x' }),
  agree('json: an object as a body', create, w.json('a', { op: 'add' })),
  agree('json: an object that does not exist', w.json('a', [{ op: 'add', path: '/spec', value: {} }])),
  agree('strategic: not for custom resources', create, {
    ...w.merge('a', { spec: { size: 2 } }),
    type: 'application/strategic-merge-patch+json',
  }),
];
