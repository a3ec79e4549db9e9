import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../../../src/sdk/kube/index.ts';
import type { AdmissionContext } from '../../../../../src/index.ts';
import { answer, memcached, patchOf, reviewOf, type Memcached } from './kinds.ts';

const invalid = new ApiError({ verb: 'create' }, 422, {
  kind: 'Status',
  reason: 'Invalid',
  message: 'Other "y" is invalid',
  details: { name: 'y', causes: [{ field: 'spec.a', reason: 'FieldValueInvalid', message: 'bad' }] },
});
const operations = ['CREATE', 'UPDATE', 'DELETE'] as const;
const names = { CREATE: 'create', UPDATE: 'update', DELETE: 'delete' } as const;

/** A validation of one operation. */
const validating = (
  operation: (typeof operations)[number],
  check: (context: AdmissionContext) => readonly [] | undefined,
) => ({
  validate: {
    [names[operation]]: (...args: readonly unknown[]) => check(args.at(-1) as AdmissionContext),
  },
});

describe('a validation', () => {
  test.each(operations)('allows %s by returning nothing, with the uid of the request', async (operation) => {
    const response = await answer(
      validating(operation, () => undefined),
      'validation',
      reviewOf({ operation }),
    );
    expect(response).toMatchObject({ uid: 'abc', allowed: true, status: { code: 200 } });
    expect(response).not.toHaveProperty('warnings');
    expect(response).not.toHaveProperty('patch');
  });

  test.each(operations)('shows warnings with an allowed %s', async (operation) => {
    const options = validating(operation, ({ warn }) => {
      warn('first');
      warn('second');
      return [];
    });
    expect(await answer(options, 'validation', reviewOf({ operation }))).toMatchObject({
      allowed: true,
      warnings: ['first', 'second'],
    });
  });

  describe.each([
    ['with warnings', ['careful']],
    ['without warnings', undefined],
  ])('%s', (_name, warnings) => {
    const throwing = (error: unknown) => (context: AdmissionContext) => {
      for (const warning of warnings ?? []) context.warn(warning);
      throw error;
    };

    test.each(operations)('passes on an error of the API server as it was (%s)', async (operation) => {
      const response = await answer(
        validating(operation, throwing(invalid)),
        'validation',
        reviewOf({ operation }),
      );
      expect(response.allowed).toBe(false);
      expect(response.status).toEqual({
        kind: 'Status',
        status: 'Failure',
        code: 422,
        reason: 'Invalid',
        message: 'Other "y" is invalid',
        details: invalid.details,
      });
      expect(response.warnings).toEqual(warnings);
    });

    test.each(operations)('forbids with the message of another error (%s)', async (operation) => {
      const error = new Error('not on a Friday');
      const response = await answer(
        validating(operation, throwing(error)),
        'validation',
        reviewOf({ operation }),
      );
      expect(response).toMatchObject({
        allowed: false,
        status: { code: 403, reason: 'Forbidden', message: 'not on a Friday' },
      });
      expect(response.warnings).toEqual(warnings);
    });
  });

  test('returns errors of fields, which are shown in the form of the API server', async () => {
    const response = await answer(
      {
        validate: {
          create: ({ spec }) => [
            { path: '.spec.size', message: 'must be odd', value: spec.size },
            { path: '.spec.ports[0].name', message: '', value: 'a"b', reason: 'FieldValueDuplicate' },
            { path: '.spec.image', message: 'name one', reason: 'FieldValueRequired', value: 'hidden' },
            { path: '.spec.labels', message: 'no', value: { a: [null] } },
          ],
        },
      },
      'validation',
    );
    expect(response.status).toEqual({
      kind: 'Status',
      status: 'Failure',
      code: 422,
      reason: 'Invalid',
      message:
        'Memcached.cache.example.com "x" is invalid: [spec.size: Invalid value: 3: must be odd, ' +
        'spec.ports[0].name: Duplicate value: "a\\"b", spec.image: Required value: name one, ' +
        'spec.labels: Invalid value: {"a":[null]}: no]',
      details: {
        name: 'x',
        group: 'cache.example.com',
        kind: 'Memcached',
        causes: [
          { field: 'spec.size', reason: 'FieldValueInvalid', message: 'Invalid value: 3: must be odd' },
          { field: 'spec.ports[0].name', reason: 'FieldValueDuplicate', message: 'Duplicate value: "a\\"b"' },
          { field: 'spec.image', reason: 'FieldValueRequired', message: 'Required value: name one' },
          { field: 'spec.labels', reason: 'FieldValueInvalid', message: 'Invalid value: {"a":[null]}: no' },
        ],
      },
    });
  });

  test('one error has no brackets, an object without a name an empty one', async () => {
    const create = () => [{ path: '.spec.size', message: 'must be odd' }] as const;
    const review = reviewOf({
      name: '',
      object: memcached({ size: 4 }, { generateName: 'x-' }),
    });
    expect((await answer({ validate: { create } }, 'validation', review)).status.message).toBe(
      'Memcached.cache.example.com "" is invalid: spec.size: Invalid value: must be odd',
    );
  });

  test('sees the object, the stored one, the user, the subresource and whether it is a dry run', async () => {
    const seen: unknown[] = [];
    const review = reviewOf({
      operation: 'UPDATE',
      object: memcached({ size: 5 }),
      subResource: 'status',
      dryRun: true,
    });
    await answer(
      {
        validate: {
          update: (object, old, { request }) => {
            seen.push(object.spec.size, old.spec.size, request);
            expect(Object.isFrozen(object.spec)).toBe(true);
            expect(Object.isFrozen(old.metadata)).toBe(true);
          },
        },
      },
      'validation',
      review,
    );
    expect(seen).toEqual([
      5,
      3,
      expect.objectContaining({
        operation: 'UPDATE',
        name: 'x',
        namespace: 'default',
        subResource: 'status',
        dryRun: true,
        userInfo: { username: 'ann', groups: ['g'] },
        resource: { group: 'cache.example.com', version: 'v1alpha1', resource: 'memcacheds' },
      }),
    ]);
  });

  test('of another operation has nothing to say', async () => {
    const options = validating('DELETE', () => {
      throw new Error('never called');
    });
    expect(await answer(options, 'validation')).toMatchObject({ allowed: true });
  });

  test.each([true, false, null, 'no', {}, [1], [{ path: '.a' }], [{ path: '.a', message: '', reason: 'x' }]])(
    'that returns %j is a mistake: an internal error, not a permission',
    async (returned) => {
      const create = () => returned as unknown as undefined;
      const response = await answer({ validate: { create } }, 'validation');
      expect(response).toMatchObject({ allowed: false, status: { code: 500, reason: 'InternalError' } });
    },
  );

  test.each([
    ['a TypeError', new TypeError('x is undefined'), 'the webhook failed: x is undefined'],
    ['a text', 'oops', "the webhook failed: 'oops'"],
  ])('that throws %s is an internal error, which is logged and counted', async (_name, thrown, message) => {
    let panics = 0;
    const create = () => {
      throw thrown as Error;
    };
    const response = await answer({ validate: { create } }, 'validation', reviewOf(), {
      onFailure: () => (panics += 1),
    });
    expect(response).toMatchObject({
      allowed: false,
      status: { code: 500, reason: 'InternalError', message },
    });
    expect(response.lines).toMatchObject([{ level: 'error', msg: 'Webhook failed' }]);
    expect(panics).toBe(1);
  });

  test('logs name the object and the request', async () => {
    const create = (_: unknown, { log }: AdmissionContext) => log.info('hello');
    const { lines } = await answer({ validate: { create } }, 'validation');
    expect(lines).toMatchObject([
      { msg: 'hello', kind: 'Memcached', namespace: 'default', name: 'x', user: 'ann', requestID: 'abc' },
    ]);
  });
});

describe('a default', () => {
  test('changes a private copy; its difference is the patch, and unknown fields stay', async () => {
    const review = reviewOf({ object: memcached({ unknown: { deep: [1] }, size: 1 }) });
    const response = await answer(
      {
        default(object) {
          object.spec.size = 3;
          object.spec.image ??= 'memcached:1';
        },
      },
      'defaulting',
      review,
    );
    expect(response).toMatchObject({ uid: 'abc', allowed: true, patchType: 'JSONPatch' });
    expect(patchOf(response)).toEqual([
      { op: 'replace', path: '/spec/size', value: 3 },
      { op: 'add', path: '/spec/image', value: 'memcached:1' },
    ]);
  });

  test('that changes nothing leads to no patch', async () => {
    const response = await answer({ default: () => undefined }, 'defaulting');
    expect(response.allowed).toBe(true);
    expect(response).not.toHaveProperty('patch');
    expect(response).not.toHaveProperty('patchType');
  });

  test('is not called for a deletion', async () => {
    const options = {
      default: () => {
        throw new Error('never called');
      },
    };
    expect(await answer(options, 'defaulting', reviewOf({ operation: 'DELETE' }))).toMatchObject({
      allowed: true,
    });
  });

  test('that throws refuses the request, without a patch', async () => {
    const response = await answer(
      {
        default(object) {
          object.spec.size = 1;
          throw new Error('not today');
        },
      },
      'defaulting',
    );
    expect(response).toMatchObject({ allowed: false, status: { code: 403, message: 'not today' } });
    expect(response).not.toHaveProperty('patch');
  });

  test('that returns an object instead of changing its own is a mistake', async () => {
    const options = { default: (object: unknown) => object as undefined };
    expect(await answer(options, 'defaulting')).toMatchObject({
      allowed: false,
      status: { code: 500, message: expect.stringContaining('default returned a value') },
    });
  });

  const trimming = {
    default(object: Pick<Memcached, 'spec'>) {
      object.spec.image = object.spec.image?.trim() ?? 'memcached:1';
    },
  };

  test('that fails on a field of the wrong type lets the API server refuse the object', async () => {
    const asked: unknown[] = [];
    const review = reviewOf({ object: memcached({ size: 3, image: 7 }) });
    const response = await answer(trimming, 'defaulting', review, {
      typeFault: (kind, object) => {
        asked.push(kind.kind, object['spec']);
        return Promise.resolve('.spec.image');
      },
      onFailure: () => expect.unreachable(),
    });
    expect(asked).toEqual(['Memcached', { size: 3, image: 7 }]);
    expect(response).toMatchObject({ allowed: true, status: { code: 200 } });
    expect(response).not.toHaveProperty('patch');
    expect(response.lines).toMatchObject([{ level: 'info', fault: '.spec.image' }]);
  });

  test('that fails on an object whose types are right is an internal error', async () => {
    const review = reviewOf({ object: memcached({ size: 3, image: 7 }) });
    expect(await answer(trimming, 'defaulting', review)).toMatchObject({
      allowed: false,
      status: { code: 500, reason: 'InternalError' },
    });
  });

  test('may leave integers alone that JavaScript has rounded, but not write them', async () => {
    const big = '12345678901234567890123';
    const exact = reviewOf();
    const withBig = (text: string): unknown =>
      JSON.parse(JSON.stringify(exact).replace('"size":3', `"size":3,"big":9007199254740993,"none":${text}`));
    const untouched = await answer({ default: (o) => void (o.spec.image = 'a') }, 'defaulting', withBig(big));
    expect(patchOf(untouched)).toEqual([{ op: 'add', path: '/spec/image', value: 'a' }]);
    const moved = await answer(
      {
        default(object) {
          const spec = object.spec as unknown as { big: number; copies: unknown };
          spec.copies = [{ big: spec.big }];
        },
      },
      'defaulting',
      withBig(big),
    );
    expect(moved).toMatchObject({
      allowed: false,
      status: { code: 500, message: expect.stringContaining('/spec/copies/0/big') },
    });
  });
});

describe('what is not a question to this webhook is refused', () => {
  test.each([
    ['another kind', { kind: { group: 'cache.example.com', version: 'v1beta1', kind: 'Memcached' } }],
    ['an object of another kind', { object: { apiVersion: 'v1', kind: 'Pod', metadata: {} } }],
    ['an operation that is not supported', { operation: 'CONNECT', object: memcached() }],
    ['no object', { object: null }],
    ['an object without metadata', { object: { ...memcached(), metadata: null } }],
    ['a user that is text', { userInfo: 'ann' }],
    ['a dry run that is text', { dryRun: 'no' }],
    ['a name that is a number', { name: 7 }],
    ['options that are a list', { options: [] }],
    ['a resource without a name', { resource: { group: '', version: 'v1' } }],
  ])('%s', async (_name, request) => {
    const validate = { create: () => expect.unreachable() };
    const response = await answer({ validate }, 'validation', reviewOf(request));
    expect(response).toMatchObject({ uid: 'abc', allowed: false, status: { code: 400 } });
  });

  test.each([
    ['null', null],
    ['a list', []],
    ['text', 'x'],
    ['another version', { ...reviewOf(), apiVersion: 'admission.k8s.io/v1beta1' }],
    ['no version', { kind: 'AdmissionReview', request: reviewOf()['request'] }],
    ['another review', { ...reviewOf(), kind: 'ConversionReview' }],
    ['a review without a request', { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' }],
    ['a request without a uid', reviewOf({ uid: '' })],
    ['a uid that is a list', reviewOf({ uid: ['abc'] })],
  ])('%s', async (_name, review) => {
    const validate = { create: () => expect.unreachable() };
    expect(await answer({ validate }, 'validation', review)).toMatchObject({
      allowed: false,
      status: { code: 400, reason: 'BadRequest' },
    });
  });
});
