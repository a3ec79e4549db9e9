import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scheduleOf, type Schedule } from '../../src/backup/schedule.ts';

const created = Date.parse('2026-01-01T00:00:30Z');
const at = (text: string): number => Date.parse(text);

describe('an interval', () => {
  const interval = 3_600_000;
  const schedule = async (): Promise<Schedule> => {
    const found = await scheduleOf({ backupIntervalInSecond: 3600 }, created);
    if (found === undefined) throw new Error('expected a schedule');
    return found;
  };

  test('is due at once, and then after the last run', async () => {
    const { due, next } = await schedule();
    expect(due(undefined, created)).toEqual({ time: created, missed: 0 });
    expect(due(created, created + interval - 1)).toBeUndefined();
    expect(next(created)).toBe(created + interval);
    expect(due(created, created + interval)).toEqual({ time: created + interval, missed: 0 });
  });

  test('counts what was missed, and makes the newest', async () => {
    const { due } = await schedule();
    expect(due(created, created + 3.5 * interval)).toEqual({ time: created + 3 * interval, missed: 2 });
    expect(due(created, created + 1e6 * interval)).toEqual({ time: created + 1e6 * interval, missed: 100 });
  });

  test('is not due before its time', async () => {
    const { due } = await schedule();
    fc.assert(
      fc.property(fc.nat(1e12), fc.nat(1e9), (since, passed) => {
        const found = due(since, since + passed);
        expect(found === undefined).toBe(passed < interval);
        if (found === undefined) return;
        expect(found.time).toBeLessThanOrEqual(since + passed);
        expect(since + passed - found.time).toBeLessThan(interval);
      }),
    );
  });
});

describe('a schedule', () => {
  test('is due at its times after the object was created', async () => {
    const schedule = await scheduleOf({ schedule: '0 3 * * *', timeZone: 'Europe/Berlin' }, created);
    expect(schedule?.due(undefined, at('2026-01-01T01:59:59Z'))).toBeUndefined();
    expect(schedule?.next(undefined)).toBe(at('2026-01-01T02:00:00Z'));
    const first = at('2026-01-01T02:00:00Z');
    expect(schedule?.due(undefined, first)).toEqual({ time: first, missed: 0 });
    expect(schedule?.due(first, at('2026-01-02T01:00:00Z'))).toBeUndefined();
    expect(schedule?.due(first, at('2026-01-04T12:00:00Z'))).toEqual({
      time: at('2026-01-04T02:00:00Z'),
      missed: 2,
    });
  });

  test('never comes', async () => {
    const schedule = await scheduleOf({ schedule: '0 0 30 2 *' }, created);
    expect([schedule?.next(undefined), schedule?.due(undefined, created)]).toEqual([undefined, undefined]);
  });

  test('is refused if it cannot be read', async () => {
    await expect(scheduleOf({ schedule: '0 25 * * *' }, created)).rejects.toThrow(
      'expected a schedule, got "0 25 * * *"',
    );
    const mars = scheduleOf({ schedule: '0 3 * * *', timeZone: 'Mars/Olympus' }, created);
    await expect(mars).rejects.toThrow('expected a time zone, got "Mars/Olympus"');
  });

  test('is none without interval and schedule', async () => {
    expect(await scheduleOf(undefined, created)).toBeUndefined();
    expect(await scheduleOf({ timeoutInSecond: 60 }, created)).toBeUndefined();
  });
});
