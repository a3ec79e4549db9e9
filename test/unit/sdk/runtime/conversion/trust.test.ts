// The data that travels with an object is trusted only as the key has signed it, for that very object.
import { describe, expect, it } from 'vitest';
import { defineConversion, defineResource, type CustomResource } from '../../../../../src/index.ts';
import { answerConversionReview } from '../../../../../src/sdk/runtime/conversion/answer-review.ts';
import { convertObject } from '../../../../../src/sdk/runtime/conversion/convert-object.ts';
import {
  conversionDataAnnotation,
  createProcessKeys,
  MissingKey,
} from '../../../../../src/sdk/runtime/conversion/kept-data.ts';
import type { JsonMap } from '../../../../../src/base/util/json-map.ts';

interface Old extends CustomResource<'trust.example.com/v1alpha1', 'Site'> {
  spec: { size?: number };
  status?: { ready?: number };
}
interface New extends CustomResource<'trust.example.com/v1', 'Site'> {
  spec: { replicas?: number; ports?: { port: number }[] };
  status?: { ready?: number; phase?: string };
}
interface Middle extends CustomResource<'trust.example.com/v1beta1', 'Site'> {
  spec: { replicas?: number; ports?: number[] };
  status?: { ready?: number; phase?: string };
}
const site = { group: 'trust.example.com', kind: 'Site' } as const;
const conversion = defineConversion(defineResource<New>({ ...site, version: 'v1', storage: true }))
  .spoke(defineResource<Old>({ ...site, version: 'v1alpha1' }), {
    to: ({ spec, status }) => ({
      spec: { replicas: spec.size, ports: undefined },
      status: status && { ready: status.ready, phase: undefined },
    }),
    from: ({ spec, status }) => ({
      spec: { size: spec.replicas },
      status: status && { ready: status.ready },
    }),
  })
  .spoke(defineResource<Middle>({ ...site, version: 'v1beta1' }), {
    to: ({ spec, status }) => ({
      spec: { replicas: spec.replicas, ports: spec.ports?.map((port) => ({ port })) },
      status,
    }),
    from: ({ spec, status }) => ({
      spec: { replicas: spec.replicas, ports: spec.ports?.map(({ port }) => port) },
      status,
    }),
  });

const keys = createProcessKeys();
const hub = (metadata: object = {}): JsonMap => ({
  apiVersion: 'trust.example.com/v1',
  kind: 'Site',
  metadata: { name: 'a', namespace: 'b', uid: 'u-1', ...metadata },
  spec: { replicas: 1, ports: [{ port: 80 }] },
  status: { ready: 1, phase: 'Approved' },
});
const toSpoke = (object: JsonMap, signedBy = keys): JsonMap =>
  convertObject(conversion, object, 'v1alpha1', { keys: signedBy });
const textOf = (object: JsonMap): string =>
  (object['metadata'] as { annotations: Record<string, string> }).annotations[conversionDataAnnotation]!;
/** A spoke's object with an annotation, as it becomes the hub's; and why the annotation was ignored. */
function restored(text: string, metadata: object = {}) {
  const ignored: string[] = [];
  const spoke = {
    apiVersion: 'trust.example.com/v1alpha1',
    kind: 'Site',
    metadata: {
      ...{ name: 'a', namespace: 'b', uid: 'u-1' },
      ...metadata,
      annotations: { [conversionDataAnnotation]: text },
    },
    spec: { size: 1 },
    status: { ready: 1 },
  };
  const {
    spec,
    status,
    metadata: found,
  } = convertObject(conversion, spoke, 'v1', {
    keys,
    onIgnored: (reason) => ignored.push(reason),
  });
  return { spec, status, metadata: found, ignored };
}
const plain = { spec: { replicas: 1 }, status: { ready: 1 } };
const whole = { spec: { replicas: 1, ports: [{ port: 80 }] }, status: { ready: 1, phase: 'Approved' } };

describe('conversion data', () => {
  const text = textOf(toSpoke(hub()));

  it('is put back into the object that it was signed for', () => {
    expect(restored(text)).toMatchObject({ ...whole, ignored: [] });
  });

  it.each<[string, string, object?]>([
    ['another uid', text, { uid: 'u-2' }],
    ['another name', text, { name: 'c' }],
    ['another namespace', text, { namespace: 'c' }],
    ['a key that nobody knows', textOf(toSpoke(hub(), createProcessKeys()))],
    ['a signature that was cut', text.replace(/^(signed-1 \S+ \S{20})\S+/, '$1')],
    ['an empty signature', text.replace(/^(signed-1 \S+) \S+/, '$1 =')],
    ['edited data', text.replace('Approved', 'Denied')],
    ['data of an edited uid', text.replace('uid=u-1', 'uid=')],
    [
      'an unsigned form',
      '{"v1":{"was":{"spec":{}},"is":{"spec":{"ports":"boom"},"status":{"phase":"Approved"}}}}',
    ],
    ['no JSON', 'x'],
    ['a number', '12345678901234567890'],
    ['nothing', ''],
    ['a prototype', '{"__proto__":{"was":{},"is":{"spec":{}}},"v1":{"__proto__":{"was":{},"is":{}}}}'],
    ['deep nesting', '['.repeat(100_000)],
  ])('is ignored with %s, and gone from the converted object', (_title, forged, metadata = {}) => {
    const { spec, status, ignored, metadata: found } = restored(forged, metadata);
    expect({ spec, status }).toEqual(plain);
    expect(ignored).toHaveLength(1);
    expect(found).not.toHaveProperty('annotations');
  });

  it('of a time before the object had a uid brings no status: its client may have written that', () => {
    const early = textOf(toSpoke(hub({ uid: undefined, name: undefined, generateName: 'a' })));
    expect(restored(early)).toMatchObject({ spec: whole.spec, status: plain.status });
    expect(restored(early, { uid: undefined })).toMatchObject(whole);
    expect(restored(early, { namespace: 'c' })).toMatchObject(plain);
  });

  it('stays signed for its object where a request leaves out the uid', () => {
    const { uid: _uid, ...metadata } = toSpoke(hub())['metadata'] as { uid: string };
    const inside = convertObject(conversion, { ...toSpoke(hub()), metadata }, 'v1', { keys });
    const again = textOf(toSpoke(inside));
    expect(restored(textOf({ metadata }))).toMatchObject(whole);
    // What comes back from a webhook was made of an object without a uid.
    expect(restored(again, { uid: 'u-2' })).toMatchObject({ status: plain.status });
  });

  it('makes no list of other objects fail', () => {
    const forged = {
      apiVersion: 'trust.example.com/v1alpha1',
      kind: 'Site',
      metadata: {
        ...{ name: 'mallory', namespace: 'hers', uid: 'u-9' },
        annotations: {
          [conversionDataAnnotation]: '{"v1":{"was":{"spec":{}},"is":{"spec":{"ports":"boom"}}}}',
        },
      },
      spec: { size: 1 },
    };
    const ask = (to: string, objects: readonly JsonMap[]) =>
      answerConversionReview([conversion], {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'ConversionReview',
        request: { uid: 'x', desiredAPIVersion: `trust.example.com/${to}`, objects },
      }).response;
    const stored = ask('v1', [forged]).convertedObjects[0]!;
    const { result, convertedObjects } = ask('v1beta1', [hub(), stored]);
    expect(result).toEqual({ status: 'Success' });
    expect(convertedObjects.map(({ spec }) => spec)).toEqual([{ replicas: 1, ports: [80] }, { replicas: 1 }]);
  });

  it('cannot be kept or read without a key; what needs none is converted', () => {
    const none = { current: () => undefined, byId: () => undefined };
    expect(() => toSpoke(hub(), none)).toThrow(MissingKey);
    expect(() => convertObject(conversion, toSpoke(hub()), 'v1', { keys: none })).toThrow(MissingKey);
    const small = { ...hub(), spec: { replicas: 1 }, status: { ready: 1 } };
    expect(toSpoke(small, none)).toMatchObject({ spec: { size: 1 } });
  });
});
