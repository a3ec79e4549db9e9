// What is said of the names in CEL rules; test/control-plane/compiler/schema/cel-rules.test.ts compares it with the API server.
import { expect, test } from 'vitest';
import { checkCel } from '../../../../../src/kubernetes/crd/cel/cel-problems.ts';
import { readCel } from '../../../../../src/kubernetes/crd/cel/cel-syntax.ts';
import { celTypeOf } from '../../../../../src/kubernetes/crd/cel/cel-type.ts';

const self = celTypeOf(
  {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          ports: { type: 'array', items: { type: 'object', properties: { number: { type: 'integer' } } } },
          other: { 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  },
  true,
);

function problemsOf(rule: string): readonly string[] {
  const read = readCel(rule);
  if ('problem' in read) return [read.problem];
  return self === undefined ? [] : checkCel(read.tree, { self }).problems;
}

test('all problems are found at once, each once', () => {
  expect(problemsOf('self.spec.nam == slef && self.spec.ports.all(p, p.numbr > 1 && p.numbr < 9)')).toEqual([
    '`self.spec` has no field `nam`; did you mean `name`?',
    'unknown name `slef`; expected `self`',
    '`p` has no field `numbr`; did you mean `number`?',
  ]);
});

test.each([
  'self.metadata.name == self.kind + self.apiVersion',
  'self.spec.ports.map(p, p.number).max() < 9',
  'self.spec.ports.filter(p, has(p.number)).exists(p, p.number == 1)',
  'self.spec.?name.orValue("a").startsWith("a")',
])('nothing is wrong with %s', (rule) => {
  expect(problemsOf(rule)).toEqual([]);
});

test.each([
  ['self.metadata.labels.a == ""', '`self.metadata` has no field `labels`'],
  ['self.spec.other.x == 1', '`self.spec` has a field `other` without a type, which rules cannot read'],
  ['self.spec.name.length() > 1', 'unknown function `length`; no version of Kubernetes up to 1.37 has it'],
  ['self.spec.ports.number > 1', '`self.spec.ports` is a list, which has no fields: `number`'],
  ['self.spec.name > 1', '`>` cannot compare a string with an int: `self.spec.name` and `1`'],
  ['(self.spec', '`(` is not closed by `)`'],
  ['self.spec.name ==', 'something is missing after `==`'],
])('%s', (rule, problem) => {
  expect(problemsOf(rule)).toEqual([problem]);
});
