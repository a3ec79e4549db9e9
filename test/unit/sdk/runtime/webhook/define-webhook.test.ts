import { describe, expect, test } from 'vitest';
import { defineWebhook, type WebhookOptions } from '../../../../../src/index.ts';
import { isOpSdkError } from '../../../../../src/base/errors/index.ts';
import { Memcached, Pod, type Memcached as MemcachedObject } from './kinds.ts';

const create = () => undefined;

function refused(options: unknown): string[] {
  try {
    defineWebhook(Memcached, options as WebhookOptions<MemcachedObject>);
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    return error.findings.map(({ code, message }) => {
      expect(code).toBe('runtime/invalid-webhook');
      return message;
    });
  }
  return [];
}

describe('defineWebhook', () => {
  test('serves what is there at the paths of controller-runtime', () => {
    expect(defineWebhook(Memcached, { default: () => undefined })).toMatchObject({
      role: 'webhook',
      for: Memcached,
      defaultingPath: '/mutate-cache-example-com-v1alpha1-memcached',
      validationPath: undefined,
    });
    expect(defineWebhook(Pod, { validate: { create } })).toMatchObject({
      defaultingPath: undefined,
      validationPath: '/validate--v1-pod',
    });
    expect(
      defineWebhook(Memcached, {
        default: () => undefined,
        validate: { delete: create },
        defaulting: { path: '/fill-in' },
        validation: { path: '/check/all' },
      }),
    ).toMatchObject({ defaultingPath: '/fill-in', validationPath: '/check/all' });
  });

  const cases: (readonly [options: object, messages: readonly string[]])[] = [
    [{}, ['expected `default` or a function of `validate`, got neither']],
    [{ validate: {} }, ['expected `default` or a function of `validate`, got neither']],
    [{ validate: { create: 1 } }, ['validate.create: expected a function, got 1']],
    [{ default: 'x' }, ['default: expected a function, got "x"']],
    ...[0, 31, 1.5, '10', NaN].map(
      (timeoutSeconds) =>
        [
          { validate: { create }, timeoutSeconds },
          [`timeoutSeconds: expected a whole number from 1 to 30, got ${JSON.stringify(timeoutSeconds)}`],
        ] as const,
    ),
    ...['validate', '', '/', '/a?b', '/a//b', '/a/../b', '/a b'].map(
      (path) =>
        [
          { validate: { create }, validation: { path } },
          [
            `validation.path: expected a path of letters, digits, -, _, . and ~ that begins with /, got ${JSON.stringify(path)}`,
          ],
        ] as const,
    ),
    [
      { validate: { create }, validation: { path: '/convert' } },
      ['validation.path: expected another path than /convert, which serves conversions'],
    ],
    [
      { default: create, validate: { create }, defaulting: { path: '/x' }, validation: { path: '/x' } },
      ['validation.path: expected another path than that of defaulting, got /x for both'],
    ],
    [
      {
        validate: { create },
        failurePolicy: 'fail',
        sideEffects: 'Some',
        subresources: ['status', 'Scale'],
        defaulting: { reinvocationPolicy: 'Always' },
        validation: {
          matchPolicy: 'All',
          timeoutSeconds: 60,
          matchConditions: [
            { name: 'a', expression: 'true' },
            { name: 'a', expression: 'false' },
          ],
        },
      },
      [
        'failurePolicy: expected Fail or Ignore, got "fail"',
        'sideEffects: expected None or NoneOnDryRun, got "Some"',
        'defaulting.reinvocationPolicy: expected Never or IfNeeded, got "Always"',
        'validation.matchPolicy: expected Equivalent or Exact, got "All"',
        'validation.timeoutSeconds: expected a whole number from 1 to 30, got 60',
        'validation.matchConditions: duplicate name a',
        'subresources: expected names of subresources, got "Scale"',
      ],
    ],
  ];
  test.each(cases)('refuses %j', (options, messages) => {
    expect(refused(options)).toEqual(messages);
  });

  test('names the kind and the place', () => {
    try {
      defineWebhook(Memcached, { validate: { create }, timeoutSeconds: 0 });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({
        findings: [
          { where: { object: 'webhook of Memcached.v1alpha1.cache.example.com', path: 'timeoutSeconds' } },
        ],
      });
    }
  });

  test('checks the paths of errors against the type', () => {
    defineWebhook(Memcached, {
      validate: {
        create: () => [
          { path: '.spec.size', message: '' },
          { path: '.spec.ports[0].name', message: '' },
          { path: '.metadata.name', message: '' },
        ],
        // @ts-expect-error no such field
        update: () => [{ path: '.spec.sise', message: '' }],
      },
    });
  });
});
