import type { DurationLike } from '../../duration.ts';
import type { SelfSignedSettings } from './settings.ts';

/** Certificates that the operator makes itself: where they are kept, whom they are for, who has to trust them, and how long they last. */
export interface SelfSignedOptions extends SelfSignedSettings {
  /** Lifetime of the server's certificate, which is renewed when a third is left; at most a third of the authority's. Default: 90 days. */
  readonly certificateLifetime?: DurationLike | undefined;
  /** Lifetime of the authority, which is renewed when a third is left. Default: 365 days. */
  readonly authorityLifetime?: DurationLike | undefined;
}
