import { reachOf, type Reach, WireError } from '../../sdk/net/index.ts';
import type { ImageReference } from '../types.ts';
import type { RegistryMirror } from './mirrors.ts';
import { Transient } from './failure.ts';

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

/** Docker's hub: its name in references, where its API is, and the key under which docker keeps its credentials. */
const dockerHub = {
  name: 'docker.io',
  api: 'registry-1.docker.io',
  credentialsKey: 'https://index.docker.io/v1/',
} as const;

/**
 * Where the API of a registry may be, best first. HTTPS always; on this machine plain HTTP after it, for servers that do not
 * speak TLS at all: docker and Go's registry clients do the same for localhost.
 */
export function registryOrigins(
  registry: string,
  { plainHttp, insists }: { readonly plainHttp: boolean; readonly insists: boolean },
): readonly URL[] {
  const host = registry === dockerHub.name ? dockerHub.api : registry;
  if (plainHttp) return [new URL(`http://${host}`)];
  const https = new URL(`https://${host}`);
  const isLocal = reachOf(https.hostname) === 'loopback';
  return isLocal && !insists ? [https, new URL(`http://${host}`)] : [https];
}

/** The key of a registry in credential files of docker, and for its credential helpers. */
export function credentialsKey(registry: string): string {
  return registry === dockerHub.name ? dockerHub.credentialsKey : registry;
}

/** All keys that may mean a registry, best first: the hub has several. */
export function credentialsKeys(registry: string): readonly string[] {
  return registry === dockerHub.name
    ? [dockerHub.credentialsKey, dockerHub.name, 'index.docker.io', dockerHub.api]
    : [registry];
}

/**
 * Where a registry may send us, for tokens, uploads and downloads. Otherwise a registry outside could make us talk to servers
 * that only we can reach, such as the credentials service of a cloud machine.
 */
export interface SafeTargets {
  /**
   * Where the host of a URL may be; undefined if anywhere: the registry's own host.
   */
  allowed(url: URL): ReadonlySet<Reach> | undefined;
  /** @throws WireError `unsafe-address` for schemes other than HTTP's, and for plain HTTP when the registry speaks HTTPS */
  check(url: URL): void;
}

/** Returns the reaches that a registry of this reach may name; undefined for one behind a proxy, whose address only the proxy knows. */
function reachable(reach: Reach | undefined): readonly Reach[] {
  if (reach === 'public') return ['public'];
  if (reach === 'loopback') return ['loopback', 'private', 'public'];
  if (reach === 'link-local') return ['link-local', 'private', 'public'];
  return ['private', 'public'];
}

/** @param registry where its API is, and where its host turned out to be */
export function safeTargets(registry: URL, reach: Reach | undefined): SafeTargets {
  const reaches = new Set(reachable(reach));
  return {
    allowed: (url) => (url.hostname === registry.hostname ? undefined : reaches),
    check(url) {
      if (url.protocol === 'https:') return;
      if (url.protocol !== 'http:')
        throw new WireError('unsafe-address', `unsupported scheme ${url.protocol} of a registry`);
      if (registry.protocol === 'https:' && reachOf(url.hostname) !== 'loopback')
        throw new WireError('unsafe-address', `it redirects from HTTPS to plain HTTP (http://${url.host})`);
    },
  };
}

interface RetrySettings {
  readonly clock: RegistryClock;
  readonly timing: RegistryTiming;
  readonly signal: AbortSignal;
  /** Called before each wait. */
  readonly onRetry: (why: string, milliseconds: number) => void;
}

/**
 * Does something until it ends otherwise than by a {@link Transient} error, with growing waits between the tries, or those
 * that the server asks for.
 * @param attempt is given the number of tries before it
 * @throws what the last attempt threw, of a Transient its failure; the signal's reason
 */
export async function withRetries<T>(
  attempt: (triesBefore: number) => Promise<T>,
  { clock, timing, signal, onRetry }: RetrySettings,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted();
    try {
      return await attempt(tries);
    } catch (error) {
      if (!(error instanceof Transient)) throw error;
      if (tries >= timing.retries) throw error.failure;
      const { retryAfter } = error;
      if (retryAfter !== undefined && retryAfter > timing.longestRetryAfter) throw error.failure;
      const delay = delayOf(tries, retryAfter, clock, timing);
      onRetry(error.failure.findings[0].message, delay);
      await clock.wait(delay, signal);
    }
  }
}

/** Milliseconds to wait before another try; up to a quarter is chance: clients sent away together must not come back together. */
export function delayOf(
  triesBefore: number,
  retryAfter: number | undefined,
  clock: RegistryClock,
  timing: RegistryTiming,
): number {
  const own = Math.min(timing.firstDelay * 2 ** triesBefore, timing.longestDelay);
  return Math.round((retryAfter ?? own) + own * 0.25 * clock.random());
}
