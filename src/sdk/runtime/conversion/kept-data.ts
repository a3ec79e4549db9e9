import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  canonicalJson,
  isJsonMap,
  type JsonMap,
  ownField,
  setOwnField,
} from '../../../base/util/json-map.ts';
import type { Difference } from './difference.ts';

/** A secret that signs kept conversion data, and its identifier. */
export interface SigningKey {
  /** Contains no spaces. */
  readonly id: string;
  readonly secret: Uint8Array;
}

/** The keys of an operator. */
export interface SigningKeys {
  /** Returns the key for new signatures; undefined as long as no key is known. */
  current(): SigningKey | undefined;
  /** Returns a key, including one that no longer signs. */
  byId(id: string): SigningKey | undefined;
}

/** No key is known, so that nothing can be kept or restored; an object that needs neither is still converted. */
export class MissingKey extends Error {}

/** The parts of a signed text. */
type SignedParts = readonly string[];

/** Returns the signature in base64 without padding. */
function sign({ secret }: SigningKey, parts: SignedParts): string {
  return macOf(secret, parts).toString('base64url');
}

function isSignedBy({ secret }: SigningKey, parts: SignedParts, mac: string): boolean {
  const [given, expected] = [Buffer.from(mac, 'base64url'), macOf(secret, parts)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Signs the parts as JSON, so that different lists of parts never result in the same text. */
function macOf(secret: Uint8Array, parts: SignedParts): Buffer {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest();
}

/** Returns a new secret. */
export const newSecret = (): Buffer => randomBytes(32);

/** Creates a key that exists only in this process: for tests, and for operators outside a cluster. */
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

/** Contains data that a version of the kind cannot represent. Part of the public contract: stored objects contain it. */
export const conversionDataAnnotation = 'opsdk.dev/conversion-data';

/**
 * Limit in bytes of UTF-8. Half of the API server's limit for all annotations of an object: `TotalAnnotationSizeLimitB` of apimachinery.
 */
const greatestSize = 128 * 1024;

/** The first word of the annotation, and of the signed text. */
const format = 'signed-1';

/** The data of an object that its converted form cannot represent, by the version of the object. */
type KeptData = ReadonlyMap<string, Difference>;

/** The object to which data belongs, in every version. */
interface DataOwner {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  /** Empty until the API server has generated it from `generateName`. */
  readonly name: string;
  /** Empty until the API server has set it, and if a client sends none. */
  readonly uid: string;
}

/** Content of an annotation, and the object that carries it. */
interface FoundData {
  readonly kept: KeptData;
  /** The object for which the data was signed: its `name` and `uid` may be known in the annotation but not in the object, or vice versa. */
  readonly owner: DataOwner;
  /** True if the data was signed before the object had a uid, when the API server had not yet checked which fields the client may write. */
  readonly isEarly: boolean;
  /** Reason why an existing annotation is ignored. */
  readonly ignored?: string | undefined;
}

/** @throws TypeError if the object has no metadata, which no API server would store */
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
 * Reads the annotation of an object. Trusts only the key: a text that was not signed for this object counts as absent, and is not parsed.
 * Versions that are not part of the conversion are omitted.
 *
 * @throws MissingKey if an annotation exists, but no key to verify it
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
  // During creation an object is converted for webhooks before it has a uid or a name; clients may also omit the uid.
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
 * Returns the metadata with the signed data in its annotation, or without the annotation if no data is kept.
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

/** Returns the same text for the same data and key, independently of the order of the data. */
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

/** @throws TypeError if they are not a map of strings, which no API server stores */
function annotationsOf(metadata: JsonMap): Readonly<Record<string, string>> {
  const annotations = ownField(metadata, 'annotations') ?? {};
  if (!isJsonMap(annotations) || Object.values(annotations).some((value) => typeof value !== 'string'))
    throw new TypeError('metadata.annotations: expected a map of texts');
  return annotations as Readonly<Record<string, string>>;
}
