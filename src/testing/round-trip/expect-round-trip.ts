import type { RunDetails, Arbitrary } from 'fast-check';
import { OpSdkError, messageOf } from '../../base/errors/index.ts';
import { type HubConversion, convertObject, parseLossyPath, withoutPaths } from '../../sdk/runtime/index.ts';
import { readCrdDefinitions } from '../manifest-files.ts';
import {
  type JsonObject,
  isObject,
  type Json,
  clone,
  fillDefaults,
  removeNulls,
  listTypeErrors,
  prune,
  type Schema,
  schemaErrors,
} from '../../kubernetes/objects/index.ts';
import { canonicalJson, compareCodeUnits, type JsonMap } from '../../base/util/json-map.ts';
import { loadFastCheck, type FastCheck } from './load-fast-check.ts';
import type { Resource } from '../../sdk/api/index.ts';
import type { CrdDocument } from '../../kubernetes/crd/index.ts';
import { valueArbitrary } from './value-arbitrary.ts';

/** Options of `expectRoundTrip`. */
export interface RoundTripOptions {
  /**
   * The CRD of the converted kind, as files, folders of files (not recursive), or objects. Paths are relative to the working directory.
   * Default: `config/crd/bases`.
   */
  readonly crds?: readonly (string | object)[];
  /**
   * Number of objects that are tried for each spoke in each direction, and also the number of edits that are tried for each spoke. Default:
   * 100.
   */
  readonly numRuns?: number;
  /** Seed of the random objects. To repeat a failure, pass the seed that its message contains. Default: a different seed in each run. */
  readonly seed?: number;
  /**
   * Filter for objects that violate a constraint outside the schema, such as a CEL rule: returns false to exclude the object. The object
   * has `apiVersion`, `kind` and the body, but no metadata. Default: no object is excluded.
   */
  readonly where?: (object: Readonly<Record<string, unknown>>) => boolean;
}

/**
 * Checks with objects generated from the schemas that a conversion loses no data. The hub is the version to and from which every other
 * version (a spoke) is converted. For each spoke,
 *
 * - an object of the hub is unchanged after conversion to the spoke and back, except for `lossy` fields;
 * - an object of the spoke is unchanged after conversion to the hub and back;
 * - an edit of the spoke's object is preserved in the hub, and can be read back from the hub;
 * - converted objects are valid by the schema of their version.
 *
 * Defaults are set and unknown fields are pruned as on the API server, also when a client writes back an object that was converted for it.
 * CEL rules are not evaluated, so use `where` to exclude objects that these rules would refuse. Requires the package fast-check (`npm
 * install --save-dev fast-check`).
 *
 * @throws OpSdkError `testing/round-trip-failed` with the smallest failing object and the seed; `testing/fast-check-missing`,
 * `testing/no-schema`, `testing/no-valid-objects`; the errors of the CRDs
 *
 * @example
 * test('conversions lose nothing', () => expectRoundTrip(memcachedConversion));
 */
export async function expectRoundTrip(
  conversion: HubConversion,
  options: RoundTripOptions = {},
): Promise<void> {
  const fc = await loadFastCheck();
  const crds = await readCrdDefinitions(options.crds);
  const hub = VersionBodies.of(conversion.hub, crds);
  const pairs = conversion.spokes.map(({ resource }) => ({
    conversion,
    hub,
    spoke: VersionBodies.of(resource, crds),
  }));
  for (const pair of pairs) checkPair(fc, pair, options);
}

function checkPair(
  fc: FastCheck,
  pair: Pair,
  { numRuns = 100, seed, where = () => true }: RoundTripOptions,
): void {
  const bodiesOf = (version: VersionBodies) =>
    version.arbitrary(fc, (body) =>
      where({ apiVersion: version.resource.apiVersion, kind: version.resource.kind, ...body }),
    );
  const [hubs, spokes] = [bodiesOf(pair.hub), bodiesOf(pair.spoke)];
  const settings = { numRuns, ...(seed === undefined ? {} : { seed }) };
  const places = fc.array(fc.nat({ max: 30 }), { maxLength: 5 });
  for (const details of [
    () =>
      fc.check(
        fc.property(hubs, (body) => checkRoundTrip(pair, 'hub', body)),
        settings,
      ),
    () =>
      fc.check(
        fc.property(spokes, (body) => checkRoundTrip(pair, 'spoke', body)),
        settings,
      ),
    () =>
      fc.check(
        fc.property(hubs, spokes, places, (body, other, place) => checkEdit(pair, body, other, place)),
        settings,
      ),
  ])
    reportFailure(pair, details() as RunDetails<[JsonObject]>);
}

function reportFailure(
  { conversion }: Pair,
  { failed, errorInstance, seed, numShrinks }: RunDetails<[JsonObject]>,
): void {
  if (!failed) return;
  if (!(errorInstance instanceof BrokenLaw)) throw errorInstance;
  const { law, states } = errorInstance;
  const shown = states.map(
    ([title, value]) => `${title}: ${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`,
  );
  throw new OpSdkError(
    {
      code: 'testing/round-trip-failed',
      message: [`${conversion.hub.kind}: ${law}`, ...shown, `seed: ${seed}, shrunk ${numShrinks} times`].join(
        '\n',
      ),
      fix: [
        `run again with { seed: ${seed} } to see the same failure`,
        'name fields of the hub that may be lost in lossy',
      ],
    },
    { cause: errorInstance },
  );
}

/** Thrown if a conversion fails a check for one object. Names the failed check in `law`, and holds the object's state after each step. */
class BrokenLaw extends Error {
  readonly law: string;
  readonly states: readonly (readonly [title: string, value: unknown])[];

  constructor(law: string, states: BrokenLaw['states']) {
    super(law);
    this.name = 'BrokenLaw';
    this.law = law;
    this.states = states;
  }
}

/** The hub version, one of the other versions (a spoke), and the conversion between the two versions. */
interface Pair {
  readonly conversion: HubConversion;
  readonly hub: VersionBodies;
  readonly spoke: VersionBodies;
}

/**
 * Converts a body from the hub to the spoke and back, or from the spoke to the hub and back, and checks the result.
 * @throws BrokenLaw
 */
function checkRoundTrip({ conversion, hub, spoke }: Pair, from: 'hub' | 'spoke', body: JsonObject): void {
  const [source, target] = from === 'hub' ? [hub, spoke] : [spoke, hub];
  const way = `${source.resource.version} → ${target.resource.version} → ${source.resource.version}`;
  const object = objectOf(source, body);
  const converted = convert(conversion, object, target, [[`${source.resource.version}`, body]]);
  const states: [string, unknown][] = [
    [source.resource.version, body],
    [target.resource.version, converted],
  ];
  expectValid(target, converted, way, states);
  // When a client writes back an object, the API server sets the defaults of the written version.
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

/**
 * Reads a stored object in the spoke version, edits it, writes it, and checks that it is read back as it was written.
 * @throws BrokenLaw
 */
function checkEdit(
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

/**
 * Returns a copy of `body` in which one field, at any depth, has the value of the same field in `other`.
 * @param place index of the field at each depth
 */
function edited(body: JsonObject, other: JsonObject, [first, ...rest]: readonly number[]): JsonObject {
  const names = [...new Set([...Object.keys(body), ...Object.keys(other)])].sort(compareCodeUnits);
  const name = names[(first ?? 0) % names.length];
  if (first === undefined || name === undefined) return other;
  const { [name]: mine, ...kept } = body;
  const theirs = other[name];
  if (isObject(mine) && isObject(theirs)) return { ...body, [name]: edited(mine, theirs, rest) };
  return theirs === undefined ? kept : { ...body, [name]: theirs };
}

const isSame = (left: unknown, right: unknown): boolean => canonicalJson(left) === canonicalJson(right);

function differingPaths(
  left: Json | JsonMap | undefined,
  right: Json | JsonMap | undefined,
  path = '',
): readonly string[] {
  if (isSame(left, right)) return [];
  if (isObject(left) && isObject(right))
    return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((name) =>
      differingPaths(left[name], right[name], `${path}.${name}`),
    );
  return [path === '' ? 'the root' : path];
}

/** Maximum number of consecutive generated objects that may be invalid. After that, the search for a valid object stops. */
const mostRefused = 1_000;

/** Generates random bodies (objects without metadata) of one version of a kind, and processes them as the API server does. */
class VersionBodies {
  readonly #schema: Schema;

  readonly resource: Resource;

  private constructor(resource: Resource, schema: Schema) {
    this.resource = resource;
    const {
      apiVersion: _apiVersion,
      kind: _kind,
      metadata: _metadata,
      ...properties
    } = schema.properties ?? {};
    this.#schema = { ...schema, properties };
  }

  /**
   * Creates the generator for a version from the schema in its CRD.
   * @throws OpSdkError `testing/no-schema`
   */
  static of(resource: Resource, crds: readonly CrdDocument[]): VersionBodies {
    const crd = crds.find(({ spec }) => spec.group === resource.group && spec.names.kind === resource.kind);
    const version = crd?.spec.versions.find(({ name }) => name === resource.version);
    if (version !== undefined) return new VersionBodies(resource, version.schema.openAPIV3Schema);
    throw new OpSdkError({
      code: 'testing/no-schema',
      message:
        crd === undefined
          ? `found no CustomResourceDefinition of ${resource.kind} in ${resource.group}`
          : `the CustomResourceDefinition ${crd.metadata.name} has no version ${resource.version}`,
      fix: ['op-sdk generate manifests', 'or name the files of the definitions in crds'],
    });
  }

  /** Processes a body as the API server processes a client's write: removes unknown fields, and sets defaults. */
  written(body: JsonObject): JsonObject {
    const copy = clone(body);
    removeNulls(copy, this.#schema);
    fillDefaults(copy, this.#schema);
    prune(copy, this.#schema);
    return copy;
  }

  /** Processes a converted body as the API server does when a client reads it: removes unknown fields. */
  read(body: JsonObject): JsonObject {
    const copy = clone(body);
    prune(copy, this.#schema);
    return copy;
  }

  /** Returns the problems that the API server would report about a body, except for violated CEL rules. */
  problems(body: JsonObject): readonly string[] {
    return [...schemaErrors(body, this.#schema, ''), ...listTypeErrors(body, this.#schema)].map(
      ({ field, body: problem }) => `${field}: ${problem}`,
    );
  }

  /** Returns a generator of valid bodies, in the form in which the API server would store them. */
  arbitrary(fc: FastCheck, where: (body: JsonObject) => boolean): Arbitrary<JsonObject> {
    let refused = 0;
    const isUsable = (body: JsonObject): boolean => {
      const usable = this.problems(body).length === 0 && where(body);
      refused = usable ? 0 : refused + 1;
      if (refused > mostRefused) throw this.#noneValid(body);
      return usable;
    };
    return valueArbitrary(fc, { ...this.#schema, type: 'object' })
      .map((body: Json) => this.written(body as JsonObject))
      .filter(isUsable);
  }

  #noneValid(body: JsonObject): OpSdkError {
    const [problem = 'where() returned false'] = this.problems(body);
    return new OpSdkError({
      code: 'testing/no-valid-objects',
      message: `${this.resource.apiVersion} ${this.resource.kind}: none of ${mostRefused} generated objects is valid; the last: ${problem}`,
      fix: ['test this conversion with objects of your own instead'],
    });
  }
}
