import {
  isObject,
  objectOf,
  type Json,
  type JsonObject,
  fillDefaults,
  removeNulls,
  prune,
} from '../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../base/util/json-map.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { normalizeMetadata, normalizeEmbedded } from '../objects/metadata.ts';
import { badRequest } from '../status-error.ts';

/** An object decoded from the body of a request. */
interface Decoded {
  readonly object: JsonObject;
  /** Fields that the schema does not know; they were removed. */
  readonly unknown: readonly string[];
}

/**
 * Reads an object as the server decodes it: unknown fields are removed, defaults filled in, metadata is brought into its form.
 *
 * @param object is changed
 * @throws StatusError 400
 */
export function decode(kind: ServedKind, object: JsonObject): Decoded {
  const type = `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}`;
  const unknown: string[] = [...normalizeMetadata(object, 'metadata', type)];
  const { schema, builtIn } = kind;
  unknown.push(...prune(object, schema));
  removeNulls(object, schema);
  unknown.push(...normalizeEmbedded(object, schema, type));
  fillDefaults(object, schema);
  builtIn?.normalize(object);
  return { object, unknown };
}

/** Brings an object that was applied into its form: its fields are known, nulls stay, defaults are filled in. */
export function decodeApplied(kind: ServedKind, object: JsonObject): JsonObject {
  normalizeMetadata(object, 'metadata', kind.kind);
  normalizeEmbedded(object, kind.schema, kind.kind);
  fillDefaults(object, kind.schema);
  kind.builtIn?.normalize(object);
  return object;
}

/** The message of strict decoding; undefined if nothing was unknown. */
export function strictProblem(unknown: readonly string[]): string | undefined {
  if (unknown.length === 0) return undefined;
  return `strict decoding error: ${unknown.map((path) => `unknown field "${path}"`).join(', ')}`;
}

/**
 * The object of a body.
 *
 * @throws StatusError 400 for something else, or an object of another kind
 */
export function bodyObject(kind: ServedKind, body: Json | undefined): JsonObject {
  if (!isObject(body)) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind.kind}): couldn't get version/kind; json parse error`,
    );
  }
  const object = { ...body };
  const { apiVersion, kind: found } = object;
  const [version, type] = [jsonTextOf(apiVersion), jsonTextOf(found)];
  if (kind.builtIn !== undefined) {
    // The path says what it is, unless the object does.
    if (version === '' && type === '') return { ...object, apiVersion: kind.apiVersion, kind: kind.kind };
    if (type !== kind.kind)
      throw badRequest(
        `${type} in version ${JSON.stringify(version.split('/').at(-1) ?? '')} cannot be handled as a ${kind.kind}: converting to the type failed`,
      );
  } else if (type === '' || version === '') {
    const text = JSON.stringify(body);
    const problem = type === '' ? `Object 'Kind' is missing in '${text}'` : 'no version';
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind.kind}): ${problem} (${summary(text)})`,
    );
  }
  if (version !== kind.apiVersion)
    throw badRequest(
      `the API version in the data (${version}) does not match the expected API version (${kind.apiVersion})`,
    );
  return object;
}

/** Source: apiserver `handlers/rest.go`, `summarizeData`. */
function summary(text: string): string {
  return text.length <= 30 ? text : `${text.slice(0, 30)} ...`;
}

/** Puts the namespace of the path into the object. @throws StatusError 400 if it names another one */
export function placeIn(namespace: string, object: JsonObject): JsonObject {
  const metadata = objectOf(object['metadata']);
  const given = jsonTextOf(metadata['namespace']);
  if (given === namespace) return object;
  if (given !== '' && namespace !== '')
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  const { namespace: _, ...rest } = metadata;
  return { ...object, metadata: namespace === '' ? rest : { ...rest, namespace } };
}
