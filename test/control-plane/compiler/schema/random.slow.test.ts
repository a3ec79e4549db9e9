// What the checks of a schema let through, the API server takes: definitions and types that nobody thought of.
import fc from 'fast-check';
import { beforeAll, afterAll, expect, test } from 'vitest';
import type { JSONSchemaProps } from '../../../../src/compiler/schema/index.ts';
import { apiSession, type ApiSession } from '../../../helpers/api-session.ts';
import { sharedControlPlane } from '../../../helpers/control-plane.ts';
import { generateSamples } from '../../../helpers/generate-samples.ts';
import { randomCrds } from '../../../helpers/random-schemas/crds.ts';
import { problemsOf } from '../../../helpers/random-schemas/schemas.ts';
import { spoiled } from '../../../helpers/random-schemas/spoiled.ts';
import { randomType } from '../../../helpers/random-types.ts';
import { runs } from '../../../helpers/thorough.ts';

const seed = Number(process.env['FC_SEED'] ?? 20260101);
const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldValidation=Strict';

let session: ApiSession;
beforeAll(async () => {
  session = apiSession(await sharedControlPlane());
});
afterAll(() => session[Symbol.dispose]());

const crd = (openAPIV3Schema: JSONSchemaProps) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'samples.random.example.com' },
  spec: {
    group: 'random.example.com',
    scope: 'Namespaced',
    names: { kind: 'Sample', plural: 'samples' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
  },
});

/** The text of the API server's refusal; undefined if it takes the definition. */
async function refusal(body: unknown): Promise<string | undefined> {
  const { status, text } = await session.send('POST', path, body);
  return status === 201 ? undefined : (JSON.parse(text) as { message: string }).message;
}

test('random definitions that our check takes are taken', { timeout: 300_000 }, async () => {
  const refused = await Promise.all(
    randomCrds(runs(150), seed).map(async (body) => {
      const message = await refusal(body);
      return message === undefined ? [] : [{ message, schema: JSON.stringify(body.spec.versions) }];
    }),
  );
  expect(refused.flat()).toEqual([]);
});

test('what is changed in a schema is taken or refused by both', { timeout: 300_000 }, async () => {
  const counts = { taken: 0, refused: 0 };
  const different = await Promise.all(
    fc.sample(spoiled, { numRuns: runs(300), seed }).map(async ({ schema, change }) => {
      const ours = problemsOf(schema);
      const theirs = await refusal(crd(schema));
      counts[theirs === undefined ? 'taken' : 'refused']++;
      if (ours.length > 0 === (theirs !== undefined)) return [];
      return [{ change, ours, theirs, schema: JSON.stringify(schema) }];
    }),
  );
  console.log(`changed schemas: ${counts.taken} taken, ${counts.refused} refused`);
  expect(different.flat()).toEqual([]);
  expect(counts.taken).toBeGreaterThan(runs(50));
  expect(counts.refused).toBeGreaterThan(runs(50));
});

test('random types that are not refused give schemas that are taken', { timeout: 300_000 }, async () => {
  const samples = generateSamples(fc.sample(randomType, { numRuns: runs(400), seed: seed + 1 }));
  const accepted = samples.filter(({ findings }) => findings.length === 0);
  const refused = await Promise.all(
    accepted.map(async ({ source, generated }) => {
      const message = await refusal(crd(generated?.schema ?? {}));
      return message === undefined
        ? []
        : [{ message, source: source.slice(source.indexOf('interface Spec')) }];
    }),
  );
  expect(refused.flat()).toEqual([]);
  expect(accepted.length).toBeGreaterThan(runs(60));
});
