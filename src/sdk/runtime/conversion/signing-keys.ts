import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret that signs what conversions keep, and the name by which it is found again. */
export interface SigningKey {
  /** Without spaces. */
  readonly id: string;
  readonly secret: Uint8Array;
}

/** The keys of an operator. */
export interface SigningKeys {
  /** Signs from now on; undefined as long as no key is known. */
  current(): SigningKey | undefined;
  /** Also one that no longer signs. */
  byId(id: string): SigningKey | undefined;
}

/** No key is known, so that nothing can be kept or put back: an object that needs neither is converted all the same. */
export class MissingKey extends Error {}

/** The parts of a signed text that only the key ties together. */
type SignedParts = readonly string[];

/** Base64 without padding. */
export function sign({ secret }: SigningKey, parts: SignedParts): string {
  return macOf(secret, parts).toString('base64url');
}

export function isSignedBy({ secret }: SigningKey, parts: SignedParts, mac: string): boolean {
  const [given, expected] = [Buffer.from(mac, 'base64url'), macOf(secret, parts)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** JSON, so that no two lists of parts are the same text. */
function macOf(secret: Uint8Array, parts: SignedParts): Buffer {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest();
}

/** A fresh secret. */
export const newSecret = (): Buffer => randomBytes(32);

/** A key that ends with the process: for tests, and for operators outside a cluster. */
export function createProcessKeys(): SigningKeys {
  const key: SigningKey = { id: `process-${randomBytes(6).toString('hex')}`, secret: newSecret() };
  return { current: () => key, byId: (id) => (id === key.id ? key : undefined) };
}

let shared: SigningKeys | undefined;

/** The key of this process, made when it is first needed. */
export const processKeys: SigningKeys = {
  current: () => (shared ??= createProcessKeys()).current(),
  byId: (id) => (shared ??= createProcessKeys()).byId(id),
};
