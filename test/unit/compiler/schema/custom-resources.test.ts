// The samples that tests of behaviour compare schemas by: with samples that say nothing those tests could not fail.
import { describe, expect, test } from 'vitest';
import type { JSONSchemaProps } from '../../../../src/compiler/schema/index.ts';
import { customResources } from '../../../helpers/custom-resources/index.ts';
import { validValue } from '../../../helpers/custom-resources/valid.ts';
import { createRandom } from '../../../helpers/random.ts';

const schema: JSONSchemaProps = {
  type: 'object',
  required: ['spec', 'metadata'],
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      required: ['name'],
      oneOf: [{ required: ['one'] }, { required: ['two'] }],
      properties: {
        name: { type: 'string', pattern: '^[a-z]{2,4}-[0-9]+$', maxLength: 12 },
        one: { type: 'integer', minimum: 3, maximum: 9, multipleOf: 3 },
        two: {
          type: 'array',
          items: { type: 'string', enum: ['a', 'b'] },
          minItems: 1,
          'x-kubernetes-list-type': 'set',
        },
        when: { type: 'string', format: 'date-time' },
        port: { 'x-kubernetes-int-or-string': true },
        labels: { type: 'object', additionalProperties: { type: 'string', minLength: 2 } },
        size: { type: 'integer', default: 1, nullable: true },
      },
    },
  },
};

describe('custom resources', () => {
  const made = customResources(schema, { count: 60, seed: 1 });

  test('are as many as asked for, and the same in every run', () => {
    expect(made).toHaveLength(60);
    expect(customResources(schema, { count: 60, seed: 1 })).toEqual(made);
    expect(customResources(schema, { count: 60, seed: 2 })).not.toEqual(made);
  });

  test('break every sort of rule of the schema', () => {
    const sorts = new Set(made.map(({ about }) => about.slice(about.lastIndexOf(': ') + 2)));
    expect([...sorts]).toEqual(
      expect.arrayContaining([
        'a required field is missing',
        'less than the minimum',
        'more than the maximum',
        'no multiple',
        'not as the pattern',
        'too long',
        'not in the enum',
        'not of the format date-time',
        'an unknown field',
        'a field with a default is missing',
        'null where null may be',
        'null where no null may be',
        'too short',
      ]),
    );
  });

  test('have no fields that every object has', () => {
    expect(new Set(made.flatMap(({ fields }) => Object.keys(fields)))).toEqual(
      new Set(['spec', 'someUnknownField']),
    );
  });

  test('valid values are valid', () => {
    const spec = schema.properties?.['spec'] ?? {};
    for (let seed = 0; seed < 50; seed++) {
      const value = validValue(spec, { random: createRandom(seed), richness: 'some', budget: 20 }) as Record<
        string,
        unknown
      >;
      expect(value['name']).toMatch(/^[a-z]{2,4}-[0-9]+$/);
      expect(Object.hasOwn(value, 'one')).not.toBe(Object.hasOwn(value, 'two'));
      expect([undefined, 3, 6, 9]).toContain(value['one']);
    }
  });
});
