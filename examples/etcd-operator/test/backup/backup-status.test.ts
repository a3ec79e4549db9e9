import { describe, expect, test } from 'vitest';
import type { KeptBackup } from '../../src/api/etcd/v1beta2/etcd-backup.ts';
import { changeOf } from '../../src/backup/backup-status.ts';

const now = Date.parse('2026-01-31T04:00:30.500Z');
const sha256 = 'a'.repeat(64);
const hour = (number: number): string => `2026-01-31T0${number}:00:00Z`;
const kept = (number: number, revision: number): KeptBackup => ({
  path: `b/etcd_v${revision}_${hour(number)}`,
  revision,
  sha256,
  sizeBytes: 1,
  time: hour(number),
  scheduledFor: hour(number),
});
const listed = (backups: KeptBackup[], oldest: string | undefined, revision = 40): readonly string[] => {
  const run = { job: 'nightly-1', scheduledFor: hour(4) };
  const saved = { path: `b/etcd_v${revision}_${hour(4)}`, revision, sizeBytes: 1, sha256, oldest };
  const step = { type: 'RecordSuccess', run, saved } as const;
  const { backups: found } = changeOf(step, { status: { backups }, schedule: undefined, now, job: '' });
  return found?.map(({ path }) => path) ?? [];
};

describe('the list of backups', () => {
  const before = [kept(3, 30), kept(2, 20), kept(1, 10)];

  test('has the newest first, and not those that were deleted', () => {
    expect(listed(before, hour(3))).toEqual([`b/etcd_v40_${hour(4)}`, `b/etcd_v30_${hour(3)}`]);
    expect(listed(before, undefined)).toHaveLength(4);
  });

  test('has what a cluster had before it was created again', () => {
    expect(listed(before, hour(4), 15)).toEqual([
      `b/etcd_v15_${hour(4)}`,
      `b/etcd_v30_${hour(3)}`,
      `b/etcd_v20_${hour(2)}`,
    ]);
  });

  test('has a backup that was made again once', () => {
    expect(listed([kept(4, 40), ...before], hour(4))).toEqual([`b/etcd_v40_${hour(4)}`]);
  });

  test('ends after a hundred', () => {
    const many = Array.from({ length: 120 }, (_, index) => ({ ...kept(1, index + 1), path: String(index) }));
    expect(listed(many, undefined)).toHaveLength(100);
  });
});
