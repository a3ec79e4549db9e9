// Random reasons, actions and types are judged as the API server judges them.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judgeFormat } from '../../../../src/compiler/manifests/reasons/lint-reasons.ts';
import { structuralSchema } from '../../../../src/kubernetes/tables/index.ts';
import { apiSession, type ApiSession } from '../../../helpers/api-session.ts';
import { sharedControlPlane, uniqueName } from '../../../helpers/control-plane.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { runs } from '../../../helpers/thorough.ts';

const group = `${uniqueName('reasons')}.example.com`;
const holders = `/apis/${group}/v1/holders`;
const time = '2026-01-01T00:00:00Z';

let session: ApiSession;
beforeAll(async () => {
  session = apiSession(await sharedControlPlane());
  const schema = structuralSchema('io.k8s.apimachinery.pkg.apis.meta.v1.Condition', { descriptions: false });
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `holders.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { kind: 'Holder', plural: 'holders' },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: { openAPIV3Schema: { type: 'object', properties: { condition: schema } } },
        },
      ],
    },
  };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  expect((await session.send('POST', definitions, crd)).status).toBe(201);
  await eventually(async () => expect((await session.send('GET', holders)).status).toBe(200));
});
afterAll(() => session[Symbol.dispose]());

/** Returns true if the API server accepts a condition with these parts. */
async function takesCondition(parts: { readonly type?: string; readonly reason?: string }): Promise<boolean> {
  const condition = {
    ...{ type: 'Ready', status: 'True', reason: 'Done', message: '', lastTransitionTime: time },
    ...parts,
  };
  const body = { apiVersion: `${group}/v1`, kind: 'Holder', metadata: { name: 'a' }, condition };
  const { status, text } = await session.send('POST', `${holders}?dryRun=All`, body);
  expect([201, 422], text).toContain(status);
  return status === 201;
}

/** Returns true if the API server accepts an Event with these parts. */
async function takesEvent(parts: { readonly reason?: string; readonly action?: string }): Promise<boolean> {
  const body = {
    ...{ apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { name: 'a' }, type: 'Normal' },
    ...{ reason: 'Done', action: 'Act', note: 'n', eventTime: '2026-01-01T00:00:00.000000Z' },
    ...{ reportingController: 'example.com/a', reportingInstance: 'a' },
    regarding: { kind: 'Namespace', name: 'default' },
    ...parts,
  };
  const path = '/apis/events.k8s.io/v1/namespaces/default/events?dryRun=All';
  const { status, text } = await session.send('POST', path, body);
  expect([201, 422], text).toContain(status);
  return status === 201;
}

const character = fc.constantFrom(...'AZaz09_,:-./ é'.split(''));
/** Texts near the border of what is accepted, and names that are usual. */
const text = fc.oneof(
  fc.string({ unit: character, maxLength: 6 }),
  fc.string({ unit: fc.constantFrom('A', 'b', '3'), minLength: 1, maxLength: 12 }),
  fc
    .tuple(
      fc.constantFrom('', 'example.com/', 'Example.com/', '-/', 'a..b/'),
      fc.constantFrom('Ready', 'ready', 'Is-Ready', 'a_'),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom(127, 128, 129, 315, 316, 317, 1023, 1024, 1025).map((length) => 'A'.repeat(length)),
);
const counted = { numRuns: runs(1000) };

test('types and reasons of conditions are refused by both or by neither', { timeout: 300_000 }, async () => {
  const seen = new Set<string | undefined>();
  const check = fc.asyncProperty(text, async (name) => {
    const type = judgeFormat('condition type', name);
    const reason = judgeFormat('condition reason', name);
    seen.add(type).add(reason);
    expect(await takesCondition({ type: name })).toBe(type !== 'refused');
    expect(await takesCondition({ reason: name })).toBe(reason !== 'refused');
  });
  await fc.assert(check, counted);
  expect([...seen].sort()).toEqual(['refused', 'unusual', undefined]);
});

test(
  'the API server accepts reasons and actions of Events that are not reported',
  { timeout: 300_000 },
  async () => {
    const seen = new Set<boolean>();
    const check = fc.asyncProperty(text, async (name) => {
      const isFine = judgeFormat('event reason', name) === undefined;
      seen.add(isFine);
      expect(judgeFormat('event action', name)).toBe(judgeFormat('event reason', name));
      // It checks the length alone: CamelCase is the convention.
      const isShort = name !== '' && Buffer.byteLength(name) <= 128;
      expect(await takesEvent({ reason: name })).toBe(isShort);
      expect(await takesEvent({ action: name })).toBe(isShort);
      if (isFine) expect(isShort).toBe(true);
    });
    await fc.assert(check, counted);
    expect(seen.size).toBe(2);
  },
);
