import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerConversionReview } from '../../../../../src/sdk/runtime/conversion/answer-review.ts';
import { defineConversion } from '../../../../../src/index.ts';
import { deepFreeze } from '../../../../../src/sdk/runtime/deep-freeze.ts';
import { nginx, apps } from './pairs.ts';
import { NginxV1, NginxV2 } from './versions.ts';

const group = 'operator.example.com';
const object = (version: string, name: string, spec: object, more: object = {}) => ({
  apiVersion: `${group}/${version}`,
  kind: 'Nginx',
  metadata: { name, namespace: 'default' },
  spec,
  ...more,
});
const review = (objects: unknown, desiredAPIVersion: unknown = `${group}/v1alpha2`, more: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: { uid: 'u-1', desiredAPIVersion, objects, ...more },
});
const fail = (error: unknown): never => {
  throw error;
};
const answer = (value: unknown) => answerConversionReview([nginx, apps], value).response;

describe('the answer to a ConversionReview', () => {
  it('converts objects of several versions, in their order, and echoes the uid', () => {
    const objects = [
      object('v1', 'a', { listen: ['80/UDP'], scale: { replicas: 2 } }),
      object('v1alpha2', 'b', { ports: [] }),
      object('v1alpha1', 'c', { port: 80 }),
    ];
    const { uid, convertedObjects, result } = answer(deepFreeze(review(objects)));
    expect([uid, result]).toEqual(['u-1', { status: 'Success' }]);
    expect(convertedObjects).toEqual([
      object('v1alpha2', 'a', { ports: [{ containerPort: 80, protocol: 'UDP' }], replicas: 2 }),
      objects[1],
      object('v1alpha2', 'c', { ports: [{ containerPort: 80, protocol: 'TCP' }] }),
    ]);
  });

  it('converts from a spoke to the hub, and from the hub to a spoke', () => {
    const spoke = object('v1alpha1', 'a', { port: 80 });
    const hub = object('v1alpha2', 'a', { ports: [{ containerPort: 80, protocol: 'TCP' }] });
    expect(answer(review([spoke], `${group}/v1alpha2`)).convertedObjects).toEqual([hub]);
    expect(answer(review([hub], `${group}/v1alpha1`)).convertedObjects).toEqual([spoke]);
  });

  it('converts from spoke to spoke by way of the hub', () => {
    const { convertedObjects } = answer(review([object('v1alpha1', 'a', { port: 80 })], `${group}/v1`));
    expect(convertedObjects).toEqual([object('v1', 'a', { listen: ['80/TCP'], scale: {} })]);
  });

  it('converts many objects, and none', () => {
    const many = Array.from({ length: 500 }, (_, index) => object('v1alpha1', `n-${index}`, { port: index }));
    const { convertedObjects } = answer(review(many));
    expect(convertedObjects.map((each) => (each['metadata'] as { name: string }).name)).toEqual(
      many.map(({ metadata }) => metadata.name),
    );
    expect(answer(review([]))).toEqual({ uid: 'u-1', convertedObjects: [], result: { status: 'Success' } });
  });

  it.each([
    [
      'an unknown version',
      object('v9', 'a', {}),
      'Nginx default/a: no conversion of kind Nginx knows version operator.example.com/v9',
    ],
    [
      'an unknown kind',
      { ...object('v1alpha1', 'a', {}), kind: 'Other' },
      'Other default/a: no conversion of kind Other knows version operator.example.com/v1alpha1',
    ],
    [
      'another group',
      { ...object('v1', 'a', {}), apiVersion: 'apps.example.com/v1', kind: 'App' },
      'App default/a: the conversion of App has no version operator.example.com/v1alpha2',
    ],
    [
      'no metadata',
      { ...object('v1alpha1', 'a', {}), metadata: undefined },
      'request.objects[1]: metadata: expected an object',
    ],
    [
      'annotations that are not texts',
      { ...object('v1alpha1', 'a', {}), metadata: { name: 'a', annotations: { b: 1 } } },
      'Nginx a: metadata.annotations: expected a map of texts',
    ],
    [
      'a body that the function cannot read',
      object('v1', 'a', {}),
      "Nginx default/a: to() of v1: Cannot read properties of undefined (reading 'map')",
    ],
    [
      'a rounded integer',
      object('v1alpha1', 'a', { port: 2 ** 60 }),
      'Nginx default/a: .spec.port: expected a number, an integer within ±(2^53-1), got 1152921504606847000',
    ],
    ['a text', 'x', 'request.objects[1]: expected an object'],
  ])('fails as a whole and names the object: %s', (_title, bad, message) => {
    const { uid, convertedObjects, result } = answer(review([object('v1alpha1', 'good', {}), bad]));
    expect({ uid, convertedObjects, result }).toEqual({
      uid: 'u-1',
      convertedObjects: [],
      result: { status: 'Failure', message },
    });
  });

  it.each([
    ['a promise', () => Promise.resolve({}), 'to() of v1alpha1: the result: expected JSON, got a promise'],
    [
      'a date',
      () => ({ spec: { a: new Date(0) } }),
      'to() of v1alpha1: .spec.a: expected JSON, got an object of class Date',
    ],
    [
      'NaN',
      () => ({ spec: [Number.NaN] }),
      'to() of v1alpha1: .spec[0]: expected a number, an integer within ±(2^53-1), got NaN',
    ],
    ['nothing', () => undefined, 'to() of v1alpha1: the result: expected JSON, got undefined'],
    ['a list', () => [], 'to() of v1alpha1: expected an object, got a list'],
    [
      'metadata',
      () => ({ metadata: {} }),
      'to() of v1alpha1: expected fields of the body only, got metadata',
    ],
    [
      'a change of its argument',
      (spoke: { spec: { port: number } }) => {
        spoke.spec.port = 1;
        return {};
      },
      "to() of v1alpha1: Cannot assign to read only property 'port' of object '#<Object>'",
    ],
  ])('names what a function of the author does wrong: %s', (_title, to, message) => {
    const wrong = defineConversion(NginxV2).spoke(NginxV1, { to, from: () => ({}) } as never);
    const { response } = answerConversionReview([wrong], review([object('v1alpha1', 'a', { port: 2 })]));
    expect(response.result).toEqual({ status: 'Failure', message: `Nginx default/a: ${message}` });
  });

  it.each<[string, (spoke: { spec: object }) => unknown, object, boolean]>([
    ['a mistake', ({ spec }) => (spec as { none: { deep: unknown } }).none.deep, {}, true],
    ['what is not an error', () => fail('text'), {}, true],
    ['a wrong result', () => [], {}, true],
    ['a refusal', () => fail(new Error('cannot be converted')), {}, false],
    ['an error with a cause', () => fail(new TypeError('fetch failed', { cause: 'no network' })), {}, false],
    ['an object that cannot be read', () => ({}), { port: 2 ** 60 }, false],
  ])('says whether it is a mistake in a function of the author: %s', (_title, to, spec, isPanic) => {
    const wrong = defineConversion(NginxV2).spoke(NginxV1, { to, from: () => ({}) } as never);
    const failures: unknown[] = [];
    const objects = [object('v1alpha1', 'a', spec)];
    const { response } = answerConversionReview([wrong], review(objects), (failure) =>
      failures.push(failure),
    );
    expect(failures).toEqual([{ error: expect.any(Error), isPanic }]);
    expect(response.result).toMatchObject({
      status: 'Failure',
      message: (failures as { error: Error }[])[0]?.error.message,
    });
  });

  it('does not repeat at length what was sent, in the answer and to the log', () => {
    const long = 'x'.repeat(100_000);
    const named = { metadata: { name: long, namespace: long } };
    for (const nonsense of [
      review([{ ...named, apiVersion: long, kind: long }]),
      review([{ ...named, apiVersion: `${group}/v1alpha1`, kind: 'Nginx', spec: [] }], long),
      { ...review([]), kind: long, apiVersion: long },
    ]) {
      const errors: unknown[] = [];
      const { response } = answerConversionReview([nginx], nonsense, ({ error }) => errors.push(error));
      expect(response.result).toMatchObject({ status: 'Failure' });
      expect(inspect([response, errors]).length).toBeLessThan(10_000);
    }
  });

  it.each([
    ['nothing', undefined, 'expected a ConversionReview'],
    [
      'another version',
      { ...review([]), apiVersion: 'apiextensions.k8s.io/v1beta1' },
      'expected apiextensions.k8s.io/v1 ConversionReview, got apiextensions.k8s.io/v1beta1 ConversionReview',
    ],
    ['no request', { ...review([]), request: null }, 'request: expected an object'],
    ['no uid', review([], undefined, { uid: '' }), 'request.uid: expected a text'],
    ['no version', review([], 1), 'request.desiredAPIVersion: expected group/version'],
    [
      'an unknown version',
      review([], `${group}/v9`),
      'request.desiredAPIVersion: no conversion knows operator.example.com/v9',
    ],
    ['no objects', review({}), 'request.objects: expected a list'],
  ])('fails for a malformed review: %s', (_title, value, message) => {
    expect(answer(value).result).toEqual({ status: 'Failure', message });
  });

  it('never crashes, and succeeds only for as many objects as were sent', () => {
    const scalar = fc.constantFrom<unknown>(
      null,
      '',
      'Nginx',
      'apiextensions.k8s.io/v1',
      `${group}/v1alpha1`,
      0,
      true,
    );
    const junk = fc.oneof(
      scalar,
      fc.anything({ maxDepth: 3 }),
      fc.array(scalar),
      fc.object({
        key: fc.constantFrom('metadata', 'spec', 'kind', '__proto__', 'toString', 'request'),
        maxDepth: 4,
      }),
    );
    const change = (key: string) => junk.map((value) => (whole: object) => ({ ...whole, [key]: value }));
    const objectChange = fc.oneof(
      ...['apiVersion', 'kind', 'metadata', 'spec', 'status', '__proto__'].map(change),
    );
    const requestChange = fc.oneof(...['uid', 'desiredAPIVersion', 'objects'].map(change));
    const reviewChange = fc.oneof(...['apiVersion', 'kind', 'request'].map(change));
    const keep = fc.constant((whole: object) => whole);
    fc.assert(
      fc.property(
        fc.oneof({ weight: 9, arbitrary: objectChange }, { weight: 1, arbitrary: keep }),
        fc.oneof({ weight: 1, arbitrary: requestChange }, { weight: 9, arbitrary: keep }),
        fc.oneof({ weight: 1, arbitrary: reviewChange }, { weight: 9, arbitrary: keep }),
        (changeObject, changeRequest, changeReview) => {
          const whole = review([changeObject(object('v1alpha1', 'a', { port: 1 }))]);
          const value = changeReview({ ...whole, request: changeRequest(whole.request) });
          const { uid, convertedObjects, result } = answer(value);
          const { request } = value as ReturnType<typeof review>;
          if (result.status === 'Success') {
            expect(uid).toBe(request.uid);
            expect(convertedObjects).toHaveLength((request.objects as unknown[]).length);
            for (const converted of convertedObjects)
              expect(converted['apiVersion']).toBe(request.desiredAPIVersion);
          } else expect(convertedObjects).toEqual([]);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('fails for an object that is nested without end', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as object;
    expect(answer(review([object('v1alpha1', 'a', deep)])).result).toEqual({
      status: 'Failure',
      message: 'Nginx default/a: the object is nested too deeply',
    });
  });

  it('keeps fields named as those of prototypes, and changes no prototype', () => {
    const spec = JSON.parse(
      '{"template":{"image":"a","labels":{"__proto__":"x","constructor":"y"}}}',
    ) as object;
    const [converted] = answer(review([object('v1alpha1', 'a', spec)])).convertedObjects;
    expect(JSON.stringify(converted!['spec'])).toBe(JSON.stringify(spec));
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });
});
