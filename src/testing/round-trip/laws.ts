import { messageOf } from '../../base/errors/index.ts';
import type { HubConversion } from '../../sdk/runtime/index.ts';
import { convertObject } from '../../sdk/runtime/conversion/convert-object.ts';
import { parseLossyPath, withoutPaths } from '../../sdk/runtime/conversion/lossy-paths.ts';
import { canonicalJson, compareCodeUnits, type JsonMap } from '../../base/util/json-map.ts';
import { isJsonObject, type Json, type JsonObject } from '../api/json.ts';
import type { VersionBodies } from './version-bodies.ts';

/** Thrown if a conversion breaks a law for one object: names the law, and the states on the way. */
export class BrokenLaw extends Error {
  readonly law: string;
  readonly states: readonly (readonly [title: string, value: unknown])[];

  constructor(law: string, states: BrokenLaw['states']) {
    super(law);
    this.name = 'BrokenLaw';
    this.law = law;
    this.states = states;
  }
}

/** A hub, one of its spokes, and the conversion between them. */
export interface Pair {
  readonly conversion: HubConversion;
  readonly hub: VersionBodies;
  readonly spoke: VersionBodies;
}

/** @throws BrokenLaw */
export function checkRoundTrip(
  { conversion, hub, spoke }: Pair,
  from: 'hub' | 'spoke',
  body: JsonObject,
): void {
  const [source, target] = from === 'hub' ? [hub, spoke] : [spoke, hub];
  const way = `${source.resource.version} → ${target.resource.version} → ${source.resource.version}`;
  const object = objectOf(source, body);
  const converted = convert(conversion, object, target, [[`${source.resource.version}`, body]]);
  const states: [string, unknown][] = [
    [source.resource.version, body],
    [target.resource.version, converted],
  ];
  expectValid(target, converted, way, states);
  // A client that writes back what it read gets the defaults of the version that it uses.
  const written = { ...converted, ...target.written(bodyOf(converted)) };
  const back = bodyOf(convert(conversion, written, source, states));
  const lossy = from === 'hub' ? lossyPathsOf(conversion, spoke.resource.version) : [];
  if (isSame(withoutPaths(back, lossy), withoutPaths(body, lossy))) return;
  throw new BrokenLaw(`${way}: the object is not what it was`, [
    ...states,
    [`${source.resource.version} again`, back],
    ['differs at', differingPaths(body, back).join(', ')],
  ]);
}

/** Reads a stored object as the spoke, edits it, writes it, reads it again. @throws BrokenLaw */
export function checkEdit(
  { conversion, hub, spoke }: Pair,
  body: JsonObject,
  other: JsonObject,
  place: readonly number[],
): void {
  const { version } = spoke.resource;
  const law = `an edit of ${version} is not read back`;
  const states: [string, unknown][] = [[hub.resource.version, body]];
  const seen = convert(conversion, objectOf(hub, body), spoke, states);
  const small = spoke.written(edited(bodyOf(seen), other, place));
  const edit = spoke.problems(small).length === 0 ? small : other;
  const written: JsonObject = {
    apiVersion: seen['apiVersion'] ?? '',
    kind: seen['kind'] ?? '',
    metadata: seen['metadata'] ?? {},
    ...edit,
  };
  states.push([`${version}, edited`, written]);
  const stored = convert(conversion, written, hub, states);
  states.push([`${hub.resource.version}, with the edit`, stored]);
  expectValid(hub, stored, `an edit of ${version}`, states);
  const read = bodyOf(convert(conversion, { ...stored, ...hub.written(bodyOf(stored)) }, spoke, states));
  if (isSame(read, edit)) return;
  throw new BrokenLaw(law, [
    ...states,
    [`${version}, read`, read],
    ['differs at', differingPaths(edit, read).join(', ')],
  ]);
}

function convert(
  conversion: HubConversion,
  object: JsonObject,
  target: VersionBodies,
  states: readonly (readonly [string, unknown])[],
): JsonObject {
  try {
    const converted = convertObject(conversion, object, target.resource.version) as JsonObject;
    const { apiVersion = '', kind = '', metadata = {} } = converted;
    return { apiVersion, kind, metadata, ...target.read(bodyOf(converted)) };
  } catch (error) {
    throw new BrokenLaw(`to ${target.resource.version}: ${messageOf(error)}`, states);
  }
}

function expectValid(
  version: VersionBodies,
  object: JsonObject,
  way: string,
  states: readonly (readonly [string, unknown])[],
): void {
  const problems = version.problems(bodyOf(object));
  if (problems.length > 0)
    throw new BrokenLaw(
      `${way}: the schema of ${version.resource.version} refuses the converted object: ${problems.join('; ')}`,
      states,
    );
}

const objectOf = ({ resource }: VersionBodies, body: JsonObject): JsonObject => ({
  apiVersion: resource.apiVersion,
  kind: resource.kind,
  metadata: { name: 'example', ...(resource.namespaced ? { namespace: 'default' } : {}) },
  ...body,
});

function bodyOf({
  apiVersion: _apiVersion,
  kind: _kind,
  metadata: _metadata,
  ...body
}: JsonObject): JsonObject {
  return body;
}

function lossyPathsOf(
  { spokes }: HubConversion,
  version: string,
): readonly NonNullable<ReturnType<typeof parseLossyPath>>[] {
  const lossy = spokes.find(({ resource }) => resource.version === version)?.conversion.lossy ?? [];
  return lossy.flatMap((path) => {
    const parsed = parseLossyPath(path);
    return parsed === undefined ? [] : [parsed];
  });
}

/** One field of an object, at any depth, as another object has it. @param place at each depth, which field */
function edited(body: JsonObject, other: JsonObject, [first, ...rest]: readonly number[]): JsonObject {
  const names = [...new Set([...Object.keys(body), ...Object.keys(other)])].sort(compareCodeUnits);
  const name = names[(first ?? 0) % names.length];
  if (first === undefined || name === undefined) return other;
  const { [name]: mine, ...kept } = body;
  const theirs = other[name];
  if (isJsonObject(mine) && isJsonObject(theirs)) return { ...body, [name]: edited(mine, theirs, rest) };
  return theirs === undefined ? kept : { ...body, [name]: theirs };
}

const isSame = (left: unknown, right: unknown): boolean => canonicalJson(left) === canonicalJson(right);

function differingPaths(
  left: Json | JsonMap | undefined,
  right: Json | JsonMap | undefined,
  path = '',
): readonly string[] {
  if (isSame(left, right)) return [];
  if (isJsonObject(left) && isJsonObject(right))
    return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((name) =>
      differingPaths(left[name], right[name], `${path}.${name}`),
    );
  return [path === '' ? 'the root' : path];
}
