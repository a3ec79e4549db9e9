/** Backup of a series: one of those that an EtcdBackup with a schedule makes. */
export interface SeriesBackup {
  /** Path of the whole. */
  readonly path: string;
  /** Revision of the data at least. */
  readonly revision: number;
  /** Time of the schedule, as ISO 8601 in seconds: `2026-01-31T03:00:00Z`. */
  readonly scheduledFor: string;
}

/** Returns the path of a backup of a series: `bucket/etcd.backup_v42_2026-01-31T03:00:00Z`, as the original etcd operator named them. */
export function seriesPath(prefix: string, { revision, scheduledFor }: Omit<SeriesBackup, 'path'>): string {
  return `${prefix}_v${revision}_${scheduledFor}`;
}

/** Returns the backups of a series among paths, the oldest first. Others that begin alike are none. */
export function seriesOf(prefix: string, paths: readonly string[]): readonly SeriesBackup[] {
  return paths
    .flatMap((path) => {
      if (!path.startsWith(`${prefix}_`)) return [];
      const ending = path.slice(prefix.length);
      const [, revision, scheduledFor] =
        /^_v(\d{1,16})_(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/.exec(ending) ?? [];
      if (revision === undefined || scheduledFor === undefined) return [];
      return [{ path, revision: Number(revision), scheduledFor }];
    })
    .sort((a, b) =>
      a.scheduledFor < b.scheduledFor ? -1 : a.scheduledFor > b.scheduledFor ? 1 : a.revision - b.revision,
    );
}

/** Returns the backups of a series that are more than the newest `keep`. */
export function surplusOf(series: readonly SeriesBackup[], keep: number): readonly SeriesBackup[] {
  return series.slice(0, Math.max(0, series.length - keep));
}
