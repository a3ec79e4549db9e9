import {
  isObject,
  objectOf,
  type Json,
  type JsonObject,
  fillDefaults,
  removeNulls,
  prune,
  fieldSchema,
  objectMetaSchema,
  visitEmbedded,
  type Schema,
} from '../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../base/util/json-map.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { badRequest } from '../status-error.ts';

/** An object decoded from the body of a request. */
interface Decoded {
  readonly object: JsonObject;
  /** Paths of the fields that were removed because the schema does not define them. */
  readonly unknown: readonly string[];
}

/**
 * Decodes an object as the server does: removes unknown fields, sets defaults, and normalises metadata.
 *
 * @param object changed in place
 * @throws StatusError 400
 */
export function decode(kind: ServedKind, object: JsonObject): Decoded {
  const type = `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}`;
  const { schema, builtIn } = kind;
  const inOrder = builtIn === undefined ? undefined : documentOrder(object);
  const unknown: string[] = [...normalizeMetadata(object, 'metadata', type)];
  unknown.push(...prune(object, schema));
  removeNulls(object, schema);
  unknown.push(...normalizeEmbedded(object, schema, type));
  fillDefaults(object, schema);
  builtIn?.normalize(object);
  return { object, unknown: inOrder?.(unknown) ?? unknown };
}

/** Returns a function that sorts paths as their fields follow each other in an object, as it is now. */
function documentOrder(object: JsonObject): (paths: readonly string[]) => readonly string[] {
  const places = new Map<string, number>();
  const visit = (value: Json, at: string): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, `${at}[${index}]`);
    if (!isObject(value)) return;
    for (const [name, item] of Object.entries(value)) {
      const inside = at === '' ? name : `${at}.${name}`;
      places.set(inside, places.size);
      visit(item, inside);
    }
  };
  visit(object, '');
  return (paths) => [...paths].sort((left, right) => (places.get(left) ?? 0) - (places.get(right) ?? 0));
}

/** Normalises an applied object: sets defaults, keeps nulls. Unknown fields need no treatment, because an applied object has none. */
export function decodeApplied(kind: ServedKind, object: JsonObject): JsonObject {
  normalizeMetadata(object, 'metadata', kind.kind);
  normalizeEmbedded(object, kind.schema, kind.kind);
  fillDefaults(object, kind.schema);
  kind.builtIn?.normalize(object);
  return object;
}

/** Returns the error message of strict decoding; undefined if the object has no unknown fields. */
export function strictProblem(unknown: readonly string[]): string | undefined {
  if (unknown.length === 0) return undefined;
  return `strict decoding error: ${unknown.map((path) => `unknown field "${path}"`).join(', ')}`;
}

/**
 * Returns the object in a request body.
 *
 * @throws StatusError 400 if the body is not an object, or is an object of another kind
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
    // The path determines the type if the object does not state it.
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

/** Shortens a text for a message. Source: apiserver `handlers/rest.go`, `summarizeData`. */
function summary(text: string): string {
  return text.length <= 30 ? text : `${text.slice(0, 30)} ...`;
}

/**
 * Sets the object's namespace to the namespace of the request path.
 * @throws StatusError 400 if the object names another namespace
 */
export function placeIn(namespace: string, object: JsonObject): JsonObject {
  const metadata = objectOf(object['metadata']);
  const given = jsonTextOf(metadata['namespace']);
  if (given === namespace) return object;
  if (given !== '' && namespace !== '')
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  const { namespace: _, ...rest } = metadata;
  return { ...object, metadata: namespace === '' ? rest : { ...rest, namespace } };
}

/**
 * Normalises `metadata` as the server decodes it: without unknown fields and empty values.
 *
 * @returns the paths of unknown fields
 * @throws StatusError 400 for a value of the wrong type
 */
function normalizeMetadata(holder: JsonObject, path: string, type: string): readonly string[] {
  const unknown: string[] = [];
  const metadata = holder['metadata'];
  if (metadata === undefined) return unknown;
  if (metadata === null) {
    delete holder['metadata'];
    return unknown;
  }
  const clean = decoded(metadata, objectMetaSchema, path, type, unknown);
  holder['metadata'] = clean ?? {};
  return unknown;
}

/** Decodes a value in `metadata`; returns undefined for an empty value. */
function decoded(
  value: Json,
  schema: Schema,
  path: string,
  type: string,
  unknown: string[],
): Json | undefined {
  if (value === null) return undefined;
  if (schema.type === 'object') {
    if (!isObject(value)) throw wrongType(value, path, type);
    if (schema['x-kubernetes-preserve-unknown-fields'] === true) return value;
    const result: JsonObject = {};
    for (const [name, item] of Object.entries(value)) {
      const values = schema.additionalProperties;
      const isMap = typeof values === 'object';
      const known = isMap ? values : fieldSchema(schema, name);
      if (known === undefined) {
        unknown.push(`${path}.${name}`);
        continue;
      }
      const inner = decoded(item, known, `${path}.${name}`, type, unknown);
      if (inner !== undefined) result[name] = inner;
      else if (isMap) result[name] = '';
    }
    return Object.keys(result).length === 0 ? undefined : result;
  }
  if (schema.type === 'array') {
    if (!Array.isArray(value)) throw wrongType(value, path, type);
    const items = schema.items ?? {};
    return value.length === 0
      ? undefined
      : value.map((item, index) => decoded(item, items, `${path}[${index}]`, type, unknown) ?? {});
  }
  const fits = schema.type === 'integer' ? Number.isInteger(value) : typeof value === schema.type;
  if (!fits) throw wrongType(value, path, type);
  return value === '' ? undefined : value;
}

function wrongType(value: Json, path: string, type: string): Error {
  const found = Array.isArray(value)
    ? 'array'
    : isObject(value)
      ? 'object'
      : value === null
        ? 'null'
        : typeof value;
  return badRequest(`${type}: json: cannot unmarshal ${found} into Go struct field ObjectMeta.${path}`);
}

/** Normalises the metadata of embedded resources, and returns the paths of unknown fields in that metadata. */
function normalizeEmbedded(object: JsonObject, schema: Schema, type: string): readonly string[] {
  const unknown: string[] = [];
  visitEmbedded(object, schema, (value, _path, at) => {
    unknown.push(...normalizeMetadata(value, `${at}.metadata`, type));
  });
  return unknown;
}
