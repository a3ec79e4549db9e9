import type { Resource } from '../../../api/index.ts';
import type { Client } from '../../../kube/index.ts';
import {
  jsonListOf,
  jsonMapOf,
  jsonTextOf,
  isJsonMap,
  type JsonMap,
} from '../../../../base/util/json-map.ts';
import {
  answerConversionReview,
  convertedName,
  versionIn,
  type ConversionFailure,
  type ConversionReviewAnswer,
} from '../../conversion/answer-review.ts';
import {
  statusOf,
  convertedVersion,
  convertedVersions,
  type ConversionContext,
  type StoredStatus,
} from '../../conversion/convert-object.ts';
import type { HubConversion } from '../../conversion/index.ts';
import {
  conversionDataAnnotation,
  dataOwner,
  readKeptData,
  MissingKey,
  processKeys,
  type SigningKeys,
} from '../../conversion/kept-data.ts';
import type { Logger } from '../../create-logger.ts';
import { messageOf } from '../../../../base/errors/index.ts';
import type { AdmissionEnvironment } from '../admission/answer-admission.ts';

/** Maximum time in milliseconds for which a conversion review waits for the signing key while the operator starts. */
const KEY_WAIT_MS = 5000;

/** Maximum number of reports about ignored annotations that are remembered, so that each is logged only once. */
const MOST_REPORTED = 1000;

/** The declared conversions, and the client and the keys that they use. */
export interface ConversionParts {
  readonly conversions: readonly HubConversion[];
  /** Reads the stored object. Its status replaces the status that a client sends. */
  readonly client: Pick<Client, 'find'>;
  /** Keys that sign conversion data. Default: the key of this process. */
  readonly keys?: (SigningKeys & { readonly known: Promise<void> }) | undefined;
}

/**
 * Answers conversion reviews. Restores kept data, which one version cannot represent, only if it is trusted: the key has signed it for the
 * object, and its types match the served schema of the hub. For the status, only data of the stored object is trusted.
 */
export class ConversionReviews {
  readonly #parts: ConversionParts;
  readonly #reported = new Set<string>();

  constructor(parts: ConversionParts) {
    this.#parts = parts;
  }

  /** Answers a conversion review. The returned promise never rejects. */
  async answer(review: unknown, environment: AdmissionEnvironment): Promise<ConversionReviewAnswer> {
    const { log, onFailure } = environment;
    const report = ({ error, isPanic }: ConversionFailure): void => {
      onFailure?.(error, isPanic);
      log.error({ error }, 'Conversion failed');
    };
    let stored: StoredStatus | undefined;
    try {
      stored = await this.#storedStatus(review, environment);
    } catch (cause) {
      return answerConversionReview(this.#parts.conversions, review, report, () => {
        throw new Error(
          `cannot read the stored object, whose status the conversion needs: ${messageOf(cause)}`,
          { cause },
        );
      });
    }
    const forgets = new Set<number>();
    const restored = new Set<number>();
    const convert = (onFailure: (failure: ConversionFailure) => void): ConversionReviewAnswer =>
      answerConversionReview(
        this.#parts.conversions,
        review,
        onFailure,
        (object, index): ConversionContext => ({
          keys: this.#keys,
          storedStatus: stored,
          forgetsKept: forgets.has(index),
          onRestored: () => restored.add(index),
          onIgnored: (reason) => this.#reportIgnored(log, convertedName(object, index), reason),
        }),
      );
    let failure: ConversionFailure | undefined;
    let answer = convert((failed) => (failure = failed));
    if (failure !== undefined && isMissingKey(failure) && (await this.#keyIsKnown())) {
      failure = undefined;
      answer = convert((failed) => (failure = failed));
    }
    if (failure !== undefined) {
      report(failure);
      return answer;
    }
    const faults = await this.#typeFaults(answer, restored, environment);
    if (faults.size === 0) return answer;
    for (const index of faults.keys()) forgets.add(index);
    const plain = convert(() => undefined);
    const stillWrong = await this.#typeFaults(plain, forgets, environment);
    // If the types are also wrong without the kept data, the conversion itself has a mistake, so dropping the data would not help.
    for (const [index, field] of faults) {
      if (plain.response.result.status === 'Failure' || stillWrong.has(index)) forgets.delete(index);
      else {
        const object = convertedName(jsonMapOf(answer.response.convertedObjects[index]), index);
        log.warn(
          { object, field },
          'Conversion data dropped: its type differs from the one in the schema of the hub',
        );
      }
    }
    return forgets.size === 0 ? answer : convert(() => undefined);
  }

  get #keys(): SigningKeys {
    return this.#parts.keys ?? processKeys;
  }

  /** Waits a limited time for the signing key if it is not known yet. Returns false if the key is still unknown afterwards. */
  async #keyIsKnown(): Promise<boolean> {
    const { keys } = this.#parts;
    if (keys === undefined || keys.current() !== undefined) return true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), KEY_WAIT_MS)));
    const isKnown = await Promise.race([keys.known.then(() => true), late]);
    clearTimeout(timer);
    return isKnown;
  }

  /**
   * Returns the kept status of the stored object if this conversion may be the last one before the object is written. A client that may
   * write an object may also write its annotation, even an outdated signed one, but must not write the status that the annotation would
   * restore. The API server writes under optimistic locking: it repeats the conversion if the object has changed between this read and the
   * write.
   *
   * @returns undefined if the object in the review is trusted: an object that is converted for a webhook, which has a resource version or
   * has no uid yet, or one of several objects, which are only read
   */
  async #storedStatus(review: unknown, { signal }: AdmissionEnvironment): Promise<StoredStatus | undefined> {
    const request = jsonMapOf(jsonMapOf(review)['request']);
    const [object, ...others] = jsonListOf(request['objects']);
    if (!isJsonMap(object) || others.length > 0) return undefined;
    const metadata = jsonMapOf(object['metadata']);
    const [uid, resourceVersion] = [jsonTextOf(metadata['uid']), jsonTextOf(metadata['resourceVersion'])];
    const hasData = Object.hasOwn(jsonMapOf(metadata['annotations']), conversionDataAnnotation);
    const found = this.#spokeOf(object);
    if (found === undefined || uid === '' || resourceVersion !== '' || !hasData) return undefined;
    const { conversion, resource } = found;
    const { group, version: hub } = conversion.hub;
    if (jsonTextOf(request['desiredAPIVersion']) === resource.apiVersion) return undefined;
    const { namespace, name } = dataOwner(group, object);
    const key = { name, ...(namespace === '' ? {} : { namespace }) };
    // Read the object in its own version. An object stored in this version needs no conversion; an object stored in the version of the hub
    // comes with all its kept data.
    const stored: unknown = await this.#parts.client.find(resource, key, { signal: signal() });
    if (!isJsonMap(stored)) return { status: undefined };
    await this.#keyIsKnown();
    const owner = dataOwner(group, stored);
    if (owner.uid !== uid) return { status: undefined };
    const data = readKeptData(
      owner,
      jsonMapOf(stored['metadata']),
      convertedVersions(conversion),
      this.#keys,
    );
    return { status: data.isEarly ? undefined : statusOf(data.kept.get(hub)) };
  }

  /** Returns the conversion and the resource of an object whose version is not the hub; undefined for other objects. */
  #spokeOf(object: JsonMap): { readonly conversion: HubConversion; readonly resource: Resource } | undefined {
    for (const conversion of this.#parts.conversions) {
      if (conversion.hub.kind !== object['kind']) continue;
      if (versionIn(conversion, jsonTextOf(object['apiVersion'])) === undefined) continue;
      const spoke = conversion.spokes.find(({ resource }) => resource.version === convertedVersion(object));
      return spoke && { conversion, resource: spoke.resource };
    }
    return undefined;
  }

  /** Returns a map from the index of an object to its first field whose type differs from the served schema of the hub. */
  async #typeFaults(
    { response }: ConversionReviewAnswer,
    indexes: ReadonlySet<number>,
    { typeFault }: AdmissionEnvironment,
  ): Promise<ReadonlyMap<number, string>> {
    const faults = new Map<number, string>();
    for (const index of indexes) {
      const object = response.convertedObjects[index];
      const conversion = this.#parts.conversions.find(
        ({ hub }) => hub.kind === object?.['kind'] && hub.apiVersion === object['apiVersion'],
      );
      const fault = object && conversion && (await typeFault(conversion.hub, object));
      if (fault !== undefined) faults.set(index, fault);
    }
    return faults;
  }

  #reportIgnored(log: Logger, object: string, reason: string): void {
    const text = `${object}: ${reason}`;
    if (this.#reported.has(text)) return;
    if (this.#reported.size >= MOST_REPORTED) this.#reported.clear();
    this.#reported.add(text);
    log.warn({ object, reason }, 'Conversion data ignored');
  }
}

const isMissingKey = ({ error }: ConversionFailure): boolean =>
  error instanceof Error && error.cause instanceof MissingKey;
