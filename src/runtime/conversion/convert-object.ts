import { messageOf } from '../../errors/index.ts';
import { isJsonMap, type JsonMap } from '../../util/json-map.ts';
import { deepFreeze } from '../deep-freeze.ts';
import type { HubConversion, UntypedConversion } from './define-conversion.ts';
import { differenceOf, restore, type Difference } from './difference.ts';
import { ownField, jsonCopy, setOwnField } from './json-value.ts';
import { readKeptData, withKeptData } from './kept-data.ts';
import { parseLossyPath, withoutPaths, type LossyPath } from './lossy-paths.ts';

/** What is not part of the body. */
const head: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** A function of the author's, and its name in errors. */
interface Step {
  readonly name: string;
  readonly run: (body: object) => unknown;
}

/** A function of the author's has failed. The message names it; the cause is what it threw, or what is wrong with what it returned. */
export class StepFailure extends Error {}

/** From one version to another, one of which is the hub. */
interface Direction {
  readonly source: string;
  readonly target: string;
  readonly forth: Step;
  readonly back: Step;
  /** What need not be kept of the source. */
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
export function convertObject(conversion: HubConversion, object: JsonMap, version: string): JsonMap {
  const { hub, spokes } = conversion;
  const versions = new Set([hub.version, ...spokes.map(({ resource }) => resource.version)]);
  const found = versionOf(object);
  if (found === version) return object;
  let converted = object;
  if (found !== hub.version)
    converted = convertOnce(toHub(conversion, found), converted, hub.group, versions);
  if (version !== hub.version)
    converted = convertOnce(fromHub(conversion, version), converted, hub.group, versions);
  return converted;
}

/** The version in an object's `apiVersion`. */
const versionOf = (object: JsonMap): string => String(ownField(object, 'apiVersion')).replace(/^.*\//, '');

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
  group: string,
  versions: ReadonlySet<string>,
): JsonMap {
  const { source, target } = direction;
  const metadata = ownField(object, 'metadata');
  if (!isJsonMap(metadata)) throw new TypeError('metadata: expected an object');
  const known = readKeptData(metadata, versions);
  const { body, difference } = convertBody(direction, bodyOf(object), known.get(target));
  const kept = new Map([...known].filter(([version]) => version !== source && version !== target));
  if (difference !== undefined) kept.set(source, difference);
  const converted: Record<string, unknown> = {
    apiVersion: `${group}/${target}`,
    kind: ownField(object, 'kind'),
    metadata: withKeptData(metadata, kept),
  };
  for (const key of Object.keys(body)) setOwnField(converted, key, body[key]);
  return converted;
}

interface Outcome {
  readonly body: JsonMap;
  /** What the converted body cannot hold. */
  readonly difference: Difference | undefined;
}

function convertBody(
  { forth, back, exempt, intoHub }: Direction,
  body: JsonMap,
  kept: Difference | undefined,
): Outcome {
  const implied = run(forth, body);
  const differenceFrom = (converted: JsonMap): Difference | undefined =>
    differenceOf(withoutPaths(run(back, converted), exempt), withoutPaths(body, exempt));
  const restored = kept === undefined ? implied : restoredBody(kept, implied);
  try {
    return { body: restored, difference: differenceFrom(restored) };
  } catch (error) {
    // What was kept cannot be converted. Into the hub, which is what is stored, that is an error: without it, the write would lose what was kept.
    // Spokes are read, and whoever may write one object could spoil every list: they get what was kept, and writing it back is an error.
    if (kept === undefined || intoHub) throw error;
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
