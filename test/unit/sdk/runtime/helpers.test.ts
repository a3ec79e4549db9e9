import { describe, expect, it } from 'vitest';
import { every, hashOf, isReady, matchesSelector, waitingFor } from '../../../../src/index.ts';
import { Secret } from '../../../../src/sdk/k8s/generated/core/v1.ts';

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
