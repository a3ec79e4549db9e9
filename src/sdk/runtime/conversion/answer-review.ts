import { messageOf } from '../../../base/errors/index.ts';
import { isJsonMap, type JsonMap, ownField } from '../../../base/util/json-map.ts';
import { isPanic } from '../controller/result.ts';
import { convertObject, StepFailure, type ConversionContext } from './convert-object.ts';
import type { HubConversion } from './define-conversion.ts';

const reviewVersion = 'apiextensions.k8s.io/v1';

/** Answer to a ConversionReview. Source: apiextensions/v1 `ConversionReview`, `ConversionResponse`. */
export interface ConversionReviewAnswer {
  readonly apiVersion: typeof reviewVersion;
  readonly kind: 'ConversionReview';
  readonly response: {
    /** UID of the ConversionReview request; `''` if the request has none. */
    readonly uid: string;
    /** The converted objects in the order of the request; empty if any object cannot be converted. */
    readonly convertedObjects: readonly JsonMap[];
    readonly result:
      { readonly status: 'Success' } | { readonly status: 'Failure'; readonly message: string };
  };
}

/** Reason for a failed conversion. */
export interface ConversionFailure {
  readonly error: unknown;
  readonly isPanic: boolean;
}

/**
 * Converts the objects of a ConversionReview. Never throws: an error in the review, an object or a user-defined function results in an
 * answer of status Failure that names the object, and no object is converted.
 *
 * @param review as parsed from JSON; is not changed
 * @param onFailure receives the reason with its causes, and `isPanic`: true if a user-defined function has a mistake, false if it refused
 * the object
 * @param contextOf returns the settings for the conversion of one object. Default: data is signed by the key of this process
 */
export function answerConversionReview(
  conversions: readonly HubConversion[],
  review: unknown,
  onFailure?: (failure: ConversionFailure) => void,
  contextOf?: ContextOf,
): ConversionReviewAnswer {
  const request = isJsonMap(review) ? ownField(review, 'request') : undefined;
  const uid = isJsonMap(request) ? ownField(request, 'uid') : undefined;
  const answer = (
    convertedObjects: readonly JsonMap[],
    result: ConversionReviewAnswer['response']['result'],
  ): ConversionReviewAnswer => ({
    apiVersion: reviewVersion,
    kind: 'ConversionReview',
    response: { uid: typeof uid === 'string' ? uid : '', convertedObjects, result },
  });
  try {
    return answer(convertAll(conversions, checkReview(review), contextOf), { status: 'Success' });
  } catch (error) {
    onFailure?.({ error, isPanic: isMistake(error) });
    return answer([], { status: 'Failure', message: textOf(error) });
  }
}

/** Returns the settings for the conversion of one object of a review. */
type ContextOf = (object: JsonMap, index: number) => ConversionContext;

interface ConversionRequest {
  readonly desiredAPIVersion: string;
  readonly objects: readonly unknown[];
}

/**
 * Checks the structure of a ConversionReview, and returns its request.
 *
 * @throws TypeError that describes the mistake
 */
function checkReview(review: unknown): ConversionRequest {
  if (!isJsonMap(review)) throw new TypeError('expected a ConversionReview');
  const [apiVersion, kind] = [ownField(review, 'apiVersion'), ownField(review, 'kind')];
  if (apiVersion !== reviewVersion || kind !== 'ConversionReview')
    throw new TypeError(
      `expected ${reviewVersion} ConversionReview, got ${typeof apiVersion === 'string' ? brief(apiVersion) : typeof apiVersion} ${typeof kind === 'string' ? brief(kind) : typeof kind}`,
    );
  const request = ownField(review, 'request');
  if (!isJsonMap(request)) throw new TypeError('request: expected an object');
  const uid = ownField(request, 'uid');
  if (typeof uid !== 'string' || uid === '') throw new TypeError('request.uid: expected a text');
  const desiredAPIVersion = ownField(request, 'desiredAPIVersion');
  if (typeof desiredAPIVersion !== 'string')
    throw new TypeError('request.desiredAPIVersion: expected group/version');
  const objects = ownField(request, 'objects');
  if (!Array.isArray(objects)) throw new TypeError('request.objects: expected a list');
  return { desiredAPIVersion, objects };
}

function convertAll(
  conversions: readonly HubConversion[],
  { desiredAPIVersion, objects }: ConversionRequest,
  contextOf: ContextOf | undefined,
): readonly JsonMap[] {
  if (!conversions.some((conversion) => versionIn(conversion, desiredAPIVersion) !== undefined))
    throw new TypeError(`request.desiredAPIVersion: no conversion knows ${brief(desiredAPIVersion)}`);
  return objects.map((object: unknown, index) => {
    if (!isJsonMap(object)) throw new TypeError(`request.objects[${index}]: expected an object`);
    try {
      const context = { isListed: objects.length > 1, ...contextOf?.(object, index) };
      return convertOne(conversions, object, desiredAPIVersion, context);
    } catch (error) {
      throw new Error(`${convertedName(object, index)}: ${textOf(error)}`, { cause: error });
    }
  });
}

function convertOne(
  conversions: readonly HubConversion[],
  object: JsonMap,
  desiredAPIVersion: string,
  context: ConversionContext,
): JsonMap {
  const [apiVersion, kind] = [ownField(object, 'apiVersion'), ownField(object, 'kind')];
  const conversion = conversions.find(
    (each) =>
      each.hub.kind === kind && typeof apiVersion === 'string' && versionIn(each, apiVersion) !== undefined,
  );
  if (conversion === undefined)
    throw new TypeError(
      `no conversion of kind ${brief(String(kind))} knows version ${brief(String(apiVersion))}`,
    );
  const version = versionIn(conversion, desiredAPIVersion);
  if (version === undefined)
    throw new TypeError(
      `the conversion of ${conversion.hub.kind} has no version ${brief(desiredAPIVersion)}`,
    );
  if (!isJsonMap(ownField(object, 'metadata'))) throw new TypeError('metadata: expected an object');
  return convertObject(conversion, object, version, context);
}

/** Returns the version in an `apiVersion`; undefined if the conversion does not contain that version. */
export const versionIn = ({ hub, spokes }: HubConversion, apiVersion: string): string | undefined =>
  [hub, ...spokes.map(({ resource }) => resource)].find((resource) => resource.apiVersion === apiVersion)
    ?.version;

/** Returns the kind, namespace and name of an object for messages. Omits those that the object does not have. */
export function convertedName(object: JsonMap, index: number): string {
  const metadata = ownField(object, 'metadata');
  const [namespace, name] = ['namespace', 'name'].map((key) =>
    isJsonMap(metadata) ? ownField(metadata, key) : undefined,
  );
  const kind = ownField(object, 'kind');
  if (typeof kind !== 'string' || typeof name !== 'string') return `request.objects[${index}]`;
  return `${brief(kind)} ${typeof namespace === 'string' && namespace !== '' ? `${brief(namespace)}/` : ''}${brief(name)}`;
}

/**
 * Truncates text to the maximum length of Kubernetes names (253 characters). This limits the size of the answer to an invalid request, and
 * of the log.
 */
const brief = (text: string): string => (text.length > 253 ? `${text.slice(0, 253)}…` : text);

/** Returns true if the error comes from a mistake in a user-defined function, or from an invalid result of such a function. */
function isMistake(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof StepFailure) return isPanic(each.cause);
  return false;
}

const textOf = (error: unknown): string =>
  error instanceof RangeError && /call stack/i.test(error.message)
    ? 'the object is nested too deeply'
    : messageOf(error);
