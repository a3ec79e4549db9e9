import { randomBytes } from 'node:crypto';
import { messageOf, OpSdkError } from '../../../../base/errors/index.ts';
import { Secret } from '../../../k8s/generated/core/v1.ts';
import { isAlreadyExists, isConflict, type Client } from '../../../kube/index.ts';
import type { RunReflector } from '../../cache/index.ts';
import { type SigningKeys, newSecret, type SigningKey } from '../../conversion/kept-data.ts';
import type { Logger } from '../../create-logger.ts';
import { RepeatedStep, watchObject, type Seen } from '../kept-object.ts';

interface ConversionKeysParts {
  readonly settings: ConversionKeySettings;
  /** Client whose writes are sent in every replica, independently of leader election. */
  readonly client: Client;
  readonly reflect: RunReflector;
  readonly log: Logger;
  /** Milliseconds between the publication of a new key in the Secret and its first use for signing. Default: five minutes. */
  readonly settle?: number | undefined;
  /**
   * Interval in milliseconds at which the operator checks if a change of the keys is due, and retries failures. Default: ten seconds, or a
   * third of `settle` if that is shorter.
   */
  readonly interval?: number | undefined;
  /** Returns the current time in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * The keys that sign conversion data, stored in a Secret that all replicas watch. The first replica creates the Secret, under optimistic
 * locking. The leader adds a key when the newest key is old enough. A key that is removed from the Secret is not trusted any more. If the
 * Secret is deleted, it is written again with the same content.
 */
export class ConversionKeys implements SigningKeys {
  readonly #parts: ConversionKeysParts;
  readonly #times: KeyTimes;
  readonly #stop = new AbortController();
  /** Step that checks the keys; it is requested when a change of the keys may be due. */
  readonly #look = new RepeatedStep(async () => this.#work(), this.#stop.signal);
  /** Resolves when the first key is known. */
  readonly known: Promise<void>;
  #resolveKnown: () => void = () => undefined;
  #watch: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #secret: Seen<Secret>;
  #keys: readonly StoredKey[] = [];
  #leads = false;
  /** The reason of the current failure to read or write the keys, so that each reason is logged only once. */
  #failure: string | undefined;

  constructor(parts: ConversionKeysParts) {
    this.#parts = parts;
    this.#times = { rotateAfter: parts.settings.rotateAfter, settle: parts.settle ?? SETTLE_MS };
    this.known = new Promise((resolve) => (this.#resolveKnown = resolve));
  }

  /** Starts to read the keys, or to create the first key, and to keep the keys up to date until `stop`. */
  start(): void {
    const { settings, reflect, interval = Math.min(10_000, this.#times.settle / 3) } = this.#parts;
    const { name, namespace } = settings;
    this.#watch = watchObject(
      reflect,
      { resource: Secret, name, namespace },
      {
        see: (seen) => {
          this.#secret = seen;
          this.#look.request();
        },
        onState: (error) => this.#note(error),
      },
      this.#stop.signal,
    );
    this.#timer = setInterval(() => this.#look.request(), interval);
    this.#timer.unref();
  }

  /** Call this when this replica becomes the leader. From then on, this replica creates the new keys. */
  lead(): void {
    this.#leads = true;
    this.#look.request();
  }

  current(): StoredKey | undefined {
    return signingKey(this.#keys, this.#times, this.#now());
  }

  byId(id: string): StoredKey | undefined {
    return this.#keys.find((key) => key.id === id);
  }

  /** Checks for `/readyz` that a key is known. @throws OpSdkError `runtime/conversion-key-missing` with the reason if a key is not known */
  check(): void {
    if (this.#keys.length > 0) return;
    const { namespace, name } = this.#parts.settings;
    throw new OpSdkError({
      code: 'runtime/conversion-key-missing',
      message: `conversions: expected a key in Secret ${namespace}/${name}: ${this.#failure ?? 'not read yet'}`,
      fix: [
        'run `op-sdk generate manifests`, which gives the operator the permission to keep the key (conversion-key-role in config/rbac/role.yaml), and deploy the operator',
      ],
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort(new Error('the conversions are stopped'));
    await Promise.all([this.#watch, this.#look.ended()]);
  }

  async #work(): Promise<void> {
    if (this.#secret !== undefined) await this.#step(this.#secret);
  }

  async #step(secret: Secret | 'absent'): Promise<void> {
    const { log, settings } = this.#parts;
    if (secret !== 'absent') this.#keys = readKeys(secret.data ?? {});
    const isLost = secret === 'absent' && this.#keys.length > 0;
    const planned = isLost
      ? this.#keys
      : planKeys(this.#keys, this.#times, { now: this.#now(), leads: this.#leads });
    if (planned !== undefined && (await this.#write(secret, planned)))
      log.info({ secret: settings.name, keys: planned.length }, 'Key of conversion data written');
    if (this.#keys.length > 0) this.#resolveKnown();
  }

  /**
   * Writes the keys to the Secret. @returns true if this replica wrote them; if another replica was faster, its keys arrive by the watch
   */
  async #write(secret: Secret | 'absent', keys: readonly StoredKey[]): Promise<boolean> {
    const { client, settings } = this.#parts;
    const { name, namespace } = settings;
    const metadata = { name, namespace };
    const data = keySecretData(keys);
    const options = { signal: this.#stop.signal };
    try {
      const written =
        secret === 'absent'
          ? await client.create(Secret, { metadata, type: 'opsdk.dev/conversion-key', data }, options)
          : await client.update(Secret, { ...secret, data }, options);
      if (this.#secret === secret) this.#secret = written;
      this.#keys = readKeys(written.data ?? {});
      this.#note(undefined);
      return true;
    } catch (error) {
      this.#note(isConflict(error) || isAlreadyExists(error) ? undefined : error);
      return false;
    }
  }

  #now(): number {
    return (this.#parts.now ?? Date.now)();
  }

  #note(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    const reason = error === undefined ? undefined : messageOf(error);
    const { namespace, name } = this.#parts.settings;
    if (reason !== undefined && reason !== this.#failure)
      this.#parts.log.error(
        { error },
        `Cannot keep the key of conversion data in Secret ${namespace}/${name}`,
      );
    this.#failure = reason;
  }
}

/** A key that is stored in the Secret. */
interface StoredKey extends SigningKey {
  /** Time of creation in milliseconds since the epoch, which is also part of the key's id. */
  readonly made: number;
}

/** Times that determine when a key is created and when it is used to sign, in milliseconds. */
interface KeyTimes {
  /** Time for which a key is used to sign, before the next key is created. */
  readonly rotateAfter: number;
  /** Time between the publication of a new key in the Secret and its first use for signing, so that every replica has read the key. */
  readonly settle: number;
}

/** Default of {@link KeyTimes.settle}, in milliseconds. */
const SETTLE_MS = 300_000;

/** Maximum number of keys that are kept for verification, which suffices for sixteen years with the default rotation. */
const GENERATIONS = 64;

/** Values of the Secret in base64, by their keys in `data`. */
type SecretData = Readonly<Record<string, string>>;

/** Returns the keys in a Secret, the oldest first. Skips invalid entries. */
export function readKeys(data: SecretData): readonly StoredKey[] {
  return Object.entries(data)
    .flatMap(([id, text]): readonly StoredKey[] => {
      const [, seconds] = /^key-(\d{1,12})-[0-9a-f]+$/.exec(id) ?? [];
      const secret = Buffer.from(text, 'base64');
      return seconds === undefined || secret.length < 32
        ? []
        : [{ id, secret, made: Number(seconds) * 1000 }];
    })
    .sort((a, b) => a.made - b.made || (a.id < b.id ? -1 : 1));
}

export function keySecretData(keys: readonly StoredKey[]): Record<string, string> {
  return Object.fromEntries(keys.map(({ id, secret }) => [id, Buffer.from(secret).toString('base64')]));
}

/**
 * Returns the key to sign with: the newest key that has been published long enough for every replica to know it. While all keys are newer,
 * returns the oldest one.
 */
export function signingKey(
  keys: readonly StoredKey[],
  { settle }: KeyTimes,
  now: number,
): StoredKey | undefined {
  return keys.findLast(({ made }) => now - made >= settle) ?? keys[0];
}

/**
 * Returns a new set of keys; undefined if the current set needs no change. Any replica creates the first key; only the leader adds further
 * keys. Former keys are kept, so that their signatures can still be verified.
 */
export function planKeys(
  keys: readonly StoredKey[],
  { rotateAfter }: KeyTimes,
  { now, leads }: { readonly now: number; readonly leads: boolean },
): readonly StoredKey[] | undefined {
  const newest = keys.at(-1);
  if (newest !== undefined && (!leads || now - newest.made < rotateAfter)) return undefined;
  const seconds = Math.floor(now / 1000);
  const added = {
    id: `key-${seconds}-${randomBytes(4).toString('hex')}`,
    secret: newSecret(),
    made: seconds * 1000,
  };
  return [...keys, added].slice(-GENERATIONS);
}

/** Settings of the key for conversion data: the Secret that stores it, and the time for which a key is used to sign. */
export interface ConversionKeySettings {
  readonly namespace: string;
  /** Name of the Secret. */
  readonly name: string;
  /** Milliseconds for which a key is used to sign, before the next key is created. */
  readonly rotateAfter: number;
}
