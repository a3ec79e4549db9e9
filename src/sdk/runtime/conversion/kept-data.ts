import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  canonicalJson,
  isJsonMap,
  type JsonMap,
  ownField,
  setOwnField,
} from '../../../base/util/json-map.ts';
import type { Difference } from './difference.ts';

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
function sign({ secret }: SigningKey, parts: SignedParts): string {
  return macOf(secret, parts).toString('base64url');
}

function isSignedBy({ secret }: SigningKey, parts: SignedParts, mac: string): boolean {
  const [given, expected] = [Buffer.from(mac, 'base64url'), macOf(secret, parts)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Signs the parts as JSON, so that different lists of parts never give the same text. */
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

/** Holds what a version of the kind cannot hold. Part of the public contract: objects are stored with it. */
export const conversionDataAnnotation = 'opsdk.dev/conversion-data';

/** In bytes of UTF-8. Half of what the API server allows for all annotations of an object: `TotalAnnotationSizeLimitB` of apimachinery. */
const greatestSize = 128 * 1024;

/** The first word of the annotation, and of what is signed. */
const format = 'signed-1';

/** By version: what an object of that version has beyond its converted form. */
type KeptData = ReadonlyMap<string, Difference>;

/** The object that data belongs to, in every version. */
interface DataOwner {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  /** Empty until the API server has made it from `generateName`. */
  readonly name: string;
  /** Empty until the API server has made it, and where a client sends none. */
  readonly uid: string;
}

/** Content of an annotation for the object that it is found at. */
interface FoundData {
  readonly kept: KeptData;
  /** The object that the data was signed for: `name` and `uid` may be known there and not at the object that carries it, or the other way round. */
  readonly owner: DataOwner;
  /** The data is of the time before the object had a uid: the API server had not checked yet what of it the client may write. */
  readonly isEarly: boolean;
  /** Why there is an annotation and nothing is taken from it. */
  readonly ignored?: string | undefined;
}

/** @throws TypeError if the object has no metadata, or no API server would store it */
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
 * Reads the annotation of an object. Nobody is trusted but the key: a text that it has not signed for this very object counts as none, and is
 * not even parsed. Versions that are not converted are left out.
 *
 * @throws MissingKey if there is an annotation, and no key to tell whether it can be trusted
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
  // While an object is being created it is converted for webhooks before it has a uid, or a name; and clients may leave out the uid.
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
 * The metadata with this data in its annotation, signed, or without the annotation if there is none.
 *
 * @throws RangeError if the annotation would be too large; MissingKey if nothing can be signed
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

/** The same text for the same data and key, whatever the order in which it came. */
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

/** @throws TypeError if they are not a map of text, which no API server stores */
function annotationsOf(metadata: JsonMap): Readonly<Record<string, string>> {
  const annotations = ownField(metadata, 'annotations') ?? {};
  if (!isJsonMap(annotations) || Object.values(annotations).some((value) => typeof value !== 'string'))
    throw new TypeError('metadata.annotations: expected a map of texts');
  return annotations as Readonly<Record<string, string>>;
}
