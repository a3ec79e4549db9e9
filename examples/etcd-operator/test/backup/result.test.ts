import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readResult, resultText, type Result } from '../../src/backup/result.ts';

const count = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const fetched = { path: fc.string(), sizeBytes: count, sha256: fc.stringMatching(/^[0-9a-f]{64}$/) };
const result: fc.Arbitrary<Result> = fc.oneof(
  fc.record({ fetched: fc.record(fetched) }),
  fc.record({ prepared: fc.record({ dataDir: fc.string() }) }),
  fc.record({
    saved: fc.record(
      { ...fetched, revision: count, etcdVersion: fc.string(), oldest: fc.string(), deleted: count },
      { requiredKeys: ['path', 'sizeBytes', 'sha256', 'revision'] },
    ),
  }),
  fc.record({ failed: fc.record({ reason: fc.constant('AccessDenied' as const), message: fc.string() }) }),
);

describe('the result of the program', () => {
  test('is read back', () => {
    fc.assert(
      fc.property(result, (given) => {
        expect(readResult(resultText(given))).toEqual(given);
      }),
    );
  });

  test('fits into a termination message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 2000, maxLength: 6000 }), (message) => {
        const text = resultText({ failed: { reason: 'StoreFailed', message } });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
        expect(readResult(text)).toMatchObject({ failed: { reason: 'StoreFailed' } });
      }),
      { numRuns: 20 },
    );
  });

  test('is none if another program has written it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(readResult(text)).toBeUndefined();
      }),
    );
    for (const text of [
      undefined,
      '{"saved":{"path":"a","sizeBytes":1,"sha256":"x","revision":1}}',
      '{"failed":{"reason":"not a reason","message":""}}',
      '{"failed":{"reason":"StoreFailed"}}',
    ])
      expect(readResult(text)).toBeUndefined();
  });
});
