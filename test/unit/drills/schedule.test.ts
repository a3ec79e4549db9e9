import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPlan, planFaults, type LanePlan } from '../../control-plane/drills/chaos/schedule.ts';

const lane: LanePlan = {
  name: 'members',
  gap: [1000, 6000],
  kinds: { kill: { weight: 3 }, stop: { weight: 1, lasts: [2000, 10_000] } },
};

const seeds = fc.integer({ min: 0, max: 2 ** 31 });

test('the same seed plans the same faults, and a longer run begins with those of a shorter one', () => {
  fc.assert(
    fc.property(
      seeds,
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 0, max: 300 }),
      (seed, seconds, more) => {
        const faults = planFaults(lane, { seed, seconds });
        expect(planFaults(lane, { seed, seconds })).toEqual(faults);
        expect(planFaults(lane, { seed, seconds: seconds + more }).slice(0, faults.length)).toEqual(faults);
      },
    ),
  );
});

test('faults keep to their gaps, times and kinds', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const faults = planFaults(lane, { seed, seconds: 120 });
      expect(faults.length).toBeGreaterThanOrEqual(19);
      for (const [index, { kind, at, lasts, draw }] of faults.entries()) {
        const gap = at - (faults[index - 1]?.at ?? 0);
        expect(gap).toBeGreaterThanOrEqual(1000);
        expect(gap).toBeLessThanOrEqual(6000);
        expect(at).toBeLessThan(120_000);
        expect(draw).toBeLessThan(1);
        if (kind === 'kill') expect(lasts).toBe(0);
        else expect([kind, lasts >= 2000, lasts <= 10_000]).toEqual(['stop', true, true]);
      }
    }),
  );
});

test('other seeds and other lanes plan other faults', () => {
  const plans = [1, 2, 3].flatMap((seed) =>
    ['members', 'control'].map((name) => formatPlan(planFaults({ ...lane, name }, { seed, seconds: 60 }))),
  );
  expect(new Set(plans).size).toBe(6);
  expect(plans[0]).toMatch(/^(kill \d+\.\d|stop \d+\.\d for \d+\.\d)(, |$)/);
});
