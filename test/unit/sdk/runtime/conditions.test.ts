import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  conditionsOf,
  type Condition,
  type CustomResource,
  type ListMap,
  type OpSdkError,
  type Stored,
} from '../../../../src/index.ts';

interface Site extends CustomResource<'web.example.com/v1', 'Site'> {
  status?: { conditions?: ListMap<Condition, 'type'> };
}

const start = '2026-01-02T03:04:05Z';
const condition = (type: string, change: Partial<Condition> = {}): Condition => ({
  ...{ type, status: 'False', reason: 'Starting', message: '0/1' },
  lastTransitionTime: start,
  ...change,
});

function siteWith(...conditions: readonly Condition[]): Stored<Site> {
  const metadata = { name: 'a', namespace: 'default', uid: 'u', resourceVersion: '1', generation: 7 };
  const status = Object.freeze({
    conditions: Object.freeze([...conditions.map(Object.freeze)]) as Condition[],
  });
  return Object.freeze({ apiVersion: 'web.example.com/v1', kind: 'Site', metadata, status } as Stored<Site>);
}

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-01-02T04:00:00.678Z'), toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
const now = '2026-01-02T04:00:00Z';

describe('the conditions of an object', () => {
  it('are set for the generation of the object, in whole seconds, without a message by default', () => {
    expect(conditionsOf(siteWith(), ['Ready']).true('Ready', 'PodsReady').toJSON()).toEqual([
      {
        ...{ type: 'Ready', status: 'True', reason: 'PodsReady', message: '' },
        ...{ observedGeneration: 7, lastTransitionTime: now },
      },
    ]);
    const { status, ...without } = siteWith();
    expect(status).toBeDefined();
    expect(conditionsOf(without, ['Ready']).toJSON()).toEqual([]);
  });

  it('keep lastTransitionTime while the status stays, however often it is set in between', () => {
    const site = siteWith(condition('Ready'));
    const time = (list: { toJSON(): Condition[] }) => list.toJSON()[0]?.lastTransitionTime;
    expect(time(conditionsOf(site, ['Ready']).false('Ready', 'Waiting', 'x'))).toBe(start);
    expect(time(conditionsOf(site, ['Ready']).true('Ready', 'Done'))).toBe(now);
    expect(time(conditionsOf(site, ['Ready']).true('Ready', 'A').false('Ready', 'B'))).toBe(start);
    const list = conditionsOf(site, ['Ready']).unknown('Ready', 'A');
    vi.setSystemTime(new Date('2026-01-02T05:00:00Z'));
    expect(time(list.unknown('Ready', 'B'))).toBe(now);
  });

  it('are sent without those of others; own ones that were not set stay as they are', () => {
    const site = siteWith(condition('Theirs'), condition('Stalled'), condition('Ready'));
    const list = conditionsOf(site, ['Ready', 'Later', 'Stalled', 'Never'])
      .true('Later', 'X')
      .true('Ready', 'Y');
    expect(list.toJSON().map((c) => [c.type, c.status, c.observedGeneration])).toEqual([
      ['Stalled', 'False', undefined],
      ['Ready', 'True', 7],
      ['Later', 'True', 7],
    ]);
  });

  it('are left out when they are removed, and can be set again', () => {
    const site = siteWith(condition('Ready'), condition('Stalled'));
    const list = conditionsOf(site, ['Ready', 'Stalled']).remove('Ready');
    expect(list.get('Ready')).toBeUndefined();
    expect(list.toJSON().map((c) => c.type)).toEqual(['Stalled']);
    expect(list.false('Ready', 'Again').toJSON()[0]).toMatchObject({
      ...{ type: 'Ready', reason: 'Again', lastTransitionTime: start },
    });
  });

  it('can be read: own ones as they were set, those of others as they are in the object', () => {
    const list = conditionsOf(siteWith(condition('Theirs', { status: 'True' }), condition('Ready')), [
      'Ready',
    ]);
    expect(list.isTrue('Ready')).toBe(false);
    expect(list.true('Ready', 'Done').isTrue('Ready')).toBe(true);
    expect(list.get('Ready')?.reason).toBe('Done');
    expect(list.get('Theirs')).toEqual(condition('Theirs', { status: 'True' }));
    expect(list.get('Absent')).toBeUndefined();
  });

  it('leave the object alone, and give a list that may be changed', () => {
    const site = siteWith(condition('Ready'), condition('Stalled'));
    const json = conditionsOf(site, ['Ready', 'Stalled']).true('Ready', 'Done').toJSON();
    for (const each of json) each.message = 'changed';
    expect(site.status?.conditions).toEqual([condition('Ready'), condition('Stalled')]);
  });

  it('cannot be set for a type that is not own: at compile time and at run time', () => {
    const list = conditionsOf(siteWith(condition('Theirs')), ['Ready']);
    // @ts-expect-error: misspelt
    expect(() => list.true('Raedy', 'X')).toThrow(/expected one of Ready, got "Raedy"/);
    // @ts-expect-error: of another controller
    expect(() => list.remove('Theirs')).toThrow(/invalid-condition/);
    // @ts-expect-error: of another controller
    expect(list.isTrue('Theirs')).toBe(false);
  });
});

describe('a condition that the API server would refuse', () => {
  const codes = (act: () => unknown): readonly string[] => {
    try {
      act();
    } catch (error) {
      return (error as OpSdkError).findings.map((f) => f.code);
    }
    return [];
  };
  const refused = (count: number) => Array<string>(count).fill('runtime/invalid-condition');

  it.each([
    ['not camel case', '', 1],
    ['', '', 1],
    [`A${'a'.repeat(1024)}`, '', 1],
    ['1', 'x'.repeat(32_769), 2],
    ['Fine', '😀'.repeat(32_769), 1],
  ])('is refused with all findings: reason %j', (reason, message, count) => {
    const list = conditionsOf(siteWith(), ['Ready']);
    expect(codes(() => list.true('Ready', reason, message))).toEqual(refused(count));
    expect(list.toJSON()).toEqual([]);
  });

  it('is refused for its type when the types are named, all at once', () => {
    expect(codes(() => conditionsOf(siteWith(), ['no spaces', '', 'Ready', `A${'a'.repeat(316)}`]))).toEqual(
      refused(3),
    );
    expect(codes(() => conditionsOf(siteWith(), ['example.com/Ready', 'a.b-c.example.com/Ready_1']))).toEqual(
      [],
    );
  });

  it('counts characters as the API server does, not UTF-16 units', () => {
    expect(
      conditionsOf(siteWith(), ['Ready']).true('Ready', 'Fine', '😀'.repeat(32_768)).toJSON(),
    ).toHaveLength(1);
  });
});
