import type { Env } from './cache.ts';

/** A request to obtain binaries. Each method (download or build) takes such a request. */
export interface WayRequest {
  readonly version: string;
  /** An empty folder for temporary files; the caller removes it afterwards. */
  readonly work: string;
  /** Destination folder of the binaries. */
  readonly target: string;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal | undefined;
  readonly env: Env;
}

/**
 * Thrown if one method of obtaining the binaries does not work on this machine, so that the next method can be tried. The message is a
 * short reason.
 */
export class WayFailed extends Error {}
