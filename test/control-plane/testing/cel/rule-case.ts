import type { Json, Schema } from '../../../../src/kubernetes/objects/index.ts';
import type { ValidationRule } from '../../../../src/kubernetes/objects/index.ts';
import type { RuleCase } from './compare.ts';

export const text: Schema = { type: 'string', maxLength: 60 };
export const integer: Schema = { type: 'integer' };
export const number: Schema = { type: 'number' };
export const flag: Schema = { type: 'boolean' };
export const listOf = (items: Schema, more: Partial<Schema> = {}): Schema => ({
  type: 'array',
  maxItems: 5,
  items,
  ...more,
});
export const object = (properties: Record<string, Schema>, more: Partial<Schema> = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});
export const mapOf = (values: Schema): Schema => ({
  type: 'object',
  maxProperties: 5,
  additionalProperties: values,
});
export const formatted = (format: string): Schema => ({ ...text, format });

export type Rule = string | ValidationRule;

export function rules(
  schema: Schema,
  written: Rule | readonly Rule[],
  values: readonly Json[],
  updates: readonly (readonly [Json, Json])[] = [],
): RuleCase {
  const list = (Array.isArray(written) ? written : [written]) as readonly Rule[];
  const validations = list.map((rule) => (typeof rule === 'string' ? { rule } : rule));
  return {
    name: validations
      .map(({ rule, messageExpression = '' }) => `${rule} ${messageExpression}`.trim())
      .join('; '),
    schema: { ...schema, 'x-kubernetes-validations': validations },
    values,
    updates,
  };
}

export const texts = [
  '',
  'a',
  'abc',
  'Hello, world',
  'aXbXc',
  '  x ',
  'äöü€😀',
  '10.0.0.1',
  '1.2.3',
  'https://a.example:8080/p/q?x=1&y=2#f',
];
export const numbers = [-1, 0, 1, 2, 7, 100];
export const pair = object({ a: integer, b: integer, name: { ...text, maxLength: 10 }, on: flag });
export const pairs = [
  {},
  { a: 1 },
  { a: 1, b: 2 },
  { a: 2, b: 1 },
  { a: 0, b: 0, name: 'x', on: true },
  { name: 'abc', on: false },
];
export const set = listOf(text, { 'x-kubernetes-list-type': 'set' });
export const keyed = listOf(object({ name: text, port: integer }, { required: ['name'] }), {
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
});
export const lists = [[], ['a'], ['b', 'a'], ['a', 'b', 'c'], ['', 'x']];
export const keyedLists = [
  [],
  [{ name: 'a', port: 1 }],
  [{ name: 'a', port: 2 }, { name: 'b' }],
  [{ name: 'b' }, { name: 'a', port: 2 }],
];

export const quantities = [
  '1',
  '0',
  '-1',
  '1k',
  '1Ki',
  '500m',
  '1000m',
  '0.5',
  '1.0',
  '1e3',
  '1E',
  '0.5Gi',
  '12345678901234567890',
  'x',
  '',
  '1 Gi',
  '1kk',
  '.5',
  '5.',
];
export const addresses = [
  '10.0.0.1',
  '127.0.0.1',
  '::1',
  '2001:db8::1',
  '2001:DB8:0:0:0:0:0:1',
  'fe80::1',
  'fe80::1%eth0',
  '::ffff:1.2.3.4',
  '0.0.0.0',
  '224.0.0.1',
  '169.254.1.1',
  '256.1.1.1',
  '01.2.3.4',
  'ff02::1',
  '2001:db8:0:0:1:0:0:1',
  '',
  'x',
];
export const networks = [
  '10.0.0.0/8',
  '10.1.2.3/8',
  '0.0.0.0/0',
  '2001:db8::/32',
  '10.0.0.0/33',
  '10.0.0.0',
  '10.0.0.0/08',
  '::ffff:1.2.3.4/96',
  '',
];
export const urls = [
  'https://a.example:8080/p/q?x=1&y=2&x=3',
  'http://[::1]:80/',
  'http://[::1]',
  '/path',
  'path',
  '',
  '*',
  'mailto:a@b',
  'https://u:p@h/a%20b',
  'http://a b/',
  'http://h:x/',
  'HTTP://UP/',
  'https://h?q',
  'http://h/%zz',
  'https://h/ä?a=%41+b',
];
export const versions = [
  '1.2.3',
  'v1.2.3',
  '1.2',
  '01.2.3',
  '1.2.3-rc.1',
  '1.2.3-rc.1+b.2',
  '1.2.3-01',
  '1.2.3+',
  '2.0.0',
  '',
  'x',
  '1.2.x',
  '1.10.0',
];
export const times = [
  '2024-01-31T12:30:45Z',
  '2024-02-29T23:59:59.123456789Z',
  '2024-12-31T00:00:00+02:00',
  '1969-12-31T23:59:59.5Z',
  '2024-02-30T00:00:00Z',
  'x',
];
export const durations = ['1s', '1h30m', '-5m', '90s', '100ms', '1.5h', '0', 'x', '2 days'];
export const regexes = ['a+', '(?i)abc', '[', '^$', '\\d+', '(?=a)'];

export const transitions: readonly (readonly [Json, Json])[] = [
  [{ a: 1 }, { a: 1 }],
  [{ a: 1 }, { a: 2 }],
  [{ a: 2 }, { a: 1 }],
  [{}, { a: 1 }],
  [{ a: 1 }, {}],
  [
    { a: 1, b: 1 },
    { a: 1, b: 2 },
  ],
];
