import { pause, systemClock } from '../../sdk/net/index.ts';
import type { ImageReference } from '../types.ts';
import type { RegistryMirror } from './mirrors.ts';

/** Time as the registry client sees it; tests bring their own. */
export interface RegistryClock {
  /** Milliseconds since 1970, as of Date.now(). */
  now(): number;
  /** Waits; rejects with the signal's reason when it aborts. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** In [0, 1), for jitter. */
  random(): number;
}

/** Time limits for silent peers, and numbers of retries. All times in milliseconds. */
export interface RegistryTiming {
  /** Until a connection is established, TLS included. Default 30 s. */
  readonly connectTimeout: number;
  /** Without a byte in either direction. Default 2 min: registries move a blob to its place before they answer. */
  readonly idleTimeout: number;
  /** Repetitions of one request or upload after the first try. Default 5. */
  readonly retries: number;
  /** Before the first repetition; doubled each time. Default 1 s. */
  readonly firstDelay: number;
  /** The longest delay of our own choice. Default 30 s. */
  readonly longestDelay: number;
  /** The longest Retry-After that is waited for; a longer one ends the command. Default 2 min. */
  readonly longestRetryAfter: number;
  /** For a credential helper, which may ask people for a passphrase. Default 2 min. */
  readonly helperTimeout: number;
  /** Between two progress lines of one upload. Default 5 s. */
  readonly progressInterval: number;
}

/** Options for talking to a registry. */
export interface RegistryOptions {
  /** Where credentials, credential helpers and proxies are found: HOME, PATH, REGISTRY_AUTH_FILE, DOCKER_CONFIG, HTTPS_PROXY, … */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** The home folder. Default: HOME (USERPROFILE on Windows) of `env`. */
  readonly home?: string;
  /** A PEM file of certificate authorities, trusted beside Node's own. Absolute. */
  readonly caFile?: string;
  /** Plain HTTP, whatever the host. */
  readonly plainHttp?: boolean;
  /** HTTPS with whatever certificate. */
  readonly skipTlsVerify?: boolean;
  /** The only file that credentials are read from, in the form of containers' auth.json. Absolute. */
  readonly authFile?: string;
  /** Asked before the registries of pulled images; nothing is pushed to them. */
  readonly mirrors?: readonly RegistryMirror[];
  /** Is given a line for people whenever something of note happens. */
  readonly onProgress?: (line: string) => void;
  /** Images that the pushed one is built on: their layers are mounted where registry and rights allow it, not sent. */
  readonly mountFrom?: readonly ImageReference[];
  /** Alternatives if the registry cannot be reached, for the error. */
  readonly instead?: readonly string[];
  /** Default `op-sdk`. */
  readonly userAgent?: string;
  readonly clock?: RegistryClock;
  readonly timing?: Partial<RegistryTiming>;
}

/** The times that are used when none are given. */
export const defaultTiming: RegistryTiming = {
  connectTimeout: 30_000,
  idleTimeout: 120_000,
  retries: 5,
  firstDelay: 1_000,
  longestDelay: 30_000,
  longestRetryAfter: 120_000,
  helperTimeout: 120_000,
  progressInterval: 5_000,
};

/** The machine's own clock. */
export const registryClock: RegistryClock = {
  now: () => Date.now(),
  random: () => Math.random(),
  async wait(milliseconds, signal) {
    await pause(systemClock, milliseconds, signal);
    signal.throwIfAborted();
  },
};
