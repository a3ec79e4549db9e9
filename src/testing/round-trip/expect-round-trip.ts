import type { RunDetails } from 'fast-check';
import { OpSdkError } from '../../base/errors/index.ts';
import type { HubConversion } from '../../sdk/runtime/index.ts';
import { readCrdDefinitions } from '../crds/read-crd-definitions.ts';
import type { JsonObject } from '../api/json.ts';
import { BrokenLaw, checkEdit, checkRoundTrip, type Pair } from './laws.ts';
import { loadFastCheck, type FastCheck } from './load-fast-check.ts';
import { VersionBodies } from './version-bodies.ts';

/** Options of `expectRoundTrip`. */
export interface RoundTripOptions {
  /** The kind's CRD: files, folders of them (not recursive), relative to the working directory, or definitions as objects. Default: `config/crd/bases`. */
  readonly crds?: readonly (string | object)[];
  /** Number of objects tried in each direction, and of edits, for each spoke. Default: 100. */
  readonly numRuns?: number;
  /** Seed of the random objects: repeat a failure with the seed in its message. Default: a different one in each run. */
  readonly seed?: number;
  /**
   * Objects for which it returns false are not tried: for what the schema does not say, such as CEL rules. The object has `apiVersion`,
   * `kind` and the body, no metadata. Default: all are tried.
   */
  readonly where?: (object: Readonly<Record<string, unknown>>) => boolean;
}

/**
 * Checks that a conversion loses nothing, with objects that are generated from the schemas of its versions: for each spoke,
 *
 * - what came from the hub is the same after spoke and hub again, but for `lossy`;
 * - what came from the spoke is the same after hub and spoke again;
 * - an edit of the spoke's object is kept in the hub, and read back from there;
 * - converted objects are valid by the schema of their version.
 *
 * Defaults and pruning happen as on the API server: also when a client writes back an object that was converted for it. CEL rules are not
 * evaluated; leave out objects that they refuse by `where`. Needs the package fast-check (`npm install --save-dev fast-check`).
 *
 * @throws OpSdkError `testing/round-trip-failed` with the smallest object that was found and the seed; `testing/fast-check-missing`,
 *   `testing/no-schema`, `testing/no-valid-objects`; what is wrong with the CRDs
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
