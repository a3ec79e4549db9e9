import { describe, expect, test } from 'vitest';
import { accepts } from '../../../../src/project/chart/accepts.ts';
import { kubernetesSchema } from '../../../../src/project/chart/kubernetes-schema.ts';
import { createRandom } from '../../../helpers/random.ts';
import { RandomValues, type Schema } from '../../../helpers/random-values.ts';

describe('the schema of a value', () => {
  test.each([
    ...['Affinity', 'EnvVar', 'PodSecurityContext', 'ResourceRequirements', 'SecurityContext'],
    ...['Toleration', 'TopologySpreadConstraint'],
  ])('accepts and refuses what Ajv does: %s', (type) => {
    const schema = kubernetesSchema(type) as Schema;
    const random = new RandomValues(createRandom(7));
    let refused = 0;
    for (let count = 0; count < 40; count++) {
      let value = random.of(schema);
      expect(accepts(schema, value), JSON.stringify(value)).toBe(true);
      for (let change = 0; change < 5; change++) {
        value = random.mutated(value);
        const isRight = random.accepts(schema, value);
        if (!isRight) refused++;
        expect(accepts(schema, value), JSON.stringify(value)).toBe(isRight);
      }
    }
    expect(refused).toBeGreaterThan(5);
  });

  test.each([
    [{ type: ['integer', 'null'] }, [1, null], [1.5, '1']],
    [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }], [{}, { a: 1, b: 2 }]],
    [{ dependencies: { a: ['b'] } }, [{ b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
    [{ not: { enum: [{ a: [1] }] } }, [{ a: [2] }], [{ a: [1] }]],
    [{ properties: { a: false } }, [{ b: 1 }, 'a'], [{ a: 1 }]],
  ])('%j', (schema, accepted, refused) => {
    for (const value of accepted) expect(accepts(schema, value), JSON.stringify(value)).toBe(true);
    for (const value of refused) expect(accepts(schema, value), JSON.stringify(value)).toBe(false);
  });
});
