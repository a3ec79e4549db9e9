import type { BackoffSettings } from '../../net/index.ts';

/** Times in milliseconds unless said otherwise. The defaults are client-go's, except that its back-off ends only after two minutes of health. */
export interface ReflectorSettings {
  readonly backoff: BackoffSettings;
  /** Each watch asks the server to end it after a random time from here to twice this, in seconds, so that load spreads. */
  readonly minWatchSeconds: number;
  /** A watch that has not ended so long after the time that the server was given is ended here. */
  readonly watchMargin: number;
  /**
   * A watch that ends sooner and has not brought its version forward counts as a failure. One that was open for this long is a
   * success: the next failure is followed by the shortest delay.
   */
  readonly shortestWatch: number;
  /**
   * A watch that was silent for this long is distrusted, and everything is listed again: an API server sends a bookmark about
   * every minute, but nothing at all to a watch at a version that it has not reached (after a restore from a backup).
   */
  readonly longestSilence: number;
  /**
   * For so long a watch that fails with an internal error of the server, or with an event that cannot be read, is repeated
   * before everything is listed again.
   */
  readonly internalErrorPatience: number;
  /** Objects a page of a LIST that is not served from the watch cache. */
  readonly pageSize: number;
}

export const defaultReflectorSettings: ReflectorSettings = {
  backoff: { initial: 800, factor: 2, maximum: 30_000, jitter: 1 },
  minWatchSeconds: 300,
  watchMargin: 5_000,
  shortestWatch: 1_000,
  longestSilence: 240_000,
  internalErrorPatience: 30_000,
  pageSize: 500,
};
