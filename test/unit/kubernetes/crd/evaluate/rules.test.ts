// The typing of values and the messages of CEL rules; test/control-plane/testing/cel holds both against the API server.
import { expect, it } from 'vitest';
import { ruleErrors } from '../../../../../src/kubernetes/crd/index.ts';
import type { JsonObject, Schema, ValidationRule } from '../../../../../src/kubernetes/objects/index.ts';

const spec = (properties: Record<string, Schema>, ...rules: readonly ValidationRule[]): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, 'x-kubernetes-validations': [...rules] } },
});

async function bodies(schema: Schema, value: JsonObject, before?: JsonObject): Promise<readonly string[]> {
  const old = before === undefined ? undefined : { spec: before };
  const { errors } = await ruleErrors(schema, { spec: value }, old);
  return errors.map(({ field, body }) => `${field}: ${body}`);
}

it('types integers and numbers by the schema', async () => {
  const schema = spec(
    { int: { type: 'integer' }, double: { type: 'number' } },
    { rule: 'self.int / 2 == 1 && self.double / 2.0 == 1.5' },
  );
  expect(await bodies(schema, { int: 3, double: 3 })).toEqual([]);
});

it('compares sets without their order', async () => {
  const set: Schema = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };
  const schema = spec({ set }, { rule: "self.set == ['b', 'a']" });
  expect(await bodies(schema, { set: ['a', 'b'] })).toEqual([]);
});

it('escapes names', async () => {
  const schema = spec({ 'a-b': { type: 'integer' } }, { rule: 'self.a__dash__b == 1' });
  expect(await bodies(schema, { 'a-b': 1 })).toEqual([]);
});

it('reports the error of a rule', async () => {
  const schema = spec({ a: { type: 'integer' } }, { rule: 'self.a > 0' });
  expect(await bodies(schema, {})).toEqual([
    'spec: Invalid value: "object": no such key: a evaluating rule: self.a > 0',
  ]);
});

it('has the path, the reason and the message of a rule', async () => {
  const schema = spec(
    { a: { type: 'integer' } },
    {
      rule: 'self.a > 0',
      fieldPath: '.a',
      reason: 'FieldValueForbidden',
      messageExpression: "'got ' + string(self.a)",
    },
  );
  expect(await bodies(schema, { a: 0 })).toEqual(['spec.a: Forbidden: got 0']);
});

it('runs rules with oldSelf only on updates', async () => {
  const schema = spec({ a: { type: 'integer' } }, { rule: 'self.a >= oldSelf.a' });
  expect(await bodies(schema, { a: 1 })).toEqual([]);
  expect(await bodies(schema, { a: 1 }, { a: 2 })).toEqual([
    'spec: Invalid value: failed rule: self.a >= oldSelf.a',
  ]);
});

it('warns about violations that an update leaves as they were', async () => {
  const schema = spec({ a: { type: 'integer' } }, { rule: 'self.a > 0' });
  const verdict = await ruleErrors(schema, { spec: { a: 0 } }, { spec: { a: 0 } });
  expect(verdict).toMatchObject({
    errors: [],
    warnings: ['spec: Invalid value: failed rule: self.a > 0'],
  });
});

it('refuses what it cannot evaluate', async () => {
  const schema = spec({ a: { type: 'integer' } }, { rule: "'%e'.format([1.0]) == ''" });
  await expect(bodies(schema, { a: 1 })).rejects.toMatchObject({ name: 'UnsupportedRule', path: 'spec' });
});
