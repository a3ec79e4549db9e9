import { expect, test } from 'vitest';
import { defaultMisfit } from '../../../../src/kubernetes/objects/index.ts';
import { defaultCases } from './default-cases.ts';

test.each(defaultCases)('%j and the default %j: %j', (schema, value, fits) => {
  const problem = defaultMisfit(schema, value);
  expect(problem === undefined, problem).toBe(fits);
});
