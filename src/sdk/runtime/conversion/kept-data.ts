import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  canonicalJson,
  isJsonMap,
  type JsonMap,
  ownField,
  setOwnField,
} from '../../../base/util/json-map.ts';
import type { Difference } from './difference.ts';

/** A secret that signs kept conversion data, and an identifier for the secret. */
export interface SigningKey {
  /** Identifier of the key, without spaces. */
  readonly id: string;
  readonly secret: Uint8Array;
}

/** The signing keys of an operator. */
export interface SigningKeys {
  /** Returns the key for new signatures; undefined as long as no key is known. */
  current(): SigningKey | undefined;
  /** Returns the key with this identifier, even if it no longer signs. Returns undefined if it is unknown. */
  byId(id: string): SigningKey | undefined;
}

/** Error if no key is known, so that data can neither be kept nor restored. An object that needs neither is still converted. */
export class MissingKey extends Error {}

/** Parts of the text that is signed. */
type SignedParts = readonly string[];

/** Returns the signature of the parts in base64 (URL-safe) without padding. */
function sign({ secret }: SigningKey, parts: SignedParts): string {
  return macOf(secret, parts).toString('base64url');
}

function isSignedBy({ secret }: SigningKey, parts: SignedParts, mac: string): boolean {
  const [given, expected] = [Buffer.from(mac, 'base64url'), macOf(secret, parts)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Returns the message authentication code of the parts. Encodes the parts as JSON, so that different lists of parts never result in the
 * same text.
 */
function macOf(secret: Uint8Array, parts: SignedParts): Buffer {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest();
}

/** Returns a new random secret of 32 bytes. */
export const newSecret = (): Buffer => randomBytes(32);

/** Creates keys that exist only in this process. Used for tests, and for operators outside a cluster. */
export function createProcessKeys(): SigningKeys {
  const key: SigningKey = { id: `process-${randomBytes(6).toString('hex')}`, secret: newSecret() };
  return { current: () => key, byId: (id) => (id === key.id ? key : undefined) };
}

let shared: SigningKeys | undefined;

/** The key of this process, created at first use. */
export const processKeys: SigningKeys = {
  current: () => (shared ??= createProcessKeys()).current(),
  byId: (id) => (shared ??= createProcessKeys()).byId(id),
};

/**
 * Name of the annotation with the data that a version of the kind cannot represent. Part of the public contract, because stored objects
 * contain the annotation.
 */
export const conversionDataAnnotation = 'opsdk.dev/conversion-data';

/**
 * Maximum size of the annotation, in bytes of UTF-8. Half of the API server's limit for all annotations of an object:
 * `TotalAnnotationSizeLimitB` of apimachinery.
 */
const greatestSize = 128 * 1024;

/** Format identifier. It is the first word of the annotation, and of the signed text. */
const format = 'signed-1';

/** Data of an object that its converted form cannot represent, by the version in which the object had that data. */
type KeptData = ReadonlyMap<string, Difference>;

/** Identifies the object to which kept data belongs. The same for all versions of the object. */
interface DataOwner {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  /** Name of the object; empty until the API server has generated it from `generateName`. */
  readonly name: string;
  /** UID of the object; empty until the API server has set it, or if a client sends none. */
  readonly uid: string;
}

/** Content of an annotation with kept data, and the object that has the annotation. */
interface FoundData {
  readonly kept: KeptData;
  /** Object for which the data was signed. The `name` and `uid` may be known in the annotation but not in the object, or vice versa. */
  readonly owner: DataOwner;
  /**
   * True if the data was signed before the object had a uid. At that time, the API server had not yet checked which fields the client may
   * write.
   */
  readonly isEarly: boolean;
  /** Reason why an existing annotation is ignored. */
  readonly ignored?: string | undefined;
}

/**
 * Returns the identity of an object.
 *
 * @throws TypeError if the object has no metadata, which no API server would store
 */
export function dataOwner(group: string, object: JsonMap): DataOwner {
  const metadata = ownField(object, 'metadata');
  if (!isJsonMap(metadata)) throw new TypeError('metadata: expected an object');
  const text = (key: string, from: JsonMap = metadata): string => {
    const value = ownField(from, key);
    return typeof value === 'string' ? value : '';
  };
  const [namespace, name, uid] = [text('namespace'), text('name'), text('uid')];
  return { group, kind: text('kind', object), namespace, name, uid };
}

/**
 * Reads the kept data in the annotation of an object. Trusts only data with a valid signature: a text that was not signed for this object
 * counts as absent, and is not parsed. Omits data of versions that are not part of the conversion.
 *
 * @throws MissingKey if an annotation exists, but no key to verify it is known
 */
export function readKeptData(
  owner: DataOwner,
  metadata: JsonMap,
  versions: ReadonlySet<string>,
  keys: SigningKeys,
): FoundData {
  const text = annotationsOf(metadata)[conversionDataAnnotation];
  if (text === undefined) return { kept: new Map(), owner, isEarly: false };
  if (keys.current() === undefined) throw missingKey('read');
  const ignore = (ignored: string): FoundData => ({ kept: new Map(), owner, isEarly: false, ignored });
  const [, id = '', mac = '', uid = '', name = '', json = ''] =
    /^signed-1 (\S+) (\S+) uid=(\S*) name=(\S*) (.*)$/s.exec(text) ?? [];
  if (json === '') return ignore('it is not signed');
  const key = keys.byId(id);
  if (key === undefined) return ignore('it is signed by a key that this operator does not have');
  const signed: DataOwner = { ...owner, name, uid };
  if (!isSignedBy(key, signedParts(signed, json), mac)) return ignore('its signature is wrong');
  // A missing uid or name is not a difference, because an object in creation is converted for webhooks before it has a uid or a name.
  // Clients may also omit the uid.
  if (
    (uid !== owner.uid && uid !== '' && owner.uid !== '') ||
    (name !== owner.name && name !== '' && owner.name !== '')
  )
    return ignore('it belongs to another object');
  return {
    kept: versionsIn(JSON.parse(json) as unknown, versions),
    owner: { ...owner, uid: owner.uid === '' ? uid : owner.uid, name: owner.name === '' ? name : owner.name },
    isEarly: uid === '' && owner.uid !== '',
  };
}

function versionsIn(data: unknown, versions: ReadonlySet<string>): KeptData {
  const kept = new Map<string, Difference>();
  for (const version of isJsonMap(data) ? Object.keys(data) : []) {
    const { was, is } = differenceIn(ownField(data as JsonMap, version)) ?? {};
    if (versions.has(version) && is !== undefined) kept.set(version, { was, is });
  }
  return kept;
}

function differenceIn(value: unknown): Difference | undefined {
  if (!isJsonMap(value)) return undefined;
  const [was, is] = [ownField(value, 'was'), ownField(value, 'is')];
  return isJsonMap(was) && isJsonMap(is) ? { was, is } : undefined;
}

/**
 * Returns the metadata with the signed data in the annotation. Removes the annotation if no data is kept.
 *
 * @throws RangeError if the annotation would be too large; MissingKey if no key is available to sign it
 */
export function withKeptData(
  owner: DataOwner,
  metadata: JsonMap,
  kept: KeptData,
  keys: SigningKeys,
): JsonMap {
  const old = annotationsOf(metadata);
  const text = kept.size === 0 ? undefined : textOf(owner, kept, keys);
  if (text === old[conversionDataAnnotation]) return metadata;
  const annotations: Record<string, unknown> = {};
  for (const key of Object.keys(old))
    if (key !== conversionDataAnnotation) setOwnField(annotations, key, old[key]);
  if (text !== undefined) annotations[conversionDataAnnotation] = text;
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(metadata)) if (key !== 'annotations') setOwnField(result, key, metadata[key]);
  if (Object.keys(annotations).length > 0) result['annotations'] = annotations;
  return result;
}

/** Returns the text of the annotation. The text is the same for the same data and key, regardless of the order of the data. */
function textOf(owner: DataOwner, kept: KeptData, keys: SigningKeys): string {
  const key = keys.current();
  if (key === undefined) throw missingKey('keep');
  const json = canonicalJson(Object.fromEntries(kept));
  const mac = sign(key, signedParts(owner, json));
  const text = `${format} ${key.id} ${mac} uid=${owner.uid} name=${owner.name} ${json}`;
  const size = Buffer.byteLength(text);
  if (size > greatestSize)
    throw new RangeError(
      `annotation ${conversionDataAnnotation}: expected at most ${greatestSize} bytes for what the version cannot hold, got ${size}`,
    );
  return text;
}

const signedParts = ({ group, kind, namespace, name, uid }: DataOwner, json: string): readonly string[] => [
  format,
  group,
  kind,
  namespace,
  name,
  uid,
  json,
];

const missingKey = (doing: 'read' | 'keep'): MissingKey =>
  new MissingKey(
    `cannot ${doing} annotation ${conversionDataAnnotation}: the key that signs it is not known yet`,
  );

/**
 * Returns the annotations in the metadata; an empty map if it has none.
 *
 * @throws TypeError if the annotations are not a map of strings, which no API server stores
 */
function annotationsOf(metadata: JsonMap): Readonly<Record<string, string>> {
  const annotations = ownField(metadata, 'annotations') ?? {};
  if (!isJsonMap(annotations) || Object.values(annotations).some((value) => typeof value !== 'string'))
    throw new TypeError('metadata.annotations: expected a map of texts');
  return annotations as Readonly<Record<string, string>>;
}
