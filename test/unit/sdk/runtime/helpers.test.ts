import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  every,
  hashOf,
  isReady,
  matchesSelector,
  programHost,
  readSchedule,
  waitingFor,
} from '../../../../src/index.ts';
import { Secret } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { answerNames } from '../../../../src/testing/node/processes/name-lookup.js';

describe('matchesSelector', () => {
  const labels = { app: 'web', tier: 'front' };
  it.each([
    [undefined, false],
    [{}, true],
    [{ matchLabels: { app: 'web' } }, true],
    [{ matchLabels: { app: 'db' } }, false],
    [{ matchExpressions: [{ key: 'tier', operator: 'In', values: ['back', 'front'] }] }, true],
    [{ matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['front'] }] }, false],
    [{ matchLabels: { app: 'web' }, matchExpressions: [{ key: 'legacy', operator: 'DoesNotExist' }] }, true],
    [{ matchExpressions: [{ key: 'legacy', operator: 'Exists' }] }, false],
  ])('%j: %s', (selector, expected) => expect(matchesSelector(selector, labels)).toBe(expected));

  it('takes an object without labels', () => {
    expect(matchesSelector({ matchLabels: { app: 'web' } }, undefined)).toBe(false);
    expect(matchesSelector({}, undefined)).toBe(true);
  });

  it('refuses an operator that does not exist', () => {
    const selector = { matchExpressions: [{ key: 'a', operator: 'Is' }] };
    expect(() => matchesSelector(selector, {})).toThrow(
      expect.objectContaining({ code: 'runtime/invalid-selector' }),
    );
  });
});

it('isReady wants the condition, and a Pod that stays', () => {
  const metadata = { name: 'a', namespace: 'default' };
  const status = (ready: 'True' | 'False') => ({ conditions: [{ type: 'Ready', status: ready }] });
  expect(isReady({ metadata, status: status('True') })).toBe(true);
  expect(isReady({ metadata, status: status('False') })).toBe(false);
  expect(isReady({ metadata })).toBe(false);
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  expect(isReady({ metadata: { ...metadata, deletionTimestamp }, status: status('True') })).toBe(false);
});

it('hashOf does not depend on the order of keys, but on that of lists', () => {
  const hash = hashOf({ a: 1, b: { c: [1, 2], d: undefined } });
  expect(hash).toMatch(/^[0-9a-f]{16}$/);
  expect(hashOf({ b: { c: [1, 2] }, a: 1 })).toBe(hash);
  expect(hashOf({ b: { c: [2, 1] }, a: 1 })).not.toBe(hash);
  expect(hashOf({ a: '1', b: { c: [1, 2] } })).not.toBe(hash);
});

it('waitingFor names what is missing, and when the next run is', () => {
  const waiting = waitingFor(Secret, { namespace: 'default', name: 'a' }, '30s');
  expect(waiting).toMatchObject({ message: 'Secret default/a', requeueAfter: 30_000 });
});

it.each([
  [{ cron: '0 3 * *' }, 'expected a schedule of 5 fields, got "0 3 * *"'],
  [{ cron: '0 3 * * *', timeZone: 'Mars/Olympus' }, 'expected a time zone, got "Mars/Olympus"'],
])('every refuses %j', (schedule, message) => expect(() => every(schedule, () => [])).toThrow(message));

describe('readSchedule', () => {
  const time = (text: string): number => Date.parse(text);

  it('gives the times around another one', async () => {
    const { last, next } = await readSchedule({ cron: '0 3 * * *' });
    expect(last(time('2026-03-29T03:00:00Z'))).toBe(time('2026-03-29T03:00:00Z'));
    expect(last(time('2026-03-29T02:59:59.999Z'))).toBe(time('2026-03-28T03:00:00Z'));
    expect(next(time('2026-03-29T03:00:00Z'))).toBe(time('2026-03-30T03:00:00Z'));
    expect(next(time('2026-03-29T02:59:59.999Z'))).toBe(time('2026-03-29T03:00:00Z'));
  });

  it('counts in its time zone, through the change of its clocks', async () => {
    const { last, next } = await readSchedule({ cron: '30 2 * * *', timeZone: 'Europe/Berlin' });
    expect(next(time('2026-03-27T12:00:00Z'))).toBe(time('2026-03-28T01:30:00Z'));
    expect(next(time('2026-03-29T12:00:00Z'))).toBe(time('2026-03-30T00:30:00Z'));
    expect(last(time('2026-06-01T12:00:00Z'))).toBe(time('2026-06-01T00:30:00Z'));
  });

  it('agrees with itself', async () => {
    const { last, next } = await readSchedule({ cron: '*/7 1-5 * * 1,3' });
    let at = time('2026-01-01T00:00:00Z');
    for (let count = 0; count < 200; count += 1) {
      const following = next(at) ?? 0;
      expect(following).toBeGreaterThan(at);
      expect(last(following - 1)).toBe(last(at));
      expect(last(following)).toBe(following);
      at = following;
    }
  });

  it('has no time that never comes', async () => {
    const { last, next } = await readSchedule({ cron: '0 0 30 2 *' });
    expect([last(time('2026-01-01T00:00:00Z')), next(time('2026-01-01T00:00:00Z'))]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each([
    [{ cron: '0 3 * *' }, 'expected a schedule of 5 fields, got "0 3 * *"'],
    [{ cron: '0 25 * * *' }, 'expected a schedule, got "0 25 * * *"'],
    [{ cron: '0 3 * * *', timeZone: 'Mars/Olympus' }, 'expected a time zone, got "Mars/Olympus"'],
  ])('refuses %j', async (schedule, message) => {
    await expect(readSchedule(schedule)).rejects.toMatchObject({
      findings: [{ code: 'runtime/invalid-duration' }],
    });
    await expect(readSchedule(schedule)).rejects.toThrow(message);
  });
});

describe('programHost', () => {
  const name = 'a.example.default.svc';
  let end: (() => void) | undefined;
  afterEach(() => {
    end?.();
    vi.unstubAllEnvs();
  });

  it('returns the name, in a cluster', async () => {
    vi.stubEnv('OPSDK_PROGRAMS', undefined);
    expect(await programHost(name)).toBe(name);
  });

  it('returns the address of a name of the cluster, where Pods are processes', async () => {
    vi.stubEnv('OPSDK_PROGRAMS', 'true');
    end = answerNames((asked) => (asked.startsWith('a.example.default.svc') ? '127.64.0.1' : undefined));
    expect(await programHost(name)).toBe('127.64.0.1');
    expect(await programHost(`${name}.cluster.local`)).toBe('127.64.0.1');
    expect(await programHost('db.example.com')).toBe('db.example.com');
    expect(await programHost('10.0.0.1')).toBe('10.0.0.1');
    await expect(programHost('b.example.default.svc')).rejects.toThrow(
      expect.objectContaining({ code: 'ENOTFOUND' }),
    );
  });
});
