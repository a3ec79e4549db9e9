import { expect, it } from 'vitest';
import { defineController } from '../../../../src/index.ts';
import { Site } from './kinds.ts';

it('invalid limits of a controller are refused, all at once', () => {
  const define = () =>
    defineController({
      for: Site,
      reconcile: () => undefined,
      reconcileTimeout: 0,
      backoff: { base: '-1s', cap: 'soon' as '1s' },
    });
  expect(define).toThrow(
    expect.objectContaining({
      findings: [
        {
          code: 'runtime/invalid-controller',
          message: 'reconcileTimeout: expected a duration of more than 0, got 0',
          where: { object: 'controller site', path: 'reconcileTimeout' },
          fix: ['raise it'],
        },
        expect.objectContaining({ code: 'runtime/invalid-duration' }),
        expect.objectContaining({ code: 'runtime/invalid-duration' }),
      ],
    }),
  );
  const swapped = () =>
    defineController({
      for: Site,
      reconcile: () => undefined,
      backoff: { base: '1m', cap: '30s' },
    });
  expect(swapped).toThrow('backoff.cap: expected at least backoff.base (1m), got 30s');
});
