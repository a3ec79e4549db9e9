import { randomBytes } from 'node:crypto';
import { newSecret, type SigningKey } from '../../conversion/signing-keys.ts';

/** A key of the Secret. */
export interface StoredKey extends SigningKey {
  /** Milliseconds since the epoch; a part of the id. */
  readonly made: number;
}

/** Times of keys, in milliseconds. */
export interface KeyTimes {
  /** Time for which a key signs before the next one is made. */
  readonly rotateAfter: number;
  /** Time for which a new key is only known before it signs: every replica has read it by then. */
  readonly settle: number;
}

/** Default of {@link KeyTimes.settle}, milliseconds. */
export const SETTLE_MS = 300_000;

/** As many generations as stay readable: sixteen years of the default. */
const GENERATIONS = 64;

/** Base64 by key of the Secret. */
type SecretData = Readonly<Record<string, string>>;

/** The keys that a Secret holds, the oldest first. Entries that are none are passed over. */
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

/** The key that signs: the newest that every replica knows, and the oldest as long as all are new. */
export function signingKey(
  keys: readonly StoredKey[],
  { settle }: KeyTimes,
  now: number,
): StoredKey | undefined {
  return keys.findLast(({ made }) => now - made >= settle) ?? keys[0];
}

/**
 * The keys as they should be, if they should be others: every replica makes the first one, and the leader those that follow. Nothing that
 * was signed becomes unreadable: the keys before stay.
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
