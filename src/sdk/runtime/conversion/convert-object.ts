import { messageOf } from '../../../base/errors/index.ts';
import { isJsonMap, type JsonMap, ownField, setOwnField } from '../../../base/util/json-map.ts';
import { deepFreeze } from '../deep-freeze.ts';
import { isUnsafeInteger } from '../../kube/index.ts';
import type { HubConversion, UntypedConversion } from './define-conversion.ts';
import { parseLossyPath, withoutPaths, type LossyPath } from './lossy-paths.ts';
import { differenceOf, restore, type Difference } from './difference.ts';
import { dataOwner, readKeptData, withKeptData, processKeys, type SigningKeys } from './kept-data.ts';

/** Fields of an object that do not belong to the body, which is the part that is converted. */
const head: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** A user-defined conversion function, and its name in errors. */
interface Step {
  readonly name: string;
  readonly run: (body: object) => unknown;
}

/**
 * Failure of a user-defined function. The message names the function. The cause is the thrown error, or an error about the returned value.
 */
export class StepFailure extends Error {}

/** Settings for the conversion of an object. */
export interface ConversionContext {
  /**
   * Keys that sign and verify the kept data, which is the data that one of the versions cannot represent. Default: the key of this process.
   */
  readonly keys?: SigningKeys | undefined;
  /**
   * Kept data for the status of the stored object, if it is known. It replaces the status data in the annotation of the converted object,
   * which may be outdated. Default: the annotation of the converted object is trusted.
   */
  readonly storedStatus?: StoredStatus | undefined;
  /**
   * True if the object is one of several in a ConversionReview. Such an object is only read, not written, so kept data that cannot be
   * converted back must not fail the complete list. Default: false.
   */
  readonly isListed?: boolean | undefined;
  /** True: do not restore kept data into the hub version. Default: false. */
  readonly forgetsKept?: boolean | undefined;
  /** Called with the reason if the object's annotation with kept data is ignored. */
  readonly onIgnored?: ((reason: string) => void) | undefined;
  /** Called if kept fields were restored into the hub version. */
  readonly onRestored?: (() => void) | undefined;
}

/** Kept data for the status of the stored object; `status` is undefined if the object has none. */
export interface StoredStatus {
  readonly status: Difference | undefined;
}

/** A conversion between two versions, one of which is the hub. */
interface Direction {
  readonly source: string;
  readonly target: string;
  readonly forth: Step;
  readonly back: Step;
  /** Paths of fields in the source version that may be lost in the conversion, so they are not kept. */
  readonly exempt: readonly LossyPath[];
  readonly intoHub: boolean;
}

/**
 * Converts an object to another version of its kind, through the hub version. Does not change the object; the result may share parts with
 * it.
 *
 * @param object of the conversion's kind, in one of the versions of the conversion
 * @param version one of the conversion's versions
 * @throws Error that describes the problem of the object; StepFailure for a failure of a user-defined function
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

/** Returns the names of all versions of a conversion: the hub and the spokes. */
export function convertedVersions({ hub, spokes }: HubConversion): ReadonlySet<string> {
  return new Set([hub.version, ...spokes.map(({ resource }) => resource.version)]);
}

/** Returns the version in an object's `apiVersion`. */
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

/** Returns the part of a difference that concerns `status`. */
export function statusOf(kept: Difference | undefined): Difference | undefined {
  const [was, is] = [kept?.was, kept?.is].map((part) =>
    isJsonMap(part) ? ownField(part, 'status') : undefined,
  );
  return was === undefined && is === undefined ? undefined : { was, is };
}

/** Replaces the part of a difference that concerns `status`. Returns undefined if the result is empty. */
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
  /** Part of the source object that the converted body cannot represent. */
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
    // The body with the kept data cannot be converted back. If the object may be stored, this is an error, because the write would lose the
    // kept data. Otherwise the object is only read, and one object must not fail every list. The reader gets the kept data, and writing the
    // object back is an error.
    if (kept === undefined || isStored) throw error;
    return { body: restored, difference: differenceFrom(implied) };
  }
}

/**
 * Returns the body with the kept data restored. Returns it without the kept data if that data cannot originate from op-sdk, because it is
 * nested more deeply than objects are, or does not result in a body.
 */
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

/**
 * Runs a user-defined function and checks the returned body.
 *
 * @throws StepFailure
 */
function run({ name, run: convert }: Step, body: JsonMap): JsonMap {
  try {
    return deepFreeze<JsonMap>(checkBody(jsonCopy(convert(body))));
  } catch (error) {
    throw new StepFailure(`${name}: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Checks the body that a user-defined function returned.
 *
 * @throws TypeError that describes the problem of the returned value
 */
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
 * Copies a value in the same way as JSON does: omits fields that are `undefined`.
 *
 * @throws TypeError with the path of a value that JSON cannot represent: functions, dates, NaN, integers beyond 2^53-1, an undefined item
 * of a list
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
  // A plain object from another realm (such as a test runner's) has the prototype of that realm. The prototype of that prototype is null.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    if (typeof (value as { then?: unknown }).then === 'function') return 'a promise';
    return `an object of class ${(value.constructor as { name?: string } | undefined)?.name ?? 'unknown'}`;
  }
  return typeof value === 'number' ? String(value) : typeof value;
}
