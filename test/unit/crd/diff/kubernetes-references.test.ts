import { expect, test } from 'vitest';
import { atomicReferences } from '../../../../src/crd/diff/kubernetes-references.ts';
import { tableSchema } from '../../../../src/tables/index.ts';

test.each(Object.entries(atomicReferences))('%s is one value for Kubernetes itself', (name, fields) => {
  const schema = tableSchema(name);
  expect(schema?.['x-kubernetes-map-type']).toBe('atomic');
  expect(Object.keys(schema?.properties ?? {}).sort()).toEqual(fields);
});
