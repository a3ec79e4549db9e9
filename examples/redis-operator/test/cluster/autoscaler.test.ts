import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RedisAutoscaling } from '../../src/api/redis/v1alpha1/redis-autoscaling.ts';
import { decide, type Decision, type Situation } from '../../src/cluster/autoscaler.ts';
import type { ShardLoad } from '../../src/cluster/shard-load.ts';

const second = 1000;
const start = Date.parse('2026-01-01T00:00:00Z');

/** Returns shards with the same load. */
function evenly(masters: number, load: Partial<ShardLoad>): ShardLoad[] {
  return Array.from({ length: masters }, (_, index) => ({
    ...{ shard: `c-${index}`, pod: `c-${index}-0` },
    ...{ memory: 0, memoryLimit: 100, operationsPerSecond: 0, ...load },
  }));
}

const quick = { stabilizationWindowSeconds: 0, periodSeconds: 1 };
const autoscaling: RedisAutoscaling = {
  ...{ minMasters: 3, maxMasters: 6, targetMemoryUtilizationPercentage: 50 },
  behavior: { scaleUp: quick, scaleDown: quick },
};

function situation(
  change: Partial<Situation> & { readonly masters?: number; readonly memory?: number },
): Situation {
  const { masters = 4, memory = 50, ...rest } = change;
  return {
    ...{ autoscaling, desired: masters, loads: evenly(masters, { memory }) },
    ...{ blocked: undefined, lastScaleTime: undefined, trend: undefined, now: start },
    ...rest,
  };
}

describe('one look at the load', () => {
  test.each([
    { masters: 4, memory: 50, desired: 4, limited: 'DesiredWithinRange' },
    // Within the tolerance, and above it.
    { masters: 4, memory: 55, desired: 4, limited: 'DesiredWithinRange' },
    { masters: 4, memory: 56, desired: 5, limited: 'DesiredWithinRange' },
    // One step at a time, however much there is.
    { masters: 4, memory: 99, desired: 5, limited: 'DesiredWithinRange' },
    { masters: 6, memory: 99, desired: 6, limited: 'TooManyReplicas' },
    // On three masters 45 would be the most: 4 × 33 / 3 = 44.
    { masters: 4, memory: 34, desired: 4, limited: 'DesiredWithinRange' },
    { masters: 4, memory: 33, desired: 3, limited: 'DesiredWithinRange' },
    { masters: 3, memory: 0, desired: 3, limited: 'TooFewReplicas' },
  ])('of $masters masters at $memory %: $desired, $limited', ({ masters, memory, desired, limited }) => {
    expect(decide(situation({ masters, memory }))).toMatchObject({
      desired,
      scalingLimited: { reason: limited },
      scalingActive: { status: 'True', reason: 'ValidMetricFound' },
    });
  });

  test('says why', () => {
    expect(decide(situation({ memory: 60 }))).toMatchObject({
      cause: 'memory utilization is above its target',
      ableToScale: { reason: 'SucceededRescale', message: 'The number of masters was set to 5' },
    });
    expect(decide(situation({ memory: 0 })).cause).toBe(
      'memory utilization would be below target on one master fewer',
    );
  });

  test('adds a master for one figure, and removes one for all of them', () => {
    const both = { ...autoscaling, targetOperationsPerSecond: 1000 };
    const look = (memory: number, operationsPerSecond: number | undefined): number =>
      decide(situation({ autoscaling: both, loads: evenly(4, { memory, operationsPerSecond }) })).desired;
    expect([look(0, 1101), look(56, 0), look(0, 676), look(0, 675), look(34, 0)]).toEqual([5, 5, 4, 3, 4]);
    // What is not known never removes one.
    expect([look(0, undefined), look(56, undefined)]).toEqual([4, 5]);
  });

  test.each([
    { change: { memory: undefined }, reason: 'FailedGetResourceMetric', message: 'how much they use' },
    { change: { memoryLimit: undefined }, reason: 'FailedGetResourceMetric', message: 'how much they use' },
    { change: { memoryLimit: Infinity }, reason: 'FailedGetResourceMetric', message: 'set maxmemory' },
  ])('is not enough without figures: $change', ({ change, reason, message }) => {
    const [first, ...others] = evenly(4, {});
    const loads = [...(first ? [{ ...first, ...change }] : []), ...others];
    expect(decide(situation({ loads }))).toMatchObject({
      ...{ desired: 4, trend: undefined },
      scalingActive: { status: 'False', reason, message: expect.stringContaining(message) as string },
    });
  });

  test('does nothing without the figures of a master', () => {
    expect(decide(situation({ loads: evenly(3, { memory: 99 }) }))).toMatchObject({
      ...{ desired: 4, scalingActive: { reason: 'FailedGetResourceMetric' } },
    });
    expect(decide(situation({ loads: [] })).desired).toBe(4);
  });

  test('removes no master whose data has no room on each of the others', () => {
    const uneven = [45, 10, 10, 20].map((memory, index) => evenly(4, { memory })[index]);
    const loads = uneven.filter((load) => load !== undefined);
    expect(decide(situation({ loads }))).toMatchObject({
      desired: 4,
      scalingLimited: {
        ...{ status: 'True', reason: 'DataWouldNotFit' },
        message: 'c-0 has no room for its part of the data of c-3',
      },
    });
    const operations = { ...autoscaling, targetOperationsPerSecond: 100 };
    delete operations.targetMemoryUtilizationPercentage;
    // Also where only the operations have a target, and nothing is known of the memory.
    expect(decide(situation({ autoscaling: operations, loads: evenly(4, { memory: 80 }) })).desired).toBe(4);
    expect(
      decide(situation({ autoscaling: operations, loads: evenly(4, { memory: undefined }) })).desired,
    ).toBe(4);
    expect(
      decide(situation({ autoscaling: operations, loads: evenly(4, { memoryLimit: undefined }) })).desired,
    ).toBe(4);
    expect(
      decide(situation({ autoscaling: operations, loads: evenly(4, { memoryLimit: Infinity }) })).desired,
    ).toBe(3);
  });

  test('changes nothing in a direction that is disabled', () => {
    const off = { selectPolicy: 'Disabled' } as const;
    const none = { ...autoscaling, behavior: { scaleUp: off, scaleDown: off } };
    expect(decide(situation({ autoscaling: none, memory: 99 }))).toMatchObject({
      ...{ desired: 4, scalingLimited: { reason: 'ScaleUpLimit' } },
    });
    expect(decide(situation({ autoscaling: none, memory: 0 }))).toMatchObject({
      ...{ desired: 4, scalingLimited: { reason: 'ScaleDownLimit' } },
    });
  });

  test('changes nothing while something else is done', () => {
    const blocked = { reason: 'BackupRunning', message: 'A backup of the cluster is taken' } as const;
    const trend = { direction: 'Up', since: start, until: start } as const;
    expect(decide(situation({ blocked, trend, memory: 99 }))).toMatchObject({
      ...{ desired: 4, trend: undefined, ableToScale: { status: 'False', ...blocked } },
      ...{ scalingActive: undefined, scalingLimited: undefined },
    });
  });
});

describe('looks one after the other', () => {
  const behavior = {
    scaleUp: { stabilizationWindowSeconds: 30, periodSeconds: 100 },
    scaleDown: { stabilizationWindowSeconds: 60, periodSeconds: 200 },
  };
  const slow: RedisAutoscaling = { ...autoscaling, behavior };

  /** Looks at the load every 15 seconds, until the number changes. @returns the decisions */
  function watch(memories: readonly (number | undefined)[], lastScaleTime?: number): readonly Decision[] {
    const decisions: Decision[] = [];
    for (const [index, memory] of memories.entries()) {
      const now = start + index * 15 * second;
      const loads = evenly(4, { memory });
      const trend = decisions.at(-1)?.trend;
      decisions.push(decide(situation({ autoscaling: slow, loads, trend, lastScaleTime, now })));
    }
    return decisions;
  }
  const sizes = (decisions: readonly Decision[]): readonly number[] =>
    decisions.map(({ desired }) => desired);

  test('have to agree for the whole window', () => {
    const up = watch([60, 60, 60]);
    expect(sizes(up)).toEqual([4, 4, 5]);
    expect(up[0]).toMatchObject({ lookAgainAfter: 30_000, ableToScale: { reason: 'ScaleUpStabilized' } });
    expect(sizes(watch([60, 50, 60, 60]))).toEqual([4, 4, 4, 4]);
    expect(sizes(watch([20, 20, 20, 20, 20]))).toEqual([4, 4, 4, 4, 3]);
    expect(sizes(watch([20, 20, 60, 20, 20]))).toEqual([4, 4, 4, 4, 4]);
    // A look without figures does not agree.
    expect(sizes(watch([20, 20, undefined, 20, 20]))).toEqual([4, 4, 4, 4, 4]);
  });

  test('wait for the period since the last change', () => {
    const [, , third, ...later] = watch([60, 60, 60, 60, 60, 60, 60], start - 20 * second);
    expect(third).toMatchObject({
      ...{ desired: 4, lookAgainAfter: 50_000 },
      ableToScale: { status: 'False', reason: 'BackoffUpscale' },
    });
    expect(sizes(later)).toEqual([4, 4, 4, 5]);
    const down = watch(Array<number>(7).fill(20), start - 110 * second);
    expect(down[3]?.ableToScale.reason).toBe('BackoffDownscale');
    expect(sizes(down)).toEqual([4, 4, 4, 4, 4, 4, 3]);
  });

  test('do not agree if nobody has looked for long', () => {
    const [first] = watch([60]);
    const late = { autoscaling: slow, memory: 60, trend: first?.trend };
    expect(decide(situation({ ...late, now: start + 59 * second })).desired).toBe(5);
    expect(decide(situation({ ...late, now: start + 61 * second }))).toMatchObject({
      ...{ desired: 4, trend: { since: start + 61 * second } },
    });
    // A clock that was set back.
    expect(decide(situation({ ...late, now: start - second })).desired).toBe(4);
  });
});

describe('whatever the load', () => {
  const rules = fc.record(
    {
      stabilizationWindowSeconds: fc.integer({ min: 0, max: 120 }),
      periodSeconds: fc.integer({ min: 1, max: 120 }),
      tolerance: fc.constantFrom('0', '50m', '0.1', 0.3),
      selectPolicy: fc.constantFrom('Max' as const, 'Disabled' as const),
    },
    { requiredKeys: [] },
  );
  const autoscalings = fc
    .record({
      bounds: fc.tuple(fc.integer({ min: 3, max: 12 }), fc.integer({ min: 0, max: 9 })),
      memory: fc.option(fc.integer({ min: 5, max: 75 }), { nil: undefined }),
      operations: fc.integer({ min: 1, max: 10_000 }),
      behavior: fc.record({ scaleUp: rules, scaleDown: rules }, { requiredKeys: [] }),
    })
    .map(({ bounds: [min, more], memory, operations, behavior }): RedisAutoscaling => {
      const target =
        memory === undefined
          ? { targetOperationsPerSecond: operations }
          : { targetMemoryUtilizationPercentage: memory };
      return { minMasters: min, maxMasters: min + more, ...target, behavior };
    });
  const within = ({ minMasters = 3, maxMasters }: RedisAutoscaling, share: number): number =>
    minMasters + Math.round(share * (maxMasters - minMasters));

  /** A cluster whose keys and commands are shared equally, and whose nodes need some memory for themselves. */
  const cases = fc.record({
    autoscaling: autoscalings,
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    data: fc.double({ min: 0, max: 2000, noNaN: true }),
    own: fc.double({ min: 0, max: 4, noNaN: true }),
    operations: fc.double({ min: 0, max: 200_000, noNaN: true }),
  });
  type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

  /** Looks every 30 seconds: at most 9 steps, each with the longest window or period, the default of 5 minutes, and 45 more. */
  const looks = 9 * 11 + 45;

  /** Plays a cluster that follows each decision. @returns its sizes, one for each look */
  function play(
    { autoscaling: rule, share, data, own, operations }: Case,
    looks: number,
    noise = () => 1,
  ): number[] {
    const sizesSoFar: number[] = [];
    let desired = within(rule, share);
    let trend: Situation['trend'];
    let lastScaleTime: number | undefined;
    for (let index = 0; index < looks; index++) {
      const now = start + index * 30 * second;
      const factor = noise();
      const loads = evenly(desired, {
        memory: Math.min((factor * data) / desired + own, 100),
        operationsPerSecond: (factor * operations) / desired,
      });
      const decision = decide({
        autoscaling: rule,
        desired,
        loads,
        blocked: undefined,
        lastScaleTime,
        trend,
        now,
      });
      if (decision.desired !== desired) lastScaleTime = now;
      ({ desired, trend } = decision);
      sizesSoFar.push(desired);
    }
    return sizesSoFar;
  }
  const changesOf = (sizes: readonly number[]): readonly number[] =>
    sizes.slice(1).map((size, index) => size - (sizes[index] ?? size));

  test('the number stays within its bounds, and changes by one at most', () => {
    fc.assert(
      fc.property(
        fc.record({
          autoscaling: autoscalings,
          share: fc.double({ min: 0, max: 1, noNaN: true }),
          loads: fc.array(
            fc.record({
              memory: fc.option(fc.double({ min: 0, max: 200, noNaN: true }), { nil: undefined }),
              memoryLimit: fc.constantFrom(100, 50, Infinity, undefined),
              operationsPerSecond: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), {
                nil: undefined,
              }),
            }),
            { maxLength: 25 },
          ),
          age: fc.option(fc.integer({ min: -500, max: 500 }), { nil: undefined }),
          trend: fc.option(
            fc.record({
              direction: fc.constantFrom('Up' as const, 'Down' as const),
              since: fc.integer({ min: start - 300 * second, max: start }),
              until: fc.integer({ min: start - 90 * second, max: start + second }),
            }),
            { nil: undefined },
          ),
        }),
        ({ autoscaling: rule, share, loads, age, trend }) => {
          const before = within(rule, share);
          const { desired, lookAgainAfter = 1 } = decide({
            ...{ autoscaling: rule, desired: before, blocked: undefined, trend, now: start },
            loads: loads.map((load, index) => ({ shard: `c-${index}`, pod: '', ...load })),
            lastScaleTime: age === undefined ? undefined : start - age * second,
          });
          expect(desired).toBeGreaterThanOrEqual(rule.minMasters ?? 3);
          expect(desired).toBeLessThanOrEqual(rule.maxMasters);
          expect(Math.abs(desired - before)).toBeLessThanOrEqual(1);
          expect(lookAgainAfter).toBeGreaterThan(0);
          // What is not known never removes a master, and neither does data that would not fit.
          if (desired >= before) return;
          expect(loads).toHaveLength(before);
          const needs = rule.targetMemoryUtilizationPercentage;
          const removed = loads.at(-1);
          for (const { memory, memoryLimit, operationsPerSecond } of loads.slice(0, -1)) {
            if (needs === undefined) expect(operationsPerSecond).toBeDefined();
            const after = (memory ?? NaN) + (removed?.memory ?? NaN) / (before - 1);
            expect(after / (memoryLimit ?? NaN)).toBeLessThanOrEqual((needs ?? 90) / 100);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('a load that stays the same moves the number in one direction, and then never again', () => {
    fc.assert(
      fc.property(cases, (each) => {
        const sizes = play(each, looks);
        const changes = changesOf(sizes).filter((change) => change !== 0);
        expect(new Set(changes).size).toBeLessThanOrEqual(1);
        expect(new Set(sizes.slice(-30)).size).toBe(1);
      }),
      { numRuns: 100 },
    );
  });

  test('a load that varies within the tolerance does not move it back', () => {
    fc.assert(
      fc.property(
        cases.filter(({ autoscaling: { behavior } }) =>
          [behavior?.scaleUp, behavior?.scaleDown].every((rule) => Number(rule?.tolerance ?? 0.1) >= 0.1),
        ),
        fc.array(fc.double({ min: 0.91, max: 1.09, noNaN: true }), { minLength: 7, maxLength: 7 }),
        (each, factors) => {
          let at = 0;
          const sizes = play({ ...each, own: 0 }, looks, () => factors[at++ % factors.length] ?? 1);
          expect(new Set(changesOf(sizes).filter((change) => change !== 0)).size).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 100 },
    );
  });
});
