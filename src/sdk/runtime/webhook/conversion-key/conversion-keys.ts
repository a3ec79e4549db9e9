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
  /** Writes in every replica, independently of leader election. */
  readonly client: Client;
  readonly reflect: RunReflector;
  readonly log: Logger;
  /** Milliseconds for which a new key is only published before it signs. Default: five minutes. */
  readonly settle?: number | undefined;
  /** Interval in milliseconds for checking times and retrying failures. Default: ten seconds, or a third of the time to settle. */
  readonly interval?: number | undefined;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * The keys that sign conversion data, in a Secret that all replicas watch. The first replica creates it, under optimistic locking; the
 * leader adds a key when the newest one is old enough. A key that is removed from the Secret is no longer trusted; a deleted Secret is
 * written again with the same content.
 */
export class ConversionKeys implements SigningKeys {
  readonly #parts: ConversionKeysParts;
  readonly #times: KeyTimes;
  readonly #stop = new AbortController();
  /** Runs when a change may be due. */
  readonly #look = new RepeatedStep(async () => this.#work(), this.#stop.signal);
  /** Resolves with the first key. */
  readonly known: Promise<void>;
  #resolveKnown: () => void = () => undefined;
  #watch: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #secret: Seen<Secret>;
  #keys: readonly StoredKey[] = [];
  #leads = false;
  /** The current failure; each reason is logged once. */
  #failure: string | undefined;

  constructor(parts: ConversionKeysParts) {
    this.#parts = parts;
    this.#times = { rotateAfter: parts.settings.rotateAfter, settle: parts.settle ?? SETTLE_MS };
    this.known = new Promise((resolve) => (this.#resolveKnown = resolve));
  }

  /** Reads the keys, or creates the first one, and keeps them up to date until `stop`. */
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

  /** Called when this replica leads: it creates new keys from now on. */
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

  /** Check for `/readyz`: fails with the reason if no key is known. @throws OpSdkError `runtime/conversion-key-missing` */
  check(): void {
    if (this.#keys.length > 0) return;
    const { namespace, name } = this.#parts.settings;
    throw new OpSdkError({
      code: 'runtime/conversion-key-missing',
      message: `conversions: expected a key in Secret ${namespace}/${name}: ${this.#failure ?? 'not read yet'}`,
      fix: [
        'run `op-sdk generate manifests`, which gives the right to keep it to the operator (conversion-key-role in config/rbac/role.yaml), and deploy',
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

  /** @returns true if this replica wrote the keys; those that another replica wrote arrive by the watch */
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

/** A key of the Secret. */
interface StoredKey extends SigningKey {
  /** Milliseconds since the epoch; part of the id. */
  readonly made: number;
}

/** Times of keys, in milliseconds. */
interface KeyTimes {
  /** Time for which a key signs before the next one is created. */
  readonly rotateAfter: number;
  /** Time for which a new key is only published before it signs, so that every replica has read it. */
  readonly settle: number;
}

/** Default of {@link KeyTimes.settle}, milliseconds. */
const SETTLE_MS = 300_000;

/** Limit for readable keys: sixteen years with the default rotation. */
const GENERATIONS = 64;

/** Values in base64 by key of the Secret. */
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

/** Returns the key that signs: the newest one that every replica knows, or the oldest one as long as all are new. */
export function signingKey(
  keys: readonly StoredKey[],
  { settle }: KeyTimes,
  now: number,
): StoredKey | undefined {
  return keys.findLast(({ made }) => now - made >= settle) ?? keys[0];
}

/**
 * Returns a new set of keys if the current one has to change: any replica creates the first key, the leader rotates it. Former keys are
 * kept, so that their signatures can still be verified.
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

/** Secret of the key for conversion data, and the time for which a key signs. */
export interface ConversionKeySettings {
  readonly namespace: string;
  /** Name of the Secret. */
  readonly name: string;
  /** Milliseconds. */
  readonly rotateAfter: number;
}
