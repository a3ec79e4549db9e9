import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seriesOf, seriesPath, surplusOf } from '../../src/backup/backup-name.ts';

const time = fc
  .integer({ min: 0, max: 4_000_000_000 })
  .map((seconds) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z'));

describe('a series of backups', () => {
  test('is known by its names', () => {
    const backup = fc.record({
      revision: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      scheduledFor: time,
    });
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.array(backup), fc.nat(9), (prefix, backups, keep) => {
        const paths = backups.map((each) => seriesPath(prefix, each));
        const series = seriesOf(prefix, paths);
        expect(series.map(({ path }) => path).sort()).toEqual([...paths].sort());
        const times = series.map(({ scheduledFor }) => scheduledFor);
        expect(times).toEqual([...times].sort());
        const surplus = surplusOf(series, keep);
        expect(surplus).toHaveLength(Math.max(0, backups.length - keep));
        expect(series.slice(0, surplus.length)).toEqual(surplus);
      }),
    );
  });

  test('has none of another one', () => {
    const others = [
      'a/etcd_v1_2026-01-01T00:00:00Z',
      'a/etcd.b_v1_2026-01-01T00:00:00Z',
      'a/etcd',
      'a/etcd_v1_2026',
      'a/etcd_x_v1_2026-01-01T00:00:00Z',
    ];
    expect(seriesOf('a/etcd', others).map(({ path }) => path)).toEqual([others[0]]);
  });
});
