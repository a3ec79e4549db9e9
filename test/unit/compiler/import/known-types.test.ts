import { expect, test } from 'vitest';
import { knownObjectType } from '../../../../src/compiler/import/known-types.ts';
import { builtInSchema } from '../../../../src/compiler/schema/index.ts';

const knownAs = (file: string, name: string): string | undefined => {
  const found = builtInSchema(file, name);
  if (!('schema' in found)) throw new Error(`expected a schema of ${name}, got ${JSON.stringify(found)}`);
  return knownObjectType(found.schema)?.name;
};

test('a type that kinds embed is known by its schema', () => {
  expect(knownAs('core/v1', 'PodSpec')).toBe('PodSpec');
  expect(knownAs('meta/v1', 'Condition')).toBe('Condition');
});

test('a status that has only conditions is not that of a kind of Kubernetes', () => {
  expect(knownAs('networking/v1', 'ServiceCIDRStatus')).toBeUndefined();
});
