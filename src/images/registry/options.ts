import { reachOf, type Reach, WireError } from '../../sdk/net/index.ts';
import type { ImageReference } from '../types.ts';
import type { RegistryMirror } from './mirrors.ts';
import { Transient } from './failure.ts';

/** Clock of the registry client; tests replace it. */
export interface RegistryClock {
  /** Returns the current time in milliseconds since 1970, like Date.now(). */
  now(): number;
  /** Waits for a time. Rejects with the signal's reason when the signal aborts. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Returns a random number in [0, 1), for jitter. */
  random(): number;
}

/** Time limits and numbers of retries. All times are in milliseconds. */
export interface RegistryTiming {
  /** Time limit in milliseconds for establishing a connection, including TLS. Default: 30 s. */
  readonly connectTimeout: number;
  /**
   * Maximum time in milliseconds without a byte in either direction. Default: 2 min; it is long because registries move a blob to its final
   * place before they answer.
   */
  readonly idleTimeout: number;
  /** Maximum number of retries of one request or upload after the first attempt. Default: 5. */
  readonly retries: number;
  /** Delay before the first retry in milliseconds; it doubles for each further retry. Default: 1 s. */
  readonly firstDelay: number;
  /** Maximum delay before a retry in milliseconds, unless the server requests a longer one. Default: 30 s. */
  readonly longestDelay: number;
  /** Maximum delay in milliseconds that is accepted from a Retry-After header; a longer one ends the command. Default: 2 min. */
  readonly longestRetryAfter: number;
  /** Time limit in milliseconds for a credential helper, which may ask the user for a passphrase. Default: 2 min. */
  readonly helperTimeout: number;
  /** Time in milliseconds between two progress lines of an upload. Default: 5 s. */
  readonly progressInterval: number;
}

/** Options for talking to a registry. */
export interface RegistryOptions {
  /**
   * Environment variables that locate credentials, credential helpers and proxies: HOME, PATH, REGISTRY_AUTH_FILE, DOCKER_CONFIG,
   * HTTPS_PROXY, …
   */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** The home folder. Default: HOME (USERPROFILE on Windows) of `env`. */
  readonly home?: string;
  /** Absolute path of a PEM file of certificate authorities that are trusted in addition to Node's own. */
  readonly caFile?: string;
  /** If true, plain HTTP is used for any host. */
  readonly plainHttp?: boolean;
  /** If true, any certificate is accepted. */
  readonly skipTlsVerify?: boolean;
  /** Absolute path of the only file from which credentials are read, in the form of containers' auth.json. */
  readonly authFile?: string;
  /** Mirrors to try before the registries of pulled images. They are never used for pushing. */
  readonly mirrors?: readonly RegistryMirror[];
  /** Receives progress lines for the user. */
  readonly onProgress?: (line: string) => void;
  /**
   * Base images on which the pushed image is built. If the registry and the user's permissions allow it, the layers of these images are
   * mounted instead of uploaded.
   */
  readonly mountFrom?: readonly ImageReference[];
  /** Fixes to suggest in the error if the registry cannot be reached. */
  readonly instead?: readonly string[];
  /** Value of the User-Agent header. Default: `op-sdk`. */
  readonly userAgent?: string;
  readonly clock?: RegistryClock;
  readonly timing?: Partial<RegistryTiming>;
}

/** Default time limits and numbers of retries of the registry client. */
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

/** Docker Hub: its name in references, the host of its API, and its key in docker's credentials. */
const dockerHub = {
  name: 'docker.io',
  api: 'registry-1.docker.io',
  credentialsKey: 'https://index.docker.io/v1/',
} as const;

/**
 * Returns the possible origins of a registry's API, best first. With `plainHttp`, only plain HTTP is returned; otherwise HTTPS comes first.
 * For a registry on this machine, plain HTTP is added for servers without TLS, as docker and Go's registry clients do for localhost.
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

/** Returns the key of a registry in docker's credential files and for its credential helpers. */
export function credentialsKey(registry: string): string {
  return registry === dockerHub.name ? dockerHub.credentialsKey : registry;
}

/** Returns all keys under which a registry may be listed in docker's credential files, best first. Docker Hub has several keys. */
export function credentialsKeys(registry: string): readonly string[] {
  return registry === dockerHub.name
    ? [dockerHub.credentialsKey, dockerHub.name, 'index.docker.io', dockerHub.api]
    : [registry];
}

/**
 * Checks the servers to which a registry may redirect for tokens, uploads and downloads. Without this check, a public registry could direct
 * requests to servers that only this machine can reach, such as the metadata service of a cloud.
 */
export interface SafeTargets {
  /** Returns the permitted network locations of a URL's host; undefined if any location is permitted, as for the registry's own host. */
  allowed(url: URL): ReadonlySet<Reach> | undefined;
  /**
   * Checks the scheme of a URL.
   * @throws WireError `unsafe-address` for schemes other than HTTP and HTTPS, and for plain HTTP if the registry uses HTTPS
   */
  check(url: URL): void;
}

/**
 * Returns the network locations of servers to which a registry may redirect, depending on the registry's own location. An undefined
 * location means that the registry is behind a proxy and only the proxy can determine the address of the registry.
 */
function reachable(reach: Reach | undefined): readonly Reach[] {
  if (reach === 'public') return ['public'];
  if (reach === 'loopback') return ['loopback', 'private', 'public'];
  if (reach === 'link-local') return ['link-local', 'private', 'public'];
  return ['private', 'public'];
}

/**
 * Creates the check of the servers to which one registry may redirect.
 * @param registry origin of the registry's API
 * @param reach network location of the registry's host, as determined when connecting
 */
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
  /** Called before each wait, with the reason for the retry and the waiting time. */
  readonly onRetry: (why: string, milliseconds: number) => void;
}

/**
 * Repeats `attempt` while it fails with a {@link Transient} error. The delays grow, unless the server requests other delays.
 * @param attempt receives the number of attempts made before
 * @throws the error of the last attempt, or its `failure` if the error is a Transient; the signal's reason on abort
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

/**
 * Returns the time to wait before a retry in milliseconds. Adds up to 25 % jitter, so that clients that were refused at the same time do
 * not retry at the same time.
 */
export function delayOf(
  triesBefore: number,
  retryAfter: number | undefined,
  clock: RegistryClock,
  timing: RegistryTiming,
): number {
  const own = Math.min(timing.firstDelay * 2 ** triesBefore, timing.longestDelay);
  return Math.round((retryAfter ?? own) + own * 0.25 * clock.random());
}
