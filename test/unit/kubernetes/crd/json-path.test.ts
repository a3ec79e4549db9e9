import { expect, test } from 'vitest';
import { parseJsonPath } from '../../../../src/kubernetes/crd/rules/paths.ts';

const field = (name: string) => ({ type: 'field', name });
const items = { type: 'items', any: false };

test.each([
  ['.spec.replicas', [field('spec'), field('replicas')]],
  ['.spec.list[0].name', [field('spec'), field('list'), items, field('name')]],
  ['.spec.list[*]', [field('spec'), field('list'), { type: 'items', any: true }]],
  ['.spec.list[1:3]', [field('spec'), field('list'), items]],
  ['.spec.list[-1:]', [field('spec'), field('list'), items]],
  ['.spec.map.*', [field('spec'), field('map'), { type: 'items', any: true }]],
  [
    '.metadata.labels.app\\.kubernetes\\.io/name',
    [field('metadata'), field('labels'), field('app.kubernetes.io/name')],
  ],
  [".metadata.annotations['a.b/c']", [field('metadata'), field('annotations'), field('a.b/c')]],
  [
    '.status.conditions[?(@.type=="Ready")].status',
    [field('status'), field('conditions'), items, field('status')],
  ],
  [
    `.status.conditions[?(@.type=='a]b')].status`,
    [field('status'), field('conditions'), items, field('status')],
  ],
  [
    '.status.conditions[?(@.list[0]=="x")].status',
    [field('status'), field('conditions'), items, field('status')],
  ],
  ['..name', [{ type: 'descendants' }, field('name')]],
  ['.spec..name', [field('spec'), { type: 'descendants' }, field('name')]],
])('%s', (path, steps) => {
  expect(parseJsonPath(path)).toEqual(steps);
});

test.each([
  ['spec.replicas', 'it does not start with a dot'],
  ['', 'it does not start with a dot'],
  ['.', 'it names no field'],
  ['.spec.', 'what follows .spec is not understood'],
  ['.spec list', 'what follows .spec is not understood'],
  ['.spec[', 'what follows .spec is not understood'],
  ['.spec[?(@.a=="b"', 'what follows .spec is not understood'],
  ['.spec{.a}', 'what follows .spec is not understood'],
])('%j is refused', (path, problem) => {
  expect(parseJsonPath(path)).toBe(problem);
});
