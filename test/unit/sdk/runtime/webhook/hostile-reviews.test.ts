// Everybody in the cluster's network reaches the server: whatever is sent, it answers, and never with a permission.
import { Agent } from 'node:https';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineConversion, defineWebhook } from '../../../../../src/index.ts';
import { answerAdmission } from '../../../../../src/sdk/runtime/webhook/admission/answer-admission.ts';
import type { ControllerClient } from '../../../../../src/sdk/runtime/client/index.ts';
import { memoryLog } from '../memory-log.ts';
import { Memcached, reviewOf } from './kinds.ts';
import { post, serve, type Posted, type Served } from './serving.ts';

const refuse = () => [{ path: '.spec.size', message: 'refused' }] as const;
const refusing = defineWebhook(Memcached, {
  default: () => {
    throw new Error('refused');
  },
  validate: { create: refuse, update: refuse, delete: refuse },
});
const doors = [refusing.defaultingPath ?? '', refusing.validationPath ?? ''];

const conversionReview = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: {
    uid: 'abc',
    desiredAPIVersion: 'cache.example.com/v9',
    objects: [{ apiVersion: 'cache.example.com/v1alpha1', kind: 'Memcached', metadata: { name: 'x' } }],
  },
};
/** Without a deletion: that is not defaulted, so it is allowed there. */
const reviews = [reviewOf(), reviewOf({ operation: 'UPDATE' }), conversionReview];

const hostileKeys = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'toJSON',
  'then',
  '',
);
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(-0, 1e308, 2 ** 60, '\u0000', '\ud800', 'x'.repeat(70_000), null, [], {}),
  fc.dictionary(hostileKeys, fc.jsonValue(), { minKeys: 1 }),
);

/** A review with parts replaced, removed, or with names that JavaScript knows. */
const damaged = fc
  .tuple(
    fc.constantFrom(...reviews),
    fc.array(fc.tuple(fc.nat(), fc.option(value), fc.option(hostileKeys)), { minLength: 1, maxLength: 4 }),
  )
  .map(([review, damages]) => {
    const copy = structuredClone(review) as Record<string, unknown>;
    for (const [place, replacement, key] of damages) {
      const maps = mapsIn(copy);
      const map = maps[place % maps.length] ?? copy;
      const names = Object.keys(map);
      const name = key ?? names[place % Math.max(1, names.length)] ?? 'kind';
      if (replacement === null && key === null) Reflect.deleteProperty(map, name);
      else
        Object.defineProperty(map, name, {
          value: replacement,
          ...{ enumerable: true, configurable: true, writable: true },
        });
    }
    return JSON.stringify(copy);
  });

function mapsIn(given: unknown): Record<string, unknown>[] {
  if (typeof given !== 'object' || given === null) return [];
  const inner = Object.values(given).flatMap(mapsIn);
  return Array.isArray(given) ? inner : [given as Record<string, unknown>, ...inner];
}

const truncated = fc
  .tuple(fc.constantFrom(...reviews.map((review) => JSON.stringify(review))), fc.nat())
  .map(([text, length]) => text.slice(0, length % text.length));

const deep = ['[', '{"a":', '{"request":{"object":', '{"__proto__":'].flatMap((start) => [
  start.repeat(100_000),
  `${start.repeat(100_000)}1${(start === '[' ? ']' : '}').repeat(100_000)}`,
]);
/** Reviews whose objects are deeper than any stack. */
const deepReviews = ['{"a":', '['].map((start) => {
  const nested = `${start.repeat(200_000)}1${(start === '[' ? ']' : '}').repeat(200_000)}`;
  return JSON.stringify(reviewOf()).replace('"spec":{"size":3}', `"spec":${nested}`);
});

describe('a hostile review', () => {
  let server: Served;
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  beforeAll(async () => {
    server = await serve([refusing, defineConversion(Memcached)]);
  });
  afterAll(async () => {
    agent.destroy();
    await server[Symbol.asyncDispose]();
  });

  const check = ({ status, json }: Posted): void => {
    expect([200, 400, 413, 500]).toContain(status);
    expect(json.response?.allowed).not.toBe(true);
    expect((json.response as { result?: { status?: string } } | undefined)?.result?.status).not.toBe(
      'Success',
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  };

  const bodies = fc.oneof(
    damaged,
    truncated,
    fc.string(),
    value.map((given) => JSON.stringify(given)),
  );
  test.each([...doors, '/convert'])('is never allowed at %s', async (path) => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => check(await post(server.port, path, body, { agent }))),
    );
  });

  test.each([...doors, '/convert'])('of great depth is refused at %s', async (path) => {
    for (const body of [...deep, ...deepReviews]) check(await post(server.port, path, body, { agent }));
  });

  test('leaves the server as it was', async () => {
    const { json } = await post(server.port, doors[1] ?? '', reviewOf(), { agent });
    expect(json.response).toMatchObject({ allowed: false, status: { code: 422 } });
  });

  test('is never allowed by the functions behind the server either', async () => {
    const { log } = memoryLog();
    const environment = {
      log,
      client: () => ({}) as ControllerClient,
      signal: () => new AbortController().signal,
      typeFault: () => Promise.resolve(undefined),
    };
    await fc.assert(
      fc.asyncProperty(damaged, fc.constantFrom('defaulting', 'validation'), async (text, door) => {
        const { response } = await answerAdmission(refusing, door, JSON.parse(text), environment);
        expect(response.allowed).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
