import { describe, expect, it } from 'vitest';
import { setCondition, type OpSdkError, type Condition, type ConditionInput } from '../../../src/index.ts';

const then = new Date('2026-01-02T03:04:05.678Z');
const later = new Date('2026-01-02T04:00:00.000Z');
const ready: ConditionInput = { type: 'Ready', status: 'False', reason: 'Starting', message: '0/1' };

describe('setCondition', () => {
  it('adds at the end, in whole seconds', () => {
    const other: Condition = { ...ready, type: 'Other', lastTransitionTime: '2020-01-01T00:00:00Z' };
    expect(setCondition([other], ready, then)).toEqual([
      other,
      { ...ready, lastTransitionTime: '2026-01-02T03:04:05Z' },
    ]);
  });

  it('keeps lastTransitionTime while the status stays, and the place in the list', () => {
    const list = setCondition(setCondition(undefined, ready, then), { ...ready, type: 'Other' }, then);
    const next = setCondition(
      list,
      { ...ready, reason: 'Waiting', message: '', observedGeneration: 2 },
      later,
    );
    expect(next.map((c) => c.type)).toEqual(['Ready', 'Other']);
    expect(next[0]).toEqual({
      type: 'Ready',
      status: 'False',
      reason: 'Waiting',
      message: '',
      observedGeneration: 2,
      lastTransitionTime: '2026-01-02T03:04:05Z',
    });
  });

  it('changes lastTransitionTime with the status', () => {
    const list = setCondition(undefined, ready, then);
    expect(setCondition(list, { ...ready, status: 'True' }, later)[0]?.lastTransitionTime).toBe(
      '2026-01-02T04:00:00Z',
    );
  });

  it('leaves the given list alone', () => {
    const list = Object.freeze(setCondition(undefined, ready, then).map((c) => Object.freeze(c)));
    setCondition(list, { ...ready, status: 'True' }, later);
    expect(list[0]?.status).toBe('False');
  });

  it.each([
    [{ reason: 'not camel case' }, 1],
    [{ reason: '' }, 1],
    [{ reason: `A${'a'.repeat(1024)}` }, 1],
    [{ type: 'no spaces' }, 1],
    [{ type: '', reason: '1', message: 'x'.repeat(32_769) }, 3],
    [{ status: 'Yes' as 'True', observedGeneration: -1 }, 2],
  ])('refuses %j, with all findings', (change, count) => {
    try {
      setCondition([], { ...ready, ...change });
    } catch (error) {
      expect((error as OpSdkError).findings.map((f) => f.code)).toEqual(
        Array(count).fill('runtime/invalid-condition'),
      );
      return;
    }
    throw new Error('accepted');
  });

  it('counts characters as the API server does, not UTF-16 units', () => {
    expect(setCondition([], { ...ready, message: '😀'.repeat(32_768) })).toHaveLength(1);
  });

  it.each(['Ready', 'example.com/Ready', 'a.b-c.example.com/PodsReady_1'])('accepts the type %s', (type) => {
    expect(setCondition([], { ...ready, type })[0]?.type).toBe(type);
  });
});
