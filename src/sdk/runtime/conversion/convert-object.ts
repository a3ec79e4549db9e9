import { messageOf } from '../../../base/errors/index.ts';
import { isJsonMap, type JsonMap, ownField, setOwnField } from '../../../base/util/json-map.ts';
import { deepFreeze } from '../deep-freeze.ts';
import { isUnsafeInteger } from '../../kube/index.ts';
import type { HubConversion, UntypedConversion } from './define-conversion.ts';
import { parseLossyPath, withoutPaths, type LossyPath } from './lossy-paths.ts';
import { differenceOf, restore, type Difference } from './difference.ts';
import { dataOwner, readKeptData, withKeptData, processKeys, type SigningKeys } from './kept-data.ts';

/** Fields that are not part of the body. */
const head: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** A function of the author's, and its name in errors. */
interface Step {
  readonly name: string;
  readonly run: (body: object) => unknown;
}

/** A function of the author's has failed. The message names it; the cause is what it threw, or what is wrong with what it returned. */
export class StepFailure extends Error {}

/** The conditions under which an object is converted. */
export interface ConversionContext {
  /** Default: the key of this process. */
  readonly keys?: SigningKeys | undefined;
  /**
   * The status that the stored object keeps for the hub, where it is known: it counts in the place of what the converted object says, whose
   * annotation may be one of former times. Default: the converted object is trusted.
   */
  readonly storedStatus?: StoredStatus | undefined;
  /** The object is one of several, so that it is read: what is kept and cannot be converted back must not spoil the list. Default: false. */
  readonly isListed?: boolean | undefined;
  /** Puts nothing back into the hub. Default: false. */
  readonly forgetsKept?: boolean | undefined;
  /** Learns that the annotation of the object is ignored, and why. */
  readonly onIgnored?: ((reason: string) => void) | undefined;
  /** Learns that kept fields were put back into the hub. */
  readonly onRestored?: (() => void) | undefined;
}

/** The kept part of the stored object's status; undefined: nothing. */
export interface StoredStatus {
  readonly status: Difference | undefined;
}

/** From one version to another, one of which is the hub. */
interface Direction {
  readonly source: string;
  readonly target: string;
  readonly forth: Step;
  readonly back: Step;
  /** Paths of the source that need not be kept. */
  readonly exempt: readonly LossyPath[];
  readonly intoHub: boolean;
}

/**
 * Converts an object to another version of its kind, by way of the hub. The object is not changed; the result may share parts with it.
 *
 * @param object of the conversion's kind, in one of its versions
 * @param version one of the conversion's
 * @throws Error that says what is wrong with the object; StepFailure if a function of the author's is to blame
 */
export function convertObject(
  conversion: HubConversion,
  object: JsonMap,
  version: string,
  context: ConversionContext = {},
): JsonMap {
  const { hub } = conversion;
  const found = convertedVersion(object);
  if (found === version) return object;
  let converted = object;
  if (found !== hub.version)
    converted = convertOnce(toHub(conversion, found), converted, conversion, context);
  if (version !== hub.version)
    converted = convertOnce(fromHub(conversion, version), converted, conversion, context);
  return converted;
}

/** The names of a conversion's versions. */
export function convertedVersions({ hub, spokes }: HubConversion): ReadonlySet<string> {
  return new Set([hub.version, ...spokes.map(({ resource }) => resource.version)]);
}

/** The version in an object's `apiVersion`. */
export const convertedVersion = (object: JsonMap): string =>
  String(ownField(object, 'apiVersion')).replace(/^.*\//, '');

function toHub({ hub, spokes }: HubConversion, version: string): Direction {
  const { to, from } = stepsOf(spokes, version);
  return { source: version, target: hub.version, forth: to, back: from, exempt: [], intoHub: true };
}

function fromHub({ hub, spokes }: HubConversion, version: string): Direction {
  const { to, from, lossy } = stepsOf(spokes, version);
  return { source: hub.version, target: version, forth: from, back: to, exempt: lossy, intoHub: false };
}

function stepsOf(
  spokes: HubConversion['spokes'],
  version: string,
): { readonly to: Step; readonly from: Step; readonly lossy: readonly LossyPath[] } {
  const conversion: UntypedConversion | undefined = spokes.find(
    ({ resource }) => resource.version === version,
  )?.conversion;
  if (conversion === undefined) throw new TypeError(`version ${version} has no conversion`);
  return {
    to: { name: `to() of ${version}`, run: (body) => conversion.to(body) },
    from: { name: `from() of ${version}`, run: (body) => conversion.from(body) },
    lossy: (conversion.lossy ?? []).map((path) => parseLossyPath(path) ?? []),
  };
}

function convertOnce(
  direction: Direction,
  object: JsonMap,
  conversion: HubConversion,
  { keys = processKeys, storedStatus, isListed, forgetsKept, onIgnored, onRestored }: ConversionContext,
): JsonMap {
  const { source, target, intoHub } = direction;
  const { group } = conversion.hub;
  const metadata = ownField(object, 'metadata');
  if (!isJsonMap(metadata)) throw new TypeError('metadata: expected an object');
  const found = readKeptData(dataOwner(group, object), metadata, convertedVersions(conversion), keys);
  if (found.ignored !== undefined) onIgnored?.(found.ignored);
  let known = forgetsKept === true && intoHub ? undefined : found.kept.get(target);
  if (intoHub && found.isEarly) known = withStatus(known, undefined);
  else if (intoHub && storedStatus !== undefined) known = withStatus(known, storedStatus.status);
  if (intoHub && known !== undefined) onRestored?.();
  const { body, difference } = convertBody(direction, bodyOf(object), known, intoHub && isListed !== true);
  const kept = new Map([...found.kept].filter(([version]) => version !== source && version !== target));
  if (difference !== undefined) kept.set(source, difference);
  const converted: Record<string, unknown> = {
    apiVersion: `${group}/${target}`,
    kind: ownField(object, 'kind'),
    metadata: withKeptData(found.owner, metadata, kept, keys),
  };
  for (const key of Object.keys(body)) setOwnField(converted, key, body[key]);
  return converted;
}

/** The part of a difference that is about `status`. */
export function statusOf(kept: Difference | undefined): Difference | undefined {
  const [was, is] = [kept?.was, kept?.is].map((part) =>
    isJsonMap(part) ? ownField(part, 'status') : undefined,
  );
  return was === undefined && is === undefined ? undefined : { was, is };
}

/** The difference with another status; undefined if nothing is left of it. */
function withStatus(kept: Difference | undefined, status: Difference | undefined): Difference | undefined {
  const part = (of: unknown, value: unknown): JsonMap => {
    const { status: _status, ...rest } = isJsonMap(of) ? of : {};
    return value === undefined ? rest : { ...rest, status: value };
  };
  const result = { was: part(kept?.was, status?.was), is: part(kept?.is, status?.is) };
  return Object.keys(result.was).length + Object.keys(result.is).length === 0 ? undefined : result;
}

interface Outcome {
  readonly body: JsonMap;
  /** The part of the source that the converted body cannot hold. */
  readonly difference: Difference | undefined;
}

function convertBody(
  { forth, back, exempt }: Direction,
  body: JsonMap,
  kept: Difference | undefined,
  isStored: boolean,
): Outcome {
  const implied = run(forth, body);
  const differenceFrom = (converted: JsonMap): Difference | undefined =>
    differenceOf(withoutPaths(run(back, converted), exempt), withoutPaths(body, exempt));
  const restored = kept === undefined ? implied : restoredBody(kept, implied);
  try {
    return { body: restored, difference: differenceFrom(restored) };
  } catch (error) {
    // What was kept cannot be converted. Where it may be stored that is an error: without it, the write would lose what was kept.
    // Others are read, and one object must not spoil every list: they get what was kept, and writing it back is an error.
    if (kept === undefined || isStored) throw error;
    return { body: restored, difference: differenceFrom(implied) };
  }
}

/** The body with what was kept; without it if op-sdk cannot have written that: it is nested deeper than objects are, or fits no body. */
function restoredBody(kept: Difference, implied: JsonMap): JsonMap {
  try {
    const restored = deepFreeze(restore(kept, implied));
    return isJsonMap(restored) ? restored : implied;
  } catch (error) {
    if (error instanceof RangeError) return implied;
    throw error;
  }
}

function bodyOf(object: JsonMap): JsonMap {
  const body: Record<string, unknown> = {};
  for (const key of Object.keys(object))
    if (!head.has(key)) setOwnField(body, key, jsonCopy(object[key], `.${key}`));
  return deepFreeze(body);
}

/** @throws StepFailure */
function run({ name, run: convert }: Step, body: JsonMap): JsonMap {
  try {
    return deepFreeze<JsonMap>(checkBody(jsonCopy(convert(body))));
  } catch (error) {
    throw new StepFailure(`${name}: ${messageOf(error)}`, { cause: error });
  }
}

/** @throws TypeError that says what is wrong with what a function of the author's returned */
function checkBody(result: unknown): JsonMap {
  if (!isJsonMap(result))
    throw new TypeError(
      `expected an object, got ${result === null ? 'null' : Array.isArray(result) ? 'a list' : `a ${typeof result}`}`,
    );
  const extra = Object.keys(result).filter((key) => head.has(key));
  if (extra.length > 0) throw new TypeError(`expected fields of the body only, got ${extra.join(', ')}`);
  return result;
}

/**
 * A copy of a value as JSON would carry it: fields that are `undefined` are left out.
 *
 * @throws TypeError that names the place of what JSON cannot carry: functions, dates, NaN, integers beyond 2^53-1, an undefined item of a list
 */
function jsonCopy(value: unknown, path = ''): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value) && !isUnsafeInteger(value)) return value;
  if (Array.isArray(value))
    return Array.from(value, (item: unknown, index) => jsonCopy(item, `${path}[${index}]`));
  if (typeof value === 'object' && isPlain(value)) {
    const copy: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(value))
      if (field !== undefined) setOwnField(copy, key, jsonCopy(field, `${path}.${key}`));
    return copy;
  }
  throw new TypeError(
    `${path === '' ? 'the result' : path}: ${typeof value === 'number' ? 'expected a number, an integer within ±(2^53-1),' : 'expected JSON,'} got ${nameOf(value)}`,
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm (a test runner's, for example) has that realm's prototype, whose own prototype is null.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    if (typeof (value as { then?: unknown }).then === 'function') return 'a promise';
    return `an object of class ${(value.constructor as { name?: string } | undefined)?.name ?? 'unknown'}`;
  }
  return typeof value === 'number' ? String(value) : typeof value;
}
