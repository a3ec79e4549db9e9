import { expect, test } from 'vitest';
import { expand } from '../../../../src/kubernetes/kustomize/vars/resolve-variables.ts';

const expanded = (value: number): unknown => expand('-$(A)-', new Map([['A', value]]), () => undefined);

test.each([0, 7, -7, 1_000_000, 12_345_678, 0.5, -0.0001, 999_999.5])(
  'the number %d within a text',
  (value) => expect(expanded(value)).toBe(`-${value}-`),
);

test.each([-0, 1e-5, 1_000_000.5, -12_345_678.9])(
  'the number %d, which kustomize writes otherwise, is refused within a text',
  (value) => expect(() => expanded(value)).toThrow('in another form than op-sdk'),
);
