import { describe, expect, test } from 'vitest';
import {
  ApiError,
  isConflict,
  isExpired,
  isNotFound,
  isTypeNotServed,
} from '../../../../../src/sdk/kube/index.ts';
import { status, Thing } from '../support/reflector-harness.ts';

describe('errors of the API', () => {
  const target = { verb: 'create', resource: Thing, namespace: 'default', name: 'web' };

  test('tell verb, resource and name', () => {
    const error = ApiError.fromResponse(
      target,
      409,
      {},
      JSON.stringify(status(409, 'AlreadyExists', { message: 'it exists' })),
    );
    expect(error.message).toBe('create things.example.com default/web: it exists');
    expect(error).toMatchObject({ status: 409, reason: 'AlreadyExists', code: 'kube/already-exists' });
    expect(isConflict(error)).toBe(false);
    expect(error.findings[0].message).toBe(error.message);
  });

  test('tell a missing object from a missing type', () => {
    const missing = ApiError.fromResponse(target, 404, {}, JSON.stringify(status(404, 'NotFound')));
    const unserved = ApiError.fromResponse(target, 404, {}, '404 page not found\n');
    expect([isNotFound(missing), isTypeNotServed(missing)]).toEqual([true, false]);
    expect([isNotFound(unserved), isTypeNotServed(unserved)]).toEqual([false, true]);
  });

  test('tell what has expired by the status alone, and by the reason alone', () => {
    const expired = [
      new ApiError(target, 410, ''),
      new ApiError(target, 500, { kind: 'Status', reason: 'Expired' }),
      new ApiError(target, 500, { kind: 'Status', reason: 'Gone' }),
    ];
    expect(expired.map(isExpired)).toEqual([true, true, true]);
    expect(isExpired(new ApiError(target, 500, ''))).toBe(false);
  });

  test('say what to do about credentials that the server does not accept', () => {
    const error = ApiError.fromResponse(target, 401, {}, JSON.stringify(status(401, 'Unauthorized')));
    expect(error.findings).toMatchObject([
      {
        code: 'kube/unauthorized',
        fix: [expect.stringMatching(/^renew the credentials: `kubectl auth whoami`/)],
      },
    ]);
  });

  test('take the delay from the header or the details', () => {
    const details = { details: { retryAfterSeconds: 4 } };
    expect(
      ApiError.fromResponse(target, 429, {}, JSON.stringify(status(429, 'TooManyRequests', details)))
        .retryAfter,
    ).toBe(4000);
    expect(ApiError.fromResponse(target, 429, { 'retry-after': '3' }, '').retryAfter).toBe(3000);
    expect(ApiError.fromResponse(target, 500, { 'retry-after': 'soon' }, '').retryAfter).toBeUndefined();
    // A timer takes NaN, and more than 2^31-1 milliseconds, for none at all.
    expect(ApiError.fromResponse(target, 429, { 'retry-after': '9999999999' }, '').retryAfter).toBe(300_000);
    const nonsense = { details: { retryAfterSeconds: 'soon' } };
    expect(
      ApiError.fromResponse(target, 429, {}, JSON.stringify(status(429, 'TooManyRequests', nonsense)))
        .retryAfter,
    ).toBeUndefined();
  });
});
