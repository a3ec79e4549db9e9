import { expect, test } from 'vitest';
import { crdSchemaFields, refusedSchemaFields } from '../../../src/schema/json-schema-props.ts';
import { structuralProblems } from '../../../src/schema/structural-rules.ts';
import { notStructural, structural, useless } from './structural-cases.ts';

test('every field of JSONSchemaProps is known', () => {
  expect(new Set([...crdSchemaFields, ...refusedSchemaFields]).size).toBe(44);
});

test.each(structural)('%j is structural', (schema) => {
  expect(structuralProblems(schema)).toEqual([]);
});

test.each([...notStructural, ...useless])('%j is not', (schema, part) => {
  expect(structuralProblems(schema).join('\n')).toContain(part);
});
